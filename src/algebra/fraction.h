/* fraction.h - quotients of differential polynomials.
 *
 * Arithmetic estimates the size of its result first: number of terms, total
 * degree, bits of the coefficients (base/limits.h). */
#pragma once

#include "algebra/dpoly.h"

typedef struct {
    darc_dpoly_t num, den; /* den is not 0 */
} darc_fraction_struct;

typedef darc_fraction_struct darc_fraction_t[1];

void darc_fraction_init(darc_fraction_t f, const darc_jet_t jet); /* 0/1 */
void darc_fraction_clear(darc_fraction_t f, const darc_jet_t jet);

/* Set f to g. */
void darc_fraction_set(darc_fraction_t f, const darc_fraction_t g,
                       const darc_jet_t jet);

/* Set f to f + g, f * g, f^n (n >= 0), f'.  g differs from f.
 * Fails: DARC_LIMIT when the result may grow past a limit; the message says
 * which, without a place. */
DARC_STATUS darc_fraction_add(darc_fraction_t f, const darc_fraction_t g,
                              const darc_jet_t jet, darc_err *err);
DARC_STATUS darc_fraction_mul(darc_fraction_t f, const darc_fraction_t g,
                              const darc_jet_t jet, darc_err *err);
DARC_STATUS darc_fraction_pow(darc_fraction_t f, int n, const darc_jet_t jet,
                              darc_err *err);
DARC_STATUS darc_fraction_diff(darc_fraction_t f, const darc_jet_t jet,
                               darc_err *err);

/* Divide num and den by a common divisor: the greatest, where it is cheap. */
void darc_fraction_shorten(darc_fraction_t f, const darc_jet_t jet);

/* Divide num and den by the greatest common divisor, and let the leading
 * coefficient of den be positive. */
void darc_fraction_cancel(darc_fraction_t f, const darc_jet_t jet);

/* Set p to den^d p(v = r), d the degree of p in v; r does not contain v. */
void darc_dpoly_replace(darc_dpoly_t p, slong v, const darc_fraction_t r,
                        const darc_jet_t jet);

/* Set f to f(v = r), cancelled.
 * Fails: DARC_DOMAIN when the denominator becomes 0; f is then unchanged. */
DARC_STATUS darc_fraction_replace(darc_fraction_t f, slong v,
                                  const darc_fraction_t r, const darc_jet_t jet,
                                  darc_err *err);

/* Solve the n linear equations sum_j a[i (n+1) + j] x_j = a[i (n+1) + n],
 * fraction-free [Bareiss]: a is overwritten, x[j] is cancelled; with no more
 * than so many products of terms.
 * Fails: DARC_DOMAIN when the matrix is singular; DARC_LIMIT. */
DARC_STATUS darc_fraction_solve(darc_fraction_struct *x, darc_dpoly_struct *a,
                                slong n, double work, const darc_jet_t jet);
