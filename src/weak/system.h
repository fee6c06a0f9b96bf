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
#pragma once

#include "data/table.h"
#include "stats/laurent.h"
#include "weak/thresholds.h"
#include "weak/total.h"

typedef struct darc_weak darc_weak;
typedef struct darc_steps darc_steps; /* steps.h */

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
    double sd;         /* RMS of that noise; of a sign: of the noise of value */
    double power_band; /* below it 99 % of its power lies, Hz; not
                          above 0: not known */
    double line;       /* hum above the signal, Hz; 0: none */
    double bend; /* share of it that noise may add to its mean, where it is
                    computed from noisy signals and bent */
    double loud; /* the same, of as much noise as a colour that is not known
                    may hide */
    bool sign; /* not the value, but the sign of its derivative `order`, of the
                  polynomial of degree 6 that fits 25 samples best; 0 near the
                  ends of segments and where noise may have made it; exact */
    int order;
    const unsigned char *absent; /* by sample: it was not measured; NULL: it
                                    was at all */
    bool held;                   /* constant from each sample to the next */
    double mean;        /* not held: the mean of `base`, which is, over so many
                           seconds before; 0: no */
    double late;        /* of a held one: it is `base` so many seconds before */
    const double *base; /* NULL: value */
    const double *early; /* by sample: a change of a held one came so many
                            samples before it, less than 1; NULL: 0 */
    const unsigned char *base_absent; /* by sample; NULL: none */
    bool output;                      /* no input */
    bool switches; /* what it changes by between samples is among its noise */
    bool exact;    /* the noise that it carries is not there for certain */
    int of; /* slope is not NULL: it is a function of this unknown alone, */
    const double *slope; /* and so steep, by sample */
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
    bool bound;   /* it stands for an error that may be anything up to it, and
                     is never drawn */
} darc_weak_channel;

