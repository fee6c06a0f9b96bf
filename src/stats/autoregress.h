/* autoregress.h - autoregressive models x_t = sum a_k x_(t-k) + e_t of noise,
 * by Burg's recursion [Bur75], of the order that a criterion chooses.
 */
#pragma once

#include <stddef.h>

#define DARC_AUTOREGRESS_MOST 40

typedef enum {
    DARC_BY_AIC, /* least n log variance + 2 order: for prediction */
    DARC_BY_MDL  /* + log(n) order: for the order itself */
} darc_criterion;

typedef struct {
    int best[2];                     /* order, by criterion */
    int order;                       /* one of them */
    double a[DARC_AUTOREGRESS_MOST]; /* a_1 .. a_order */
    double variance;                 /* of e */
    double samples;                  /* from which it was made */
} darc_autoregress;

/* Set out from n > most samples, their mean removed, to the best order up to
 * `most` <= DARC_AUTOREGRESS_MOST.  The recursion ends where the signal is
 * predicted to its last digits.  Cost O(n most). */
void darc_autoregress_fit(darc_autoregress *out, const double *x, size_t n,
                          int most, darc_criterion criterion);

/* The same of order `order`, by the recursion of Levinson on autocovariances,
 * of the samples with white noise of `floor` times their mean square: bounded
 * where they hold next to nothing. */
void darc_autoregress_floored(darc_autoregress *out, const double *x, size_t n,
                              int order, double floor);

/* Return |1 - sum a_k exp(-i omega k)|^2: over `variance` it is the density at
 * omega radians a sample, as the variance of white noise that has it. */
double darc_autoregress_gain(const darc_autoregress *m, double omega);

/* Return the relative variance of the density, averaged over the frequencies
 * low .. high, in radians a sample, that follows from the number of samples:
 * 2/n for e, and g' C g for a, where g is the derivative of log density by a
 * and n C = variance (covariance of order successive x)^-1, by the formula of
 * Gohberg and Semencul.  Where the order is well above what the noise needs it
 * is 2 order / n [Ber74]; near a pole of the noise it is far more. */
double darc_autoregress_doubt(const darc_autoregress *m, double low,
                              double high);

/* Set kernel[0 .. taps - 1], and return taps <= most, so that noise is
 * x_t = sum kernel[j] z_(t-j) with white z of variance 1; cut where 1e-4 of its
 * energy is left, `most` allowing. */
int darc_autoregress_kernel(double *kernel, int most,
                            const darc_autoregress *m);
