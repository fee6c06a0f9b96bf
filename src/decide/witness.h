/* witness.h - parameters that give the coefficients which were fitted.
 *
 * The coefficients of io-equations are polynomials in the parameters and obey
 * relations.  Where these are too long to be written down and tested, real
 * parameters whose coefficients are those of the fits prove that the model can
 * make the recording.  Where none are found nothing is proved.
 */
#pragma once

#include "fit/estimates.h"
#include "fit/regression.h"
#include "projection/coeffs.h"

typedef struct {
    const darc_coeffs_struct *c; /* vectors of coefficients, expanded */
    const darc_estimates *of[2]; /* of each recording */
    const int *place; /* of vector i: the equation of the estimates */
    double tolerance; /* relative error of a coefficient that does not count,
                         added to its variance */
    double alpha;
} darc_witness_question;

/* Return whether real parameters were found whose coefficients differ from
 * those of the fits by what noise explains: the sum of squares, weighed by the
 * covariances, lies below the quantile 1 - alpha of chi-square (or of F, by
 * the fits' degrees of freedom) with as many degrees of freedom as the
 * relations take away.  Levenberg's and Marquardt's iteration in the
 * logarithms of the parameters, first on those of the coefficients, then in
 * the parameters, which may change their signs; from starts that are the same
 * every time.
 * Unless near is NULL, it gets the parameters whose coefficients are nearest,
 * and what is returned is whether there are any.
 * Cost O(starts * iterations * terms * parameters); a spent budget finds
 * nothing. */
bool darc_witness_exists(const darc_witness_question *question, double *near,
                         const darc_budget *budget);

/* Return whether parameters are found that make the coefficients of recording
 * a, and of b with others of `changed`; b may be NULL.  Every equation has to
 * be asked about and expanded. */
bool darc_witness_is_found(const darc_question *x, const darc_estimates *a,
                           const darc_estimates *b, const bool *changed);
