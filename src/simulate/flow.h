/* flow.h - a model as a flow: rates of its states, its outputs, and the
 * derivatives of both by states and parameters.
 *
 * The rates and outputs are those of the solved form, quotients N/D of
 * polynomials, whose derivatives are (N_v - (N/D) D_v)/D: exact, and evaluated
 * by one program.  States that stand for functions (model.h) are integrated
 * like others; where a trajectory begins they have the value of their function.
 */
#pragma once

#include "model/model.h"
#include "model/solved.h"
#include "simulate/evaluator.h"

/* Quotients and their derivatives. */
typedef struct {
    darc_evaluator plain;     /* N of each, D of each */
    darc_evaluator functions; /* the same, and their derivatives */
    int count;                /* of quotients */
    int partials;
    int *of, *by;    /* which N or D, and by which variable, a derivative is: a
                        state, then parameters in order of the names; owned */
    double *scratch; /* owned */
} darc_quotients;

typedef struct {
    const darc_model *model; /* as for simulations */
    const darc_names_struct *names;
    darc_layout layout;
    darc_signals signals; /* whose waves belong to a recording */
    darc_jet_t jet;
    int n;             /* states */
    darc_deriv *state; /* owned */
    int *function;     /* of each state: the function that it stands for, -1:
                          none; owned */
    int outputs;
    int *output;    /* unknowns; owned */
    int *shows;     /* the state that each is, -1: none; owned with them */
    int params;     /* that are free */
    int *param;     /* unknowns; owned */
    int constants;  /* parameters, those that stand for functions too */
    int *constant;  /* unknowns; owned */
    double *value;  /* by unknown, of parameters; owned */
    double *chain;  /* of constant c by free parameter k: c * params + k; owned
                     */
    bool linear;    /* rates are, with coefficients of parameters alone */
    bool functions; /* some states stand for one */
    darc_quotients rates, results;
    darc_evaluator terms; /* monomials of N of every rate, then D of each */
    int *term_of;         /* the rate that each belongs to; owned */
    int monomials;
} darc_flow;

/* Set w to the flow of model, which must stay.
 * Fails: DARC_DOMAIN where it has no solved form. */
DARC_STATUS darc_flow_init(darc_flow *w, const darc_model *model,
                           darc_err *err);
void darc_flow_clear(darc_flow *w);

/* Take values of the free parameters; return whether all functions of them have
 * one. */
bool darc_flow_set(darc_flow *w, const double *theta);

/* Let the inputs be these waves, by unknown, until the next call. */
void darc_flow_drive(darc_flow *w, darc_wave **wave);

/* Set f to the rates at (t, y), and unless a is NULL a (n x n) and b (n x
 * params), by columns, to their derivatives; return whether all are finite. */
bool darc_flow_rates(darc_flow *w, double t, const double *y, double *f,
                     double *a, double *b);

/* The same for the outputs. */
bool darc_flow_results(darc_flow *w, double t, const double *y, double *g,
                       double *c, double *d);

/* Let states that stand for functions have their values at (t, y), and s, n x m
 * by columns, whose last `params` columns are by the parameters (m 0: none),
 * the derivatives. Return whether there are values. */
bool darc_flow_complete(darc_flow *w, double t, double *y, double *s, int m);

/* Let `by`, of m columns of additions to the rates of states at (t, y), be what
 * they add to those of states that stand for functions, too.  Return whether
 * there are values. */
bool darc_flow_lift(darc_flow *w, double t, const double *y, double *by, int m);

/* Set size[i] to the absolute value of the largest term in the rate of state i.
 */
void darc_flow_sizes(darc_flow *w, double t, const double *y, double *size);
