/* flow.h - a model in solved form modulo a prime, its states eliminated one
 * by one.
 *
 * Invariant: with r the alive states, c_j = order[j] and Y all y_i^(k) with
 * k < c_i, every alive state has a relation between r', the alive states, Y
 * and the inputs, and every output one between y_j^(c_j) and the same; Y and
 * the alive states are algebraically independent.  A step takes an output j
 * whose relation Q_j contains a state x, differentiates Q_j, and eliminates x
 * by Q_j from everything: c_j grows by one, and x is gone.
 */
#ifndef DARC_PROJECT_FLOW_H
#define DARC_PROJECT_FLOW_H

#include "modular/ring.h"
#include "project/point.h"

struct darc_reached; /* reached.h */

/* A change of the coordinate of a state: z = a*w + b took the name of w. */
typedef struct {
    int state;
    nmod_mpoly_t a, b;
} darc_coordinate;

typedef struct {
    const darc_solved_struct *s;
    bool numeric; /* whether parameters are put in */
    darc_ring_t ring;
    darc_deriv *deriv; /* meaning of ring variable v; owned */
    slong *next;       /* next[v]: variable of v', -1: v' = 0, -2: v' = 1,
                          -3: outside the ring; owned */
    slong *x, *dx;     /* variables of state i and its derivative; owned */
    slong spare;       /* two variables for changes of coordinates */
    bool *alive;       /* states not yet eliminated; owned */
    darc_mpoly *E;     /* relation of state i; owned */
    int *order;        /* c_j; owned */
    const int *target; /* the orders to reach */
    slong **y;         /* y[j][k]: variable of y_j^(k), k <= target[j] */
    darc_mpoly *Q;     /* relation of output j; owned */
    long steps, total;

    struct darc_reached *reached; /* told of every step; NULL; not owned */
    darc_mpoly *pivot;            /* pivot[i]: by what state i went, 0 while it
                                     is alive or reached is NULL; owned */
    int changes;
    size_t change_alloc;
    darc_coordinate *change; /* of coordinates, in that order; owned */
} darc_flow_struct;

typedef darc_flow_struct darc_flow_t[1];

/* A choice: eliminate a state by the relation of an output. */
typedef struct {
    int output, state; /* output -1: nothing left to do */
} darc_choice;

/* Set flow to s at the point pt, whose parameters are put in if numeric. */
DARC_CHECKED darc_status darc_flow_init(darc_flow_t flow, const darc_solved_t s,
                                        const int *target,
                                        const darc_point_t pt, bool numeric,
                                        const darc_budget *budget,
                                        darc_err *err);
void darc_flow_clear(darc_flow_t flow);

/* Do one step. */
DARC_CHECKED darc_status darc_flow_step(darc_flow_t flow, darc_choice choice,
                                        darc_err *err);

/* Set d to the derivative of f along the flow, the derivatives of alive
 * states being variables. */
void darc_flow_derive(darc_mpoly *d, const darc_mpoly *f,
                      const darc_flow_t flow);

/* Set d to the same in terms of the alive states; d is not f. */
DARC_CHECKED darc_status darc_flow_lie(darc_mpoly *d, const darc_mpoly *f,
                                       darc_flow_t flow, darc_err *err);

#endif
