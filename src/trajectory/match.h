/* match.h - parameters and initial values by least squares on the outputs of
 * several recordings (output error), by multiple shooting.
 *
 * A recording is cut at nodes, whose states are unknowns of their own.  Where a
 * piece ends, it may miss the next node by `gap` times the size of the state:
 * the square of what it misses by counts like that of a sample.  With one piece
 * a recording this is single shooting.  Levenberg's and Marquardt's steps; the
 * states of each recording are eliminated first (QR), so that cost is linear in
 * recordings.
 */
#pragma once

#include "simulate/shoot.h"
#include "trajectory/record.h"

typedef struct {
    int nodes;
    size_t *node; /* rows where pieces begin; owned */
    double *x;    /* states there, nodes x n; behind the room for one node a
                     row, of each step the share of the time since the sample
                     before that it comes early; owned */
    int unknowns; /* of these, that are sought */
    int *unknown; /* where they stand in x, ascending; owned */
} darc_pieces;

typedef struct {
    darc_flow *flow; /* not owned; so the recordings */
    const darc_budget *budget;
    int runs;
    darc_record *run;
    darc_shooter shooter;
    int columns;
    double *theta; /* values that are sought; owned */
    bool *fixed;   /* of these, that stay; owned */
    int *place;    /* of parameter k in recording r: place[r * params + k];
                      owned */
    darc_pieces *pieces; /* of each recording; owned */
    double gap;
    double ends; /* the share of the sum of squares whose gain ends the steps */
    double *size;  /* of each state; owned */
    double hope;   /* steps from more than that must halve what it is more by */
    double square; /* sum of squares that was reached; HUGE_VAL: no solution */
    bool settled;  /* no step makes it less */
    bool plain;    /* what is left is as if noise were white */
    int at;        /* the piece that a trajectory is in */
    int moving;    /* columns that are by the times of steps */
} darc_match;

/* Set m to one set of parameters for all recordings (differ NULL), or one of
 * those marked for each; values and states are 0. */
void darc_match_init(darc_match *m, darc_flow *flow, darc_record *run, int runs,
                     const bool *differ, const darc_budget *budget);
/* The same, with parameters that differ where those of `as` do. */
void darc_match_like(darc_match *m, const darc_match *as);
/* Let parameter k have another value from recording `first` on, the last one of
 * theta; values are to be set. */
void darc_match_part(darc_match *m, int k, int first);
void darc_match_clear(darc_match *m);
void darc_match_swap(darc_match *a, darc_match *b);

/* Take values, and states at the starts, of another with the same parameters,
 * or with fewer that differ. */
void darc_match_set(darc_match *m, const darc_match *from);

/* Let unknown `at` of recording r have that value, a step one of 0 to 1. */
void darc_match_place(const darc_match *m, int r, int at, double value);

/* Take states, and times of steps, of the same recording in another match;
 * pieces that are apart are those of `from`, too. */
void darc_match_state(darc_match *m, int r, const darc_pieces *from);

/* Cut every recording at each `every`-th row, 0: nowhere, or where its pieces
 * are apart, there; states at new nodes
 * are those of the trajectory, and outputs that are states as measured where
 * `measured`.  Return whether there is a trajectory. */
bool darc_match_cut(darc_match *m, size_t every, bool measured);

/* Join so many pieces that are apart to one, as many as there are. */
void darc_match_join(darc_match *m, int by);

/* Take up to so many steps; signs: parameters keep their signs.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_match_run(darc_match *m, int steps, bool signs, darc_err *err);

/* Return the rows of recording r, in one piece. */
size_t darc_match_rows(const darc_match *m, int r);
size_t darc_match_all_rows(const darc_match *m, int r); /* in its pieces */

/* Set left to what the outputs of recording r miss the samples by, weighed (0
 * where there is none), and unless it is NULL slopes, by columns, to the
 * derivatives by its unknowns, then its parameters.  Return whether there is a
 * trajectory. */
bool darc_match_left(darc_match *m, int r, double *left, double *slopes);

/* Begin the trajectory of recording r, whose pieces may be apart: set z to its
 * first state, then from row i to the next, if there is one; plan NULL: without
 * slopes.  Return whether it has one. */
bool darc_match_begin(darc_match *m, int r, const darc_columns_plan *plan,
                      double *z);
bool darc_match_go_on(darc_match *m, int r, size_t i,
                      const darc_columns_plan *plan, double *z);

/* Set slopes to the derivatives of the same, in one piece, by the amounts of
 * the plan's forced columns, which has no others. */
bool darc_match_forced(darc_match *m, int r, const darc_columns_plan *plan,
                       double *slopes);
