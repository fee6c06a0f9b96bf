/* trajectory.h - a model held against recordings by its trajectories: output
 * error, for recordings too short, or with gaps too long, for moments; long
 * ones as long.h says.
 */
#pragma once

#include "darc/report.h"
#include "trajectory/seek.h"
#include "trajectory/thresholds.h"

/* What is asked; arrays by unknown of the model. */
typedef struct {
    const darc_model *model;
    int recordings;
    const darc_table *const *table;
    const bool *held;    /* inputs that are constant from sample to sample */
    const double *noise; /* known standard deviations of outputs, else NAN */
    int starts;          /* initial values that are known, "x=1" */
    const char *const *start_name;
    const double *start;
    const double *near; /* values of parameters to begin at, NAN: none; NULL */
    double alpha, tolerance;
    unsigned long seed;
    const darc_budget *budget;
} darc_trajectory_question;

typedef struct {
    const darc_trajectory_question *question;
    darc_model *model; /* as for simulations; owned */
    darc_flow flow;
    int runs;
    darc_record *run; /* owned */
    darc_sought sought;
    darc_match match; /* one set of parameters for all */
    double dof;       /* samples less the rank; HUGE_VAL: noise is known */
    double scale;     /* variance of what is left, in units of its level */
    darc_record_reading reading; /* of inputs, of long recordings */
    int stepped; /* an input of short ones that is a staircase, and may step
                    between samples; -1: none */
    bool timed;  /* the times of its steps are sought */
} darc_trajectory;

/* Set x to the best match; release it with darc_trajectory_clear.
 * Fails: DARC_DOMAIN where the model has no solved form, a derived signal needs
 * what trajectories do not have, nothing is left to estimate noise from, or no
 * match was found; as darc_record_init; DARC_LIMIT. */
DARC_STATUS
darc_trajectory_init(darc_trajectory *x,
                     const darc_trajectory_question *question, darc_err *err);
void darc_trajectory_clear(darc_trajectory *x);

/* Set how well the level is known, by the match as it is.
 * Fails: DARC_DOMAIN where nothing is left to estimate it from. */
DARC_STATUS darc_trajectory_settle(darc_trajectory *x, darc_err *err);

/* Return whether outputs move by more than their noise: the match is better
 * than a mean of each by more than by chance. */
bool darc_trajectory_moves(const darc_trajectory *x);

/* Return -2 log likelihood of the noise. */
double darc_trajectory_surprise(const darc_trajectory *x);

/* Match again, from new draws too, with noise that grows with its signal by so
 * much; set *surprise to that then: where it is hopeless beside `least` no
 * draws are made. Fails: DARC_LIMIT. */
DARC_STATUS darc_trajectory_regrow(double *surprise, darc_trajectory *x,
                                   double grows, double least, darc_err *err);

/* Match again with a level of noise for each recording, from what it leaves.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_trajectory_reweigh(darc_trajectory *x, darc_err *err);

/* Return whether steps of inputs may come between samples at times that nobody
 * seeks: what trajectories miss may be theirs. */
bool darc_trajectory_unsure(const darc_trajectory *x);

/* Return the unknown of the model that was asked about which parameter k of the
 * flow is, -1: none. */
int darc_trajectory_unknown(const darc_trajectory *x, int k);

/* Return what a sum of squares must exceed the least one by for `dof` more
 * unknowns to be missed at level alpha: F, or chi-square. */
double darc_trajectory_quantile(const darc_trajectory *x, double alpha,
                                int dof);
