/* sandwich.h - covariances from information and scores. */
#pragma once

#include <stdbool.h>

/* Directions of a covariance below this share of the largest, after scaling to
 * a unit diagonal, carry no information of their own. */
#define DARC_RANK 1e-9

/* Solve the system of the rows and columns listed in `index` (n of them) of
 * the symmetric m x m matrix a for right-hand sides b (n x r, by columns), in
 * place, scaled to a unit diagonal; false when a is not positive definite. */
bool darc_solve_part(const double *a, int m, const int *index, int n, double *b,
                     int r);

/* Project column j of the m x m information `of` off those marked: a holds the
 * weights, *left what of it is left.  Return false where it is singular. */
bool darc_project_off(const double *of, int m, const bool *off, int j,
                      double *a, double *left);

/* Set out to info^-1 s info^-1 on the rows and columns listed, 0 elsewhere, all
 * m x m; infinite variances where info is singular. */
void darc_sandwich(double *out, const double *info, const double *s, int m,
                   const int *index, int n);

/* Make the rows and columns listed of a the least matrix of its eigenvectors
 * with b that is at least a and b. */
void darc_cover(double *a, const double *b, int m, const int *index, int n);

/* Set p so that p' p = S^-1 on the range of S (n x n), scaled to a unit
 * diagonal; p has n columns.  Return the rank, which is the number of rows; -1
 * where S is not finite. */
int darc_whiten(double *p, const double *s, int n);

/* Divide the coefficients c_i, i = first .. end - 1 of n, by c_r, one of them,
 * which is not 0; cov (n x n) follows: b_i = c_i / c_r has
 * db_i = (dc_i - b_i dc_r) / c_r. */
void darc_change_chart(double *c, double *cov, int n, int first, int end,
                       int r);
