/* elim.h - elimination in differential ideals: Rosenfeld-Groebner.
 *
 * The radical differential ideal of a system, saturated by its inequations,
 * is written as an intersection of regular components; each is a chain of
 * polynomials, lowest rank first, with the inequations (initials, separants,
 * assumptions) under which it holds.
 */
#ifndef DARC_ELIM_H
#define DARC_ELIM_H

#include "darc/budget.h"
#include "darc/dpoly.h"

typedef struct {
    darc_dpolys_t equations;   /* a regular chain, rank ascending */
    darc_dpolys_t inequations; /* irreducible, not constant numbers */
    bool generic;              /* no initial, separant or factor was assumed
                                  to vanish on the way */
} darc_component;

typedef struct {
    darc_jet_t jet; /* the frame of every polynomial here */
    int count;
    size_t alloc;
    darc_component *component; /* generic first; owned */
} darc_decomposition_struct;

typedef darc_decomposition_struct darc_decomposition_t[1];

/* Set out to the decomposition of {eq = 0, ineq != 0}, given in frame jet,
 * under jet's ranking.  out->jet has the same names and ranking and may be
 * larger.  No component: the system has no solution.  generic_only: the
 * branches on which an initial or separant vanishes are not followed.
 * Fails: DARC_LIMIT when the budget is spent. */
DARC_CHECKED darc_status darc_elim(darc_decomposition_t out,
                                   const darc_dpolys_t eq,
                                   const darc_dpolys_t ineq,
                                   const darc_jet_t jet, bool generic_only,
                                   const darc_budget *budget, darc_err *err);
void darc_decomposition_clear(darc_decomposition_t d);

#endif
