/* functions.h - what is evaluated for a relation: its residual (function 0)
 * and its inequations, as functions of the derivatives in `slots`. */
#pragma once

#include "relation/program.h"
#include "relation/relation.h"

/* u / (1 - k u) * k with u = 2^-53: k roundings in a row [Hig02]. */
double darc_gamma(double k);

/* Several polynomials with their gradients and rounding bounds; the variables
 * of the programs are slots. */
typedef struct {
    int count, slots;
    darc_program *value; /* the polynomials; owned, so below */
    darc_program *size;  /* sums of the absolute values of their terms */
    darc_program *slope; /* derivatives that are not 0 */
    int *slope_of; /* slope_of[i * slots + s]: output of `slope` that is the
                      derivative of polynomial i by slot s; -1: 0 */
} darc_polys;

/* The matrix form of a relation, sample by sample: c_j is (-1)^j times the
 * minor without column j.  With `last` the residual sum_j last_j c_j is the
 * determinant with `last` on top of the matrix; with h it is h(c), whose
 * differential sum_j h_j(c) dc_j is that of the determinant with the row of
 * partial derivatives h_j on top, held fixed. */
typedef struct {
    int n;             /* columns */
    int entries;       /* n * n, or n * (n - 1) when closed by h */
    darc_polys entry;  /* rows of the matrix, then `last` */
    darc_program *h;   /* h and |h|; NULL when closed by `last`; owned */
    darc_program *h_c; /* partial derivatives of h; owned */
    bool *reads;       /* whether entries contain slot s; owned */
} darc_closed;

typedef struct {
    int count;         /* 1 + inequations */
    int slots;         /* derivatives that occur */
    darc_deriv *deriv; /* of each slot, highest first; owned */
    bool has_closed;   /* function 0 is the matrix form */
    darc_closed closed;
    darc_polys polys; /* all others */
    int *slope;       /* slope[f * slots + s]: column of the derivative of
                         function f by slot s, -1: it is 0; owned */
    int slopes;       /* such columns */
    double degree;    /* total degree of the residual in the signals */
} darc_functions;

void darc_functions_init(darc_functions *f, const darc_relation *relation);
void darc_functions_clear(darc_functions *f);

/* Set value[i][t] to function i at sample t < n. */
void darc_functions_values(const darc_functions *f, double *const *in,
                           double *const *value, size_t n);

/* Where sizes and bounds go. */
typedef struct {
    double *const *size;  /* size[i][t]: sum of the absolute values of the terms
                             of function i */
    double *const *bound; /* bound[i][t]: of its rounding error */
    double *const *work;  /* slots + count columns */
} darc_bounds;

/* Set out for n samples, in[s] with an error of at most error[s].  Of the
 * matrix form the size is the sum of the absolute values of the products (for
 * more than 12 columns the product of the row sums, which is larger), the bound
 * that of inputs, entries, and the backward error of the LU factors
 * [Hig02, 9.3]. */
void darc_functions_bounds(const darc_functions *f, double *const *in,
                           const double *error, darc_bounds out, size_t n);

/* Set the columns that f->slope names. */
void darc_functions_slopes(const darc_functions *f, double *const *in,
                           double *const *slope, size_t n);

/* ---- determinants of small dense matrices, rank n - 1 included */

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
