/* route.h - the steps of a projection: which state to eliminate by which
 * output.
 *
 * The way decides between milliseconds and never.  With the parameters put
 * in as numbers a way costs little, so several are tried like that, and the
 * one with the least work is taken.
 */
#pragma once

#include "algebra/partial.h"
#include "projection/projection.h"

/* ---- what an elimination by projection has reached
 *
 * A triangular set: every output has a relation with leader y_j^(c_j), every
 * alive state one with leader x', every eliminated state the one by which it
 * went.  Their coefficients are known modulo one prime; where they are small
 * they follow over Q, and are shown when the polynomial vanishes at a random
 * point modulo another prime, too. */

typedef struct {
    const darc_problem_struct *p;
    long furthest;       /* what was shown of a projection, -1: nothing yet */
    darc_partial_t done; /* io-equations and their monomials */
    darc_point_t pt;
} darc_reached_struct;

typedef darc_reached_struct darc_reached_t[1];

/* Set r, which keeps p, to nothing. */
void darc_reached_init(darc_reached_t r, const darc_problem_t p);
void darc_reached_clear(darc_reached_t r);

/* Hand over where proj stands, unless another one came further. */
void darc_reached_projection(darc_reached_t r, const darc_projection_t proj);

/* Keep the monomials of the outputs that are free of states, those of the
 * parameters left out; to be handed over with what follows. */
void darc_reached_monomials(darc_reached_t r, const darc_projection_t proj);

/* Keep the equation q = 0 of output j, in frame jet, as done. */
void darc_reached_equation(darc_reached_t r, int j, const darc_dpoly_t q,
                           const darc_jet_t jet);

/* ---- routes -------------------------------------------------- */

/* A choice: eliminate a state by the relation of an output. */
typedef struct {
    int output, state; /* output -1: nothing left to do */
} darc_choice;

typedef struct {
    int count;           /* steps */
    darc_choice *choice; /* owned */
    double work;         /* products of terms it took with numbers */
} darc_route;

/* Set plan to the cheapest way found for problem p; pt is a point of its model.
 * The plan is found again with the same arguments.  reached is told of the
 * ways that are tried, unless NULL.
 * Fails: as darc_resultant does, when no way is known to end. */
DARC_STATUS darc_route_init(darc_route *plan, const darc_problem_t p,
                            const darc_point_t pt, darc_reached_struct *reached,
                            darc_err *err);
void darc_route_clear(darc_route *plan);

/* Run proj to its end as planned; reached is told of every step, unless NULL.
 */
DARC_STATUS darc_route_run(const darc_route *plan, darc_projection_t proj,
                           darc_reached_struct *reached, darc_err *err);

/* Run proj to its end the obvious way: the step that looks cheapest is next.
 * Fails: DARC_LIMIT past `limit` products of terms, too. */
DARC_STATUS darc_route_obvious(darc_projection_t proj, double limit,
                               darc_reached_struct *reached, darc_err *err);
