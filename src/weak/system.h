/* system.h - weak moments of io-equations along one recording.
 *
 * Equation q reads sum_j c_j sum_i (d/dt)^d_i N_i = 0, over its coefficients
 * j = first[q] .. first[q + 1] - 1.  All equations are multiplied by the same
 * B-splines phi_k of compact support, and every total derivative goes to
 * phi_k:
 *   e_qk(c) = sum_j c_j w_jk,  w_jk = sum_i (-1)^d dt sum_t phi_k^(d)(t)
 * N_i(t). Row k*equations + q of what follows is e_qk.
 *
 * Noise enters through channels, white noise of unit variance each through a
 * kernel: a measured signal carries its own channel, a derived one f(y) that
 * of y times df/dy, so that y and f(y) share one noise.  To first order
 * e = A(c) z, with the banded covariance V(c) = A A'; products of noises are
 * channels of their own.  The recording is cut into pieces that are taken as
 * independent; within a piece test functions overlap.
 */
#ifndef DARC_WEAK_SYSTEM_H
#define DARC_WEAK_SYSTEM_H

#include "data/table.h"
#include "weak/total.h"

typedef struct darc_weak darc_weak;

/* Noise of a channel in a signal: factor * partial(t) * n(t + shift). */
typedef struct {
    int channel;
    double factor;
    const double *partial; /* by sample of the table; NULL: 1 */
    int shift;             /* samples */
} darc_weak_source;

/* Where an unknown of the equations is read from. */
typedef struct {
    const double *value; /* table->samples values; NULL: time */
    int sources;
    const darc_weak_source *source; /* the noise it carries; none: exact */
    double sd;                      /* RMS of that noise */
    double power_band;              /* below it 99 % of its power lies, Hz; not
                                       above 0: not known */
    double signal_band;             /* above it noise hides the signal, Hz */
    bool sign; /* not the value, but the sign of its derivative `order`, of the
                  polynomial of degree 6 that fits 25 samples best; 0 near the
                  ends of segments; exact */
    int order;
    const unsigned char *absent; /* by sample: it was not measured; NULL: it
                                    was at all */
    bool held;                   /* constant from each sample to the next */
    bool output;                 /* no input */
    bool exact; /* the noise that it carries is not there for certain */
} darc_weak_signal;

/* n(t) = sum_j kernel[j] z(t - j), j < taps. */
typedef struct {
    int taps;
    const double *kernel;
    double dof;   /* degrees of freedom of its variance; HUGE_VAL: exact */
    double real;  /* share of its variance that is there for certain, and
                     biases powers of signals */
    double raise; /* white noise may have so many times the variance in the
                     band of the signals; 0: 1 */
    double red;   /* where its colour is not known: RMS that it may have inside
                     the band, over that of the kernel; 0: none */
    double pole;  /* of such noise: red(t) = pole red(t - 1) + ... */
} darc_weak_channel;

typedef struct {
    const darc_table *table;          /* gives segments, t0, dt; kept */
    const darc_weak_signal *signal;   /* by unknown of the model; what it points
                                         to is kept */
    const darc_weak_channel *channel; /* kept */
    int channels;
    int support; /* samples of the support of phi; 0: from the bands */
    double rich; /* test functions reach up to so many times the frequency below
                    which a signal has 99 % of its power, where it stands above
                    its noise; 0: 1 */
    bool fine;   /* on even time splines may have knots at every sample */
    int smooth;  /* half-width, samples, of the polynomial of degree 6 that
                    estimates derivatives which stay inside a term; 0: as wide
                    as its bias allows */
    int piece;   /* samples of the pieces; 0: 32768 and 60 supports at least */
    int threads; /* of sums over the moments; 0: one */
    bool moments;   /* the moments alone are wanted, once, of any number of
                       coefficients and functions, even none: no covariance,
                       no bias taken off */
    double stretch; /* factor of the half-widths of derivatives; 0: 1 */
    int margin;     /* samples that test functions keep from ends, at least */
    int every;      /* of the pieces one in so many is taken; 0: all */
} darc_weak_data;

enum {
    DARC_WEAK_MAX_COEFFS = 64, /* of an equation */
    DARC_WEAK_MAX_ORDER = 9
};

/* Set *weak to the moments of so many equations along data.
 * Fails: DARC_DATA when the time is not uniform, no segment is long enough,
 * or a signal that mu or a logarithm divides by comes within six standard
 * deviations of noise of 0 or changes sign; DARC_LIMIT for more than
 * DARC_WEAK_MAX_COEFFS coefficients of an equation (where more than the
 * moments is wanted) or 16 variables. */
DARC_CHECKED darc_status darc_weak_new(darc_weak **weak,
                                       const darc_total_struct *const *total,
                                       int equations,
                                       const darc_weak_data *data,
                                       darc_err *err);
void darc_weak_free(darc_weak *weak);

/* Return the number of test functions, the support, and how many samples test
 * functions keep from the ends: the largest half-width of a derivative
 * smoother, or data->margin where that is more. */
size_t darc_weak_functions(const darc_weak *weak);
int darc_weak_support(const darc_weak *weak);
int darc_weak_smooth(const darc_weak *weak);

/* Return the share that sampling adds to what moments hold of a term, the most
 * of all: 1 where one reaches half the sampling rate. */
double darc_weak_folded(const darc_weak *weak);

/* Return the first coefficient of equation q; of the number of equations, one
 * past the last. */
int darc_weak_first(const darc_weak *weak, int q);

/* Return a coefficient whose moments are all 0 but for rounding; -1: there is
 * none. */
int darc_weak_vanishing(const darc_weak *weak);

/* Return whether an equation holds variable v of its total. */
bool darc_weak_uses(const darc_total_struct *total, int v);

#endif
