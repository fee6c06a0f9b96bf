/* functions.h - what is evaluated for a relation: its residual (function 0)
 * and its inequations, as functions of the derivatives in `slots`. */
#ifndef DARC_PROGRAM_FUNCTIONS_H
#define DARC_PROGRAM_FUNCTIONS_H

#include "program/polys.h"
#include "relation/relation.h"

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
    bool has_polys;
    darc_closed closed;
    darc_polys polys;
    int *slope;    /* slope[f * slots + s]: column of the derivative of
                      function f by slot s, -1: it is 0; owned */
    int slopes;    /* such columns */
    double degree; /* total degree of the residual in the signals */
} darc_functions;

void darc_functions_init(darc_functions *f, const darc_relation *relation);
void darc_functions_clear(darc_functions *f);

/* Set value[i][t] to function i at sample t < n. */
void darc_functions_values(const darc_functions *f, double *const *in,
                           double *const *value, size_t n);

/* As darc_polys_bounds; work: slots + count columns of n.  Of the matrix form
 * the size is the sum of the absolute values of the products (for more than 12
 * columns the product of the row sums, which is larger), the bound that of
 * inputs, entries, and the backward error of the LU factors [Hig02, 9.3]. */
void darc_functions_bounds(const darc_functions *f, double *const *in,
                           const double *error, darc_bounds out, size_t n);

/* Set the columns that f->slope names. */
void darc_functions_slopes(const darc_functions *f, double *const *in,
                           double *const *slope, size_t n);

#endif
