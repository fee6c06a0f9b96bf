/* bordered.h - determinants of small dense matrices, rank n - 1 included. */
#pragma once

/* Permanents up to this size are exact; beyond, a bound. */
#define DARC_PERMANENT_MAX 12

/* Workspace for n x n matrices. */
typedef struct {
    int n;
    double *lu;        /* n * n; owned, with those below */
    double *growth;    /* n * n: |L||U| at the place of the matrix */
    double *inverse;   /* n: a column */
    double *column;    /* n */
    double *permanent; /* 2^n, n <= DARC_PERMANENT_MAX */
    int *row, *col;    /* lu[i][j] is of matrix[row[i]][col[j]]; owned */
    int sign;
} darc_bordered;

void darc_bordered_init(darc_bordered *b, int n);

/* Factor the matrix m (n * n by rows), complete pivoting, and return its
 * determinant.  Cost O(n^3). */
double darc_bordered_factor(darc_bordered *b, const double *m);

/* Set adj, n * n, to the adjugate of the matrix factored: adj[j * n + i] is
 * the cofactor of m[i * n + j]; accurate for singular matrices too. */
void darc_bordered_adjugate(darc_bordered *b, double *adj);

/* Set b->growth[i * n + j] to the backward error of entry (i, j) over u: the
 * determinant is that of a matrix within growth * gamma_n / u. */
void darc_bordered_growth(darc_bordered *b);

/* Return the permanent of the rows first .. n - 1 of |m| without column
 * `skip` (first 1), or of all of it (first 0, skip -1); from
 * DARC_PERMANENT_MAX on the product of the row sums, which is larger.
 * Cost O(n 2^n). */
double darc_bordered_permanent(darc_bordered *b, const double *m, int first,
                               int skip);
