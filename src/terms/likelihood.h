/* likelihood.h - likelihood ratios of candidates, with noise of whatever colour
 * (stats/ratio.h).
 *
 * What the equations leave and all columns are whitened as if noise were white,
 * the columns taken at signals less the noise that the equations show (errors
 * in variables).  What is left then has the colour of the noise, which is
 * estimated under the model and under the alternative.  Where a term is missing
 * the noise that the equations show is mostly the term: so candidates that show
 * most are asked at the coefficients that they lead to.
 */
#pragma once

#include "fit/fit.h"
#include "stats/ratio.h"

typedef struct {
    const darc_weak *weak; /* of the equations with their candidates */
    const darc_gls *fit;   /* whose `free` are the model's own */
    const darc_budget *budget;
    size_t rows, kept; /* of all functions, and of those that are compared */
    double *c;         /* where they are whitened; owned */
    double *white;     /* residual and columns, whitened; owned */
    darc_ratio ratio;
} darc_likelihood;

/* Set l, at the coefficients of fit; *enough to whether there are rows enough.
 * Release it with darc_likelihood_clear in any case.
 * Fails: as darc_sums_pass. */
DARC_STATUS darc_likelihood_init(darc_likelihood *l, bool *enough,
                                 const darc_weak *weak, const darc_gls *fit,
                                 const darc_budget *budget, darc_err *err);
void darc_likelihood_clear(darc_likelihood *l);

/* Return twice the logarithm of the likelihood of another fit over that of f,
 * as darc_fit_likelier; where noise of f may have any colour, beside that which
 * each of them leaves: what is slow is known from few values, and white noise
 * would take it for many. */
double darc_likelihood_likelier(const darc_fit *f, const darc_fit *other);

/* What a candidate shows at first sight. */
typedef struct {
    double rest;  /* square of the share that no terms of the model make */
    double info;  /* its square, of the rows that are held against each other */
    double score; /* square of its score, the noise as it is without */
    double drop;  /* of what is left, were all noise white */
} darc_likelihood_sight;

darc_likelihood_sight darc_likelihood_look(const darc_likelihood *l, int j);

/* Test the candidate of coefficient j; where `again` and it may be missing,
 * at the coefficients to which it leads: there the noise is what it leaves.
 * Shifts where p is below alpha. */
darc_ratio_test darc_likelihood_ask(const darc_likelihood *l, int j, bool again,
                                    double alpha);

/* Test the constant of coefficient j (darc_ratio_ask_constant). */
darc_ratio_test darc_likelihood_at_zero(const darc_likelihood *l, int j);

/* Return what is known of the size of the term of coefficient j, over what is
 * were all noise white. */
double darc_likelihood_gain(const darc_likelihood *l, int j);

/* Test whether what is left goes with what inputs did before, for which no
 * candidate stands (correlation of residuals with past inputs [Lju99]):
 * input[q] is a coefficient of equation q whose terms hold such inputs alone,
 * -1: none. Return the p-value, *which the equation of the least. */
double darc_likelihood_past(int *which, const darc_likelihood *l,
                            const int *input, double alpha);

/* Test the columns of these coefficients together, those left out that others
 * make; left is what all of them leave. */
darc_ratio_test darc_likelihood_together(const darc_likelihood *l,
                                         const int *coeff, int count,
                                         double alpha);
