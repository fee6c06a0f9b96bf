/* point.h - a generic point of a model modulo a prime: a power-series
 * solution with random parameters, initial states and inputs.
 *
 * A differential polynomial that vanishes at the point vanishes on the
 * model, but for a probability of at most its degree over the prime: it
 * decides which factor of a resultant to keep and verifies io-equations.
 */
#pragma once

#include "algebra/finite.h"
#include "model/solved.h"

#include <stdbool.h>

typedef struct {
    nmod_t mod;
    slong length;     /* series are known modulo t^length */
    int unknowns;     /* of the model */
    ulong **series;   /* series[u] of unknown u: length coefficients; of a
                         parameter the value alone; owned */
    slong vars;       /* of the frame of the solved form */
    ulong **variable; /* variable[v]: series of its variable v; owned */
} darc_point_struct;

typedef darc_point_struct darc_point_t[1];

/* Set pt to a random point of s modulo p, its series to t^(length - 1); states
 * that have a value start there. */
void darc_point_init(darc_point_t pt, const darc_solved_t s, slong length,
                     ulong p, flint_rand_t rand);

/* The same with the value param[u] for each parameter u; return whether there
 * is such a point (a denominator may vanish at these parameters). */
bool darc_point_init_at(darc_point_t pt, const darc_solved_t s, slong length,
                        ulong p, const ulong *param, flint_rand_t rand);
void darc_point_clear(darc_point_t pt);

/* Return the value of a derivative; d.order < pt->length. */
ulong darc_point_value(const darc_point_t pt, darc_deriv d);

/* Return the value of f, all of whose derivatives have orders below
 * pt->length. */
ulong darc_point_eval(const darc_point_t pt, const darc_dpoly_t f,
                      const darc_jet_t jet);

/* ---- the variational equations of a model in solved form, along the power
 * series of a point
 *
 * A column stands for the initial value of a state, or for a parameter; phi,
 * the derivatives of the states by the columns, obeys phi' = J phi + B, with
 * the derivatives J of the right-hand sides by the states and B by the
 * parameters, and phi(0) = (1, 0). */

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
    ulong *scratch;        /* two series; owned */
    slong count;
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
