/* shoot.h - trajectories from one sample to the next, with their sensitivities.
 *
 * z = (y, s): y' = f, each column of s' = A s + b, where b is the derivative of
 * f by a parameter, or what a column is driven by besides.  Linear flows go by
 * their exponential (transition.h), others, and forced columns, by the formulas
 * of Dormand and Prince, 5(4); where these need too many steps by BDF (CVODE).
 */
#pragma once

#include "base/budget.h"
#include "simulate/flow.h"
#include "simulate/integrator.h"
#include "simulate/transition.h"

typedef struct {
    darc_flow *flow;
    const darc_budget *budget;
    darc_columns_plan plan;
    darc_transition exact;  /* of a linear flow */
    bool linear, exactly;   /* the flow is, the trajectory is by that */
    bool brisk;             /* no solution where equations are stiff */
    bool inputs;            /* there are some */
    double step;            /* that the last interval ended with, 0: none */
    darc_integrator *stiff; /* of the trajectory, once it was; owned */
    double reached;         /* where that stands */
    double *scale;     /* largest absolute value of each state so far; owned */
    double *work;      /* owned */
    double *may;       /* the error that each of z may have; in work */
    double *a, *b, *f; /* derivatives; in work */
    double *amount;
    size_t alloc;
} darc_shooter;

void darc_shooter_init(darc_shooter *g, darc_flow *flow,
                       const darc_budget *budget);
void darc_shooter_clear(darc_shooter *g);

/* Begin a trajectory with these columns (NULL: none). */
void darc_shooter_begin(darc_shooter *g, const darc_columns_plan *plan);

/* Return how many columns there are. */
int darc_shooter_columns(const darc_shooter *g);

/* Let z take up the doses at time t, where a trajectory begins; return whether
 * there are rates, in proportion to doses. */
bool darc_shoot_dose(darc_shooter *g, double t, double *z);

/* Bring z from t0 to t1 > t0, with the doses behind t0 and up to t1; return
 * whether the solution reaches it. */
bool darc_shoot(darc_shooter *g, double t0, double t1, double *z);
