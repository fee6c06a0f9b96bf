/* evaluator.h - polynomials at one moment of a simulation: parameters have
 * values, inputs are signals, states stand in a vector. */
#pragma once

#include "relation/program.h"
#include "simulate/wave.h"

#include <stdbool.h>

/* The inputs as functions of time; one moment is kept. */
typedef struct {
    int unknowns;
    darc_wave **wave; /* wave[u] of input u, NULL for the rest; owned */
    int *order;       /* highest derivative of u that is needed */
    double **value;   /* value[u][k], k <= order[u], at time `at`; owned */
    double until;     /* the system has no jump before this time, s; later
                         times give the values just before it */
    double at;
    bool known; /* value is set */
} darc_signals;

/* Set s to `unknowns` unknowns without a signal. */
void darc_signals_init(darc_signals *s, int unknowns);
void darc_signals_clear(darc_signals *s);

/* Require the derivatives of u up to `order`. */
void darc_signals_require(darc_signals *s, int u, int order);

/* Set the values to those at time t. */
void darc_signals_set(darc_signals *s, double t);

/* Return the first time after t where a signal jumps. */
double darc_signals_next_jump(const darc_signals *s, double t);

/* Return the first time after t where a dose is given. */
double darc_signals_next_dose(const darc_signals *s, double t);

/* Set the values to those at time t, of doses `times` their amounts; return
 * whether there is one. */
bool darc_signals_dose(darc_signals *s, double t, double times);

/* Where the unknowns stand in the vectors y and y' of the integrator: (u, k)
 * is y[first[u] + k] for k < count[u], and (u, count[u]) is
 * y'[first[u] + count[u] - 1]. */
typedef struct {
    int n;
    int *first, *count; /* owned; count 0: not in the vector */
} darc_layout;

/* Where the unknowns are found; all must outlive what is given it. */
typedef struct {
    const double *value; /* value[u] of parameter u */
    const darc_layout *layout;
    darc_signals *signals; /* the inputs */
} darc_places;

/* One moment; what functions of parameters alone do not need is NULL. */
typedef struct {
    const darc_names_struct *names;
    const double *value; /* value[u] of parameter u */
    const darc_layout *layout;
    const darc_signals *signals; /* the inputs at time t */
    const double *y;
    double t; /* s */
} darc_moment;

/* Return what d is at a darc_moment, NAN where it is not known: for
 * darc_expr_eval. */
double darc_moment_value(void *moment, darc_deriv d);

/* Where an input comes from: y, y' (an index, or -1), the time. */
typedef struct {
    int y, dy;
    bool time;
} darc_evaluator_source;

typedef struct {
    darc_program *program;
    int inputs, outputs;
    const double **in; /* where each input is read; owned */
    double *fixed;     /* values of inputs that do not live elsewhere; owned */
    darc_evaluator_source *from; /* of each input; owned */
    double **out_at;             /* owned */
    double *out;                 /* the results */
} darc_evaluator;

/* Set e to evaluate p, and with `magnitude` the sums of the absolute values
 * of their terms behind; it requires of the signals what it needs. */
void darc_evaluator_init(darc_evaluator *e, const darc_dpolys_t p,
                         bool magnitude, const darc_jet_t jet,
                         const darc_places *at);
void darc_evaluator_clear(darc_evaluator *e);

/* Point inputs of e at the values of signals, whose orders are final. */
void darc_evaluator_bind(darc_evaluator *e, const darc_jet_t jet,
                         const darc_signals *signals);

/* Set e->out at time t, where signals stand; dy is NULL where no equation
 * contains it. */
void darc_evaluator_run(darc_evaluator *e, double t, const double *y,
                        const double *dy);
