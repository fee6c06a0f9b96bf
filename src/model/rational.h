/* rational.h - rational functions num/den in the variables of a jet.
 *
 * den is not 0; after darc_rational_cancel num and den have no common factor
 * and the leading coefficient of den is positive.
 */
#ifndef DARC_MODEL_RATIONAL_H
#define DARC_MODEL_RATIONAL_H

#include "algebra/dpoly.h"

typedef struct {
    darc_dpoly_t num, den;
} darc_rational_struct;

typedef darc_rational_struct darc_rational_t[1];

/* Set r to 0/1. */
void darc_rational_init(darc_rational_t r, const darc_jet_t jet);
void darc_rational_clear(darc_rational_t r, const darc_jet_t jet);
void darc_rational_set(darc_rational_t q, const darc_rational_t r,
                       const darc_jet_t jet);

/* Set r to the variable v. */
void darc_rational_set_var(darc_rational_t r, slong v, const darc_jet_t jet);

/* Divide num and den by their common factor. */
void darc_rational_cancel(darc_rational_t r, const darc_jet_t jet);

/* Set p to den^d p(v = r), d the degree of p in v; r does not contain v. */
void darc_dpoly_substitute(darc_dpoly_t p, slong v, const darc_rational_t r,
                           const darc_jet_t jet);

/* Set q to q(v = r), cancelled.
 * Fails: DARC_DOMAIN when the denominator becomes 0; q is then unchanged. */
DARC_CHECKED darc_status darc_rational_substitute(darc_rational_t q, slong v,
                                                  const darc_rational_t r,
                                                  const darc_jet_t jet,
                                                  darc_err *err);

/* Set q to the derivative r', cancelled.
 * Fails: DARC_LIMIT when r' leaves the frame; q is then unchanged. */
DARC_CHECKED darc_status darc_rational_diff(darc_rational_t q,
                                            const darc_rational_t r,
                                            const darc_jet_t jet,
                                            darc_err *err);

/* Solve the n linear equations sum_j a[i (n+1) + j] x_j = a[i (n+1) + n],
 * fraction-free [Bareiss]: a is overwritten, x[j] is cancelled.
 * Fails: DARC_DOMAIN when the matrix is singular. */
DARC_CHECKED darc_status darc_linear_solve(darc_rational_struct *x,
                                           darc_dpoly_struct *a, slong n,
                                           const darc_jet_t jet, darc_err *err);

#endif