typedef struct {
    const darc_table *table;          /* gives segments, t0, dt; kept */
    const darc_weak_signal *signal;   /* by unknown of the model; what it points
                                         to is kept */
    const darc_weak_channel *channel; /* kept */
    int channels;
    const darc_steps *steps; /* of held signals and outputs; kept; NULL: of
                                held signals alone */
    int support; /* samples of the support of phi; 0: from the bands */
    const darc_weak *like; /* of which phi is; NULL: one of its own */
    double rich; /* test functions reach up to so many times the frequency below
                    which a signal has 99 % of its power, where it stands above
                    its noise; 0: 1 */
    bool fine;   /* on even time splines may have knots at every sample, where
                    sampling adds little */
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
DARC_STATUS darc_weak_new(darc_weak **weak,
                          const darc_total_struct *const *total, int equations,
                          const darc_weak_data *data, darc_err *err);
void darc_weak_free(darc_weak *weak);

/* Return a coefficient whose moments are all 0 but for rounding; -1: there is
 * none. */
int darc_weak_vanishing(const darc_weak *weak);

/* Return whether polynomials through samples stand for what the equations say
 * of signals: estimated derivatives, or both sides of steps. */
bool darc_weak_is_estimate(const darc_weak *weak);

/* Return whether an equation holds variable v of its total. */
bool darc_weak_uses(const darc_total_struct *total, int v);

/* Return whether a derivative stands inside a product: it is estimated from
 * samples, which have to be uniform. */
bool darc_weak_derives(const darc_total_struct *total);

enum {
    DARC_WEAK_ORDERS = DARC_WEAK_MAX_ORDER + 1,
    DARC_WEAK_RATES = 6, /* of signals, and those that are there together */
    DARC_WEAK_SHAPES = DARC_WEAK_ORDERS * DARC_WEAK_RATES
};

/* out(t) = sum_i tap[i] in(t + first + i), i < count. */
typedef struct {
    int first, count;
    double *tap; /* owned */
    bool flat;   /* many, all the same: a sum that slides */
} darc_weak_filter;

/* How noise of a channel z comes into a variable: through its kernel, `post`,
 * times partial, then through `pre` (the weights of a derivative). */
typedef struct {
    int channel;
    darc_weak_filter pre, post;
    const double *partial; /* by sample of the table; NULL: 1 */
    double mean, rms;      /* of partial */
} darc_weak_path;

/* A signal, or an estimated derivative of it. */
typedef struct {
    darc_deriv deriv;
    const double *value; /* of the signal; NULL: time */
    int half;            /* derivative = sum_s weight[s + half] y(t + s) */
    double *weight;      /* NULL for order 0; owned */
    double bend;         /* of the signal */
    double loud;         /* likewise */
    double *sign;        /* weights of the derivative whose sign is taken, half
                            DARC_WEAK_SIGN_HALF; NULL: no sign; owned */
    double still;        /* up to this a derivative is a share of its sign */
    int paths;
    darc_weak_path *path; /* owned */
} darc_weak_var;

/* All terms of coefficient `coeff` under (d/dt)^order, and the partial
 * derivatives by each variable. */
typedef struct {
    int coeff, equation, order;
    int rate; /* of stamps.h */
    darc_laurent g;
    darc_laurent by[DARC_LAURENT_VARS];
    bool noisy[DARC_LAURENT_VARS]; /* by[v] is not 0 and v carries noise */
} darc_weak_group;

/* Noise of second order: g_vw n_v n_w, less its mean, as white noise of a
 * channel of its own that has the same density at low frequencies. */
typedef struct {
    int v, w;
    double sd;
} darc_weak_pair;

/* Noise of so many samples before and after one reaches it at most. */
typedef struct {
    int left, right;
} darc_weak_reach;

typedef struct {
    size_t begin, end; /* samples */
    int functions;
} darc_weak_piece;

typedef struct darc_weak_stamps darc_weak_stamps; /* stamps.h */
typedef struct darc_weak_bands darc_weak_bands;   /* toeplitz.h */

struct darc_weak {
    const darc_table *table;
    int equations, coeffs;
    int *first; /* equations + 1; owned */
    int vars;
    darc_weak_var var[DARC_LAURENT_VARS];
    int channels;           /* of first order */
    double *dof;            /* of the noise variance of a channel; owned */
    darc_weak_reach *reach; /* of a channel; those of pairs reach no further
                               than the sample itself; owned */
    double raise;           /* the most of all channels, 1 or more */
    double *red, *pole;     /* of a channel, as in darc_weak_channel; owned */
    bool *bound;            /* likewise; owned */
    bool reddens;           /* one of red is more than 0 */
    int groups;
    darc_weak_group *group; /* owned */
    int pairs;
    darc_weak_pair *pair; /* owned */
    int orders;           /* highest order of a total derivative + 1 */
    int degree, step, support;
    double dt;     /* between samples, or usual, s */
    int shapes;    /* orders, of each rate of stamps */
    int wide;      /* samples that a test function sees, at most */
    double folded; /* share that sampling adds to what moments hold of a term,
                      at most; 1: one reaches half the sampling rate */
    darc_weak_stamps *stamps; /* NULL: all samples are evenly there; owned */
    const darc_steps *steps;  /* NULL: nothing jumps */
    darc_steps *own_steps;    /* these, where they are its own; owned */
    double *phi[DARC_WEAK_ORDERS]; /* (-1)^d dt phi^(d), support + 1 values;
                                      owned */
    int side;   /* samples on either side of a step from which a sum is
                   corrected, at most */
    int margin; /* samples that test functions keep from the ends: the largest
                   half-width of a derivative smoother, or more */
    int left, right; /* the largest reach of all channels */
    int pieces;
    darc_weak_piece *piece; /* owned */
    size_t functions;
    int threads;
    double **kept; /* moments of pieces that were loaded, rows x coeffs, where
                      all take little enough room; NULL: none; owned */
    bool linear;   /* all partial derivatives are numbers: the covariance is
                      the same everywhere, or nearly so within a piece */
    darc_weak_bands *bands; /* NULL where it is not linear; owned */
};

/* Return the number of functions of the piece that has most. */
int darc_weak_most_functions(const darc_weak *weak);

/* Return how many functions of a piece see none but the first so many samples
 * of the table. */
size_t darc_weak_told(const darc_weak *weak, int piece, size_t samples);

/* Return `every`, the pieces 0, every, 2 every, ... of which stand for all; 1
 * where they do not: where some signal moves in others, by DARC_WEAK_ASIDE of
 * all its power.  Cost O(samples). */
int darc_weak_stride(const darc_weak *weak, int every);

/* Add to a variable, whose weights are known, the ways by which the noise of
 * the signal s reaches it, and extend the reach of their channels. */
void darc_weak_add_paths(darc_weak *weak, darc_weak_var *var,
                         const darc_weak_signal *s, const darc_weak_data *data);

/* Take off the bias that noise gives to the groups; set their partial
 * derivatives, pairs and linear. */
void darc_weak_differentiate(darc_weak *weak, const darc_weak_data *data);

/* Set share (weak->coeffs values) to the share of itself by which the term of
 * each coefficient may be off, for what signals bend; or for their `loud`. */
void darc_weak_bends(double *share, const darc_weak *weak, bool loud);

/* Add to the covariance of the coefficients c, which is 0 but for what is free,
 * what the bends of signals may have made of them; reference[q] of equation q
 * is fixed. */
void darc_weak_add_bends(double *cov, const double *c, const int *reference,
                         const bool *free, const darc_weak *weak);

/* Return the highest frequency at which two signals carry power, Hz; 0: none is
 * known.  What one alone carries beyond (edges and noise of an input that
 * nothing follows), no relation accounts for. */
double darc_weak_band(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_struct *const *total);

/* Return what moments of input u, of phi, would miss of it at half the sampling
 * rate, as a share of them, beyond twice what its noise adds; 0 where it steps:
 * sums take steps as they are, or other readings of it do. */
double darc_weak_half_rate(const darc_weak *weak, const darc_weak_signal *s,
                           int u);

/* Set orders, degree, step, support and phi: splines of a support twice the
 * shortest period that matters, of a degree so high that what sampling adds
 * to their integrals lies below the noise of the noisiest signal, or 8 above
 * the least that the order of the equations needs. */
void darc_weak_set_functions(darc_weak *weak, const darc_weak_data *data,
                             const darc_total_struct *const *total,
                             size_t longest);
