/* dense.h - eigenvalues, singular values and Cholesky factors, by LAPACK, whose
 * workspace is darc's: LAPACKE takes its own, prints to standard output where
 * there is no memory for it, and returns as if the matrix were at fault.
 *
 * Matrices are n x n, by columns; symmetric ones are read below the diagonal.
 * Those that use it return whether LAPACK succeeded; not with a NAN.  n may be
 * 0, as of a model without a free coefficient: LAPACK would end the process.
 */
#pragma once

#include "darc/status.h"

#include <stdbool.h>

/* Return c' a c, a n x n. */
double darc_dense_quadratic(const double *a, const double *c, int n);

/* Set w to the eigenvalues of a, ascending; job 'V': the columns of a to its
 * eigenvectors, 'N': spoil a. */
DARC_CHECKED bool darc_dense_eigen(double *w, double *a, int n, char job);

/* The same of a x = w b x; b is spoilt. */
DARC_CHECKED bool darc_dense_eigen_of(double *w, double *a, double *b, int n,
                                      char job);

/* Set s to the singular values of a = u diag(s) v', descending, and u and v' if
 * they are not NULL; spoil a. */
DARC_CHECKED bool darc_dense_singular(double *s, double *u, double *v,
                                      double *a, int n);

/* Set the lower triangle of a to L of a = L L'; not where a is not positive
 * definite. */
DARC_CHECKED bool darc_dense_cholesky(double *a, int n);

/* Replace the r columns of b by L^-1 b; trans 'T': by L'^-1 b. */
DARC_CHECKED bool darc_dense_divide(const double *l, char trans, double *b,
                                    int n, int r);

/* Replace the r columns of b by a^-1 b, and a as darc_dense_cholesky. */
DARC_CHECKED bool darc_dense_solve(double *a, double *b, int n, int r);

/* Set the upper triangle of a, of `rows` >= n rows, to R of a = Q R. */
DARC_CHECKED bool darc_dense_triangle(double *a, int rows, int n);
