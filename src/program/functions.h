/* functions.h - what is evaluated for a relation: its residual (function 0)
 * and its inequations, as functions of the derivatives in `slots`. */
#ifndef DARC_PROGRAM_FUNCTIONS_H
#define DARC_PROGRAM_FUNCTIONS_H

#include "program/closed.h"
#include "program/polys.h"
#include "relation/relation.h"

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

/* As darc_polys_bounds; work: slots + count columns of n. */
void darc_functions_bounds(const darc_functions *f, double *const *in,
                           const double *error, darc_bounds out, size_t n);

/* Set the columns that f->slope names. */
void darc_functions_slopes(const darc_functions *f, double *const *in,
                           double *const *slope, size_t n);

#endif
