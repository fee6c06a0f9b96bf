/* gls.h - sums over all pieces at one coefficient vector. */
#ifndef DARC_NUMERIC_GLS_H
#define DARC_NUMERIC_GLS_H

#include "darc/gls.h"
#include "numeric/weak.h"

/* Parts of a recording over which the spread of coefficients is taken. */
#define DARC_GLS_BLOCKS 8

typedef struct {
    int coeffs, channels;
    double q;
    double *grad, *hess;         /* W~' V^-1 e, W~' V^-1 W~ */
    double *raw_grad, *raw_hess; /* W' V^-1 e, W' V^-1 W */
    double *noise;               /* N: of W~' V^-1 W~ under noise alone */
    double *trace;               /* T: of W' V^-1 W under noise alone */
    double *hac, *raw_hac;       /* covariance of grad and raw_grad */
    double *share;               /* of Q, by channel */
    double *block;               /* W' V^-1 e of each block of functions */
    double block_functions[DARC_GLS_BLOCKS];
} darc_gls_sums;

/* What a pass computes besides q, gradients and Hessians. */
enum { DARC_GLS_DRAWS = 1, DARC_GLS_HAC = 2 };

/* Return the number of lags of HAC covariances over k functions. */
size_t darc_gls_lags(size_t k);

void darc_gls_sums_init(darc_gls_sums *s, const darc_weak *weak);
void darc_gls_sums_clear(darc_gls_sums *s);

/* Set s at c.  draws: how many times noise is simulated.
 * Fails: DARC_DATA for a singular covariance. */
DARC_CHECKED darc_status darc_gls_pass(darc_gls_sums *s, darc_weak_work *work,
                                       const double *c, int flags, int draws,
                                       darc_err *err);

/* Solve the system of the rows and columns listed in `index` (n of them) of
 * the symmetric m x m matrix a for right-hand sides b (n x r, by columns), in
 * place, scaled to a unit diagonal; false when a is not positive definite. */
bool darc_gls_solve(const double *a, int m, const int *index, int n, double *b,
                    int r);

#endif
