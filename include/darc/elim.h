/* elim.h - elimination in differential ideals: Rosenfeld-Groebner.
 *
 * The radical differential ideal of a system, saturated by its inequations,
 * is written as an intersection of regular components; each is a chain of
 * polynomials, lowest rank first.  The ideal of a component consists of what
 * the chain reduces to zero (chain.h); a solution of the system on which its
 * inequations (initials, separants, assumptions) do not vanish belongs to it
 * exactly if the equations vanish.
 *
 * Splitting: on the factors of every new polynomial, on initials and on
 * separants.  Components that others provably contain are left out.
 */
#ifndef DARC_ELIM_H
#define DARC_ELIM_H

#include "darc/budget.h"
#include "darc/dpoly.h"

typedef struct {
    darc_dpolys_t equations; /* a regular chain, rank ascending; primitive,
                                each partially reduced by the lower ones,
                                and fully where that keeps it small */
    darc_dpolys_t
        inequations; /* factors of the initials and separants, and
                        those of the system; no numbers; rank ascending */
    bool generic;    /* no initial or separant was assumed to vanish, and no
                        component has a greater dimension */
    int free;        /* differential dimension: unknowns without an equation,
                        constants and time not counted */
    int constants;   /* then: sum of the orders of the leaders, plus the
                        parameters without an equation */
} darc_component;

typedef struct {
    darc_jet_t jet; /* the frame of every polynomial here */
    int count;
    size_t alloc;
    darc_component *component; /* generic first; owned */
} darc_decomposition_struct;

typedef darc_decomposition_struct darc_decomposition_t[1];

/* Set out to the decomposition of {eq = 0, ineq != 0}, given in frame jet,
 * under jet's ranking.  out->jet has the same names and ranking and another
 * frame, found by trial: it grows until it suffices.  No component: the
 * system has no solution.  generic_only: branches on which an initial or
 * separant vanishes are not followed, and of the components found only the
 * generic ones are kept.
 * Fails: DARC_LIMIT when the budget is spent, or a derivative of order over
 * DARC_MAX_FRAME_ORDER (200) is met; out is then empty and needs no clear.
 * Source [BLOP09]; the components are made regular as there by gcds modulo a
 * chain, decided in random fibres modulo a prime where that proves it. */
DARC_CHECKED darc_status darc_elim(darc_decomposition_t out,
                                   const darc_dpolys_t eq,
                                   const darc_dpolys_t ineq,
                                   const darc_jet_t jet, bool generic_only,
                                   const darc_budget *budget, darc_err *err);
void darc_decomposition_clear(darc_decomposition_t d);

#endif
