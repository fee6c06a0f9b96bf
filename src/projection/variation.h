/* variation.h - the variational equations of a model in solved form, along
 * the power-series solution at a point.
 *
 * A column stands for the initial value of a state, or for a parameter; phi,
 * the derivatives of the states by the columns, obeys phi' = J phi + B, with
 * the derivatives J of the right-hand sides by the states and B by the
 * parameters, and phi(0) = (1, 0).
 */
#ifndef DARC_PROJECTION_VARIATION_H
#define DARC_PROJECTION_VARIATION_H

#include "modular/flat.h"
#include "projection/point.h"

/* The series of one derivative of a right-hand side. */
typedef struct {
    slong row;    /* equation: a state or, behind those, an output */
    slong column; /* states first */
    ulong *series;
} darc_slope;

typedef struct {
    const darc_solved_struct *s;
    const darc_point_struct *pt;
    slong columns;         /* states, then parameters */
    const slong *variable; /* of the frame, of column c */
    darc_powers powers;
    ulong *scratch; /* two series; owned */
    slong count;
    size_t alloc;
    darc_slope *slope; /* those that are not 0; owned */
    ulong *phi;        /* phi[(k * states + i) * columns + c]: coefficient k of
                          the derivative of state i by column c; owned */
} darc_variation;

/* Set v to the variation at pt by the variables given, those of the states
 * first; v keeps them and pt. */
void darc_variation_init(darc_variation *v, const darc_solved_t s,
                         const darc_point_t pt, const slong *variable,
                         slong columns);
void darc_variation_clear(darc_variation *v);

/* Add to row (columns places) the derivatives of coefficient k of output j. */
void darc_variation_output(ulong *row, const darc_variation *v, slong j,
                           slong k);

#endif
