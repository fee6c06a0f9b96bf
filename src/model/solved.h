/* solved.h - a model in solved form: the highest derivatives of the states
 * and the outputs as rational functions of lower states and inputs.
 *
 * State variables are the derivatives (x, k) below the highest order of each
 * state x: m*x'' = u gives the two state variables x and x'.  Equation i is
 * (state i)' = num[i] / den[i]; output j is num[states + j] /
 * den[states + j].  The highest derivatives may enter the equations in a
 * coupled way as long as they enter linearly.
 *
 * Outputs and undifferentiated states that occur on right-hand sides are
 * replaced by the equation that defines them, z' by the derivative of what
 * defines z; higher derivatives in outputs (a = xs'') by what the equations
 * give for them.  An output that the equations differentiate and no equation
 * defines is a state too, as y in m*y'' + k*y = u: state variables y, y', and
 * output y = y.  Every divisor on the way becomes an inequation.
 */
#pragma once

#include "algebra/fraction.h"
#include "model/model.h"

#include <stdbool.h>

#define DARC_STARTS_ANYWHERE (-2)
#define DARC_STARTS_KNOWN (-1)

typedef struct {
    darc_jet_t jet;    /* states up to their highest order - 1 (at least 0),
                          outputs order 0, inputs up to their order */
    int states;        /* number of state variables */
    int shown;         /* so many derivatives of outputs count; 0: any number */
    darc_deriv *state; /* state[i], i < states; owned */
    int outputs;
    int *output; /* unknown index of output j; owned */
    int asked; /* the first so many outputs are asked for, not measured; 0 until
                  it is set */
    const int *start; /* NULL, or of state variable i: output start[i] is its
                         initial value, by parameters; DARC_STARTS_ANYWHERE,
                         DARC_STARTS_KNOWN: whatever it is; not owned */
    darc_dpolys_t num, den;    /* states + outputs entries; den has no zero */
    darc_dpolys_t inequations; /* what must not vanish */
} darc_solved_struct;

typedef darc_solved_struct darc_solved_t[1];

/* Set s to the solved form of model.
 * Fails: DARC_DOMAIN when the model has none (implicit, a DAE, fewer or
 * more equations than unknowns; replacing outputs raises an order past what the
 * model's orders allow); the message says why.  Then s is cleared. */
DARC_STATUS darc_solved_init(darc_solved_t s, const darc_model *model,
                             darc_err *err);
void darc_solved_clear(darc_solved_t s);

/* The same, where there is one with outputs that are differentiated as states:
 * w in L*i' + R*i + k*w = u, J*w' = k*i, which starts at 0 then, not at u/k. */
DARC_STATUS darc_solved_init_dynamic(darc_solved_t s, const darc_model *model,
                                     darc_err *err);

/* ---- solving: the steps that bring a model into solved form
 * -------------------
 *
 * Auxiliary unknowns, outputs and states that are never differentiated, are
 * first replaced by an equation that defines them; then the equations left
 * are solved for the highest derivatives of the other unknowns; then the
 * highest derivatives in what was defined are replaced.
 */

typedef struct {
    const darc_names_struct *names;
    darc_jet_t jet;   /* wide: room for every derivative on the way */
    int *order;       /* order[u] in the model */
    darc_dpolys_t eq; /* the equations left */
    darc_dpolys_t ineq;
    bool *auxiliary; /* u is to be defined */
    bool *absent;    /* no equation holds u: a derived signal stands for it */
    bool *defined;   /* u = value[u] */
    int *top;        /* u is dynamic: (u, top[u]) = value[u]; -1: it is not */
    darc_fraction_struct *value;
    double work;  /* products of terms that what is coupled may take */
    bool dynamic; /* outputs that are differentiated are not defined by highest
                     derivatives: x in x' = w, m*w' + k*x = u */
} darc_solving;

/* Read the equations of model into w. */
DARC_STATUS darc_solving_init(darc_solving *w, const darc_model *model,
                              bool dynamic, darc_err *err);
void darc_solving_clear(darc_solving *w);

/* Replace (u, from), (u, from + 1), ... wherever they occur by value[u] and its
 * derivatives.
 * Fails: DARC_DOMAIN when an inequation or a denominator vanishes; DARC_LIMIT.
 */
DARC_STATUS darc_solving_eliminate(darc_solving *w, int u, int from,
                                   darc_err *err);

/* Define auxiliary unknowns while an equation does it. */
DARC_STATUS darc_solving_define(darc_solving *w, darc_err *err);

/* Solve the equations left for the highest derivatives. */
DARC_STATUS darc_solving_highest(darc_solving *w, darc_err *err);
