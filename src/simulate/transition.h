/* transition.h - linear flows from one time to the next, by their exponential.
 *
 * Where rates are linear in states and inputs, with coefficients of parameters
 * alone, and inputs are polynomials of time for a while, states, inputs, their
 * derivatives and 1 follow w' = M w: w(t + h) = exp(M h) w.  Its derivatives by
 * parameters are those of the exponential, by scaling and squaring of Taylor's
 * series [AH09].
 */
#pragma once

#include "simulate/flow.h"

/* Columns of slopes s beside states y, s' = A s + b: so many without a drive of
 * their own (initial values), one a parameter, b the derivative of the rates by
 * it, and so many that are forced: column k adds `amount` of k to the rate of
 * state[k]. */
typedef struct {
    int free, forced;
    bool parameters;
    const int *state;
    void (*amount)(double *amount, double t, const double *y, void *user);
    void *user;
} darc_columns_plan;

/* Exponentials that are kept, one an interval of time. */
enum { DARC_TRANSITIONS = 8 };

typedef struct {
    darc_flow *flow;
    const darc_columns_plan *plan;
    bool slopes; /* by parameters, too */
    int inputs;
    int *input;    /* unknowns; owned */
    int *degree;   /* of each as a polynomial; owned with them */
    int forces;    /* states that columns force */
    int *force;    /* owned with them */
    int length;    /* of w: states, inputs with their derivatives, what forces
                      likewise, 1 */
    double *value; /* by unknown, of parameters that M is of; owned */
    double *m;     /* M, by columns, then its derivatives; owned */
    int kept, last;
    double h[DARC_TRANSITIONS];
    double *of[DARC_TRANSITIONS]; /* like m; owned */
    double *amount; /* what forces each column, and its derivatives; owned */
    double *work;   /* owned */
} darc_transition;

/* Set t to that of a flow; return whether it is linear.  Release it with
 * darc_transition_clear in any case. */
bool darc_transition_init(darc_transition *t, darc_flow *flow);
void darc_transition_clear(darc_transition *t);

/* Take the values of parameters and the inputs as they are now, and the columns
 * of a plan, which stays; return whether inputs are polynomials and there are
 * rates. */
bool darc_transition_begin(darc_transition *t, const darc_columns_plan *plan);

/* Bring z, states and columns, from time t0 to t1, between which no input
 * jumps; return whether it is finite.  What forces a column is a cubic
 * polynomial of time from sample to sample.  Cost O(columns n^2 + params n
 * length), O(params length^3) more for an interval that is new. */
bool darc_transition_go(darc_transition *t, double t0, double t1, double *z);
