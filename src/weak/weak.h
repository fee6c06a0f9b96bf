/* weak.h - weak moments of a relation along one recording.
 *
 * A relation sum_j c_j sum_i (d/dt)^d N_i = 0 is multiplied by B-splines
 * phi_k of compact support, and every total derivative goes to phi_k:
 *   e_k(c) = sum_j c_j w_jk,  w_jk = sum_i (-1)^d dt sum_t phi_k^(d)(t) N_i(t).
 * Noise n of the signals enters as e = A(c) n + terms of second order, with
 * the banded covariance V(c) = A A'.  The recording is cut into pieces that
 * are taken as independent; within a piece test functions overlap.
 */
#ifndef DARC_WEAK_WEAK_H
#define DARC_WEAK_WEAK_H

#include "data/table.h"
#include "noise/noisemodel.h"
#include "weak/total.h"

typedef struct darc_weak darc_weak;

/* Where an unknown of the relation is read from. */
typedef struct {
    const double *value;          /* table->samples values; NULL: time */
    const darc_noisemodel *noise; /* NULL: exact */
    int times; /* noise that so many signals share: covariances take all
                  noises as independent, and this one as so many times its
                  variance, which is never too little; 0: 1 */
    bool sign; /* not the value, but the sign of its derivative `order`, of the
                  polynomial of degree 6 that fits 25 samples best; 0 near the
                  ends of segments; exact */
    int order;
} darc_weak_signal;

typedef struct {
    const darc_table *table;        /* gives segments, t0, dt; kept */
    const darc_weak_signal *signal; /* by unknown of the model; values and
                                       noise are kept */
    int support;  /* samples of the support of phi; 0: from the spectrum,
                     twice the shortest period at which two signals carry
                     power */
    int smooth;   /* half-width, samples, of the polynomial of degree 6 that
                     estimates derivatives which stay inside a term; 0: as wide
                     as its bias allows */
    int piece;    /* samples of the pieces; 0: 32768 and 60 supports at least */
    int threads;  /* of sums over the moments; 0: one */
    bool moments; /* the moments alone are wanted, of any number of
                     coefficients and functions, even none: no covariance,
                     no bias taken off */
    double stretch; /* factor of the half-widths of derivatives; 0: 1 */
    int margin;     /* samples that test functions keep from ends, at least */
} darc_weak_data;

/* Set *weak to the moments of total along data.
 * Fails: DARC_DATA when the time is not uniform, no segment is long enough,
 * or a signal that mu or a logarithm divides by comes within six standard
 * deviations of noise of 0 or changes sign; DARC_LIMIT for more than 64
 * coefficients (where more than the moments is wanted) or 16 variables. */
DARC_CHECKED darc_status darc_weak_new(darc_weak **weak,
                                       const darc_total_t total,
                                       const darc_weak_data *data,
                                       darc_err *err);
void darc_weak_free(darc_weak *weak);

/* Return the number of test functions, of coefficients, the support. */
size_t darc_weak_functions(const darc_weak *weak);
int darc_weak_coeffs(const darc_weak *weak);
int darc_weak_support(const darc_weak *weak);

/* Return the half-width of the derivative smoother, 0 if none is used. */
int darc_weak_smooth(const darc_weak *weak);

#endif
