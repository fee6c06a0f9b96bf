/* elim.h - elimination in differential ideals: Rosenfeld-Groebner.
 *
 * The radical differential ideal of a system, saturated by its inequations,
 * is written as an intersection of regular components; each is a chain of
 * polynomials, lowest rank first.  The ideal of a component consists of what
 * the chain reduces to zero (chain.h); a solution of the system on which its
 * inequations (initials, separants, assumptions) do not vanish belongs to it
 * exactly if the equations vanish.
 *
 * A system that is linear in its leaders under some simple ranking, as most
 * models are, generates a prime ideal: it has one component under every
 * ranking, found without splitting by means of random points on it.  Others
 * are split on the factors of new polynomials, on initials and separants.
 * Components that others provably contain are left out.
 */
#pragma once

#include "algebra/dpoly.h"
#include "base/budget.h"

typedef struct {
    darc_dpolys_t equations;   /* a regular chain, rank ascending; primitive,
                                  each partially reduced by the lower ones,
                                  and fully where that keeps it small */
    darc_dpolys_t inequations; /* factors of initials and separants, and
                                  those given; rank ascending */
    bool generic;  /* no initial or separant was assumed to vanish, and no
                      component has a greater dimension, but such as
                      leave more free than equations are missing */
    int free;      /* differential dimension: unknowns without an equation; not
                      counted are parameters and time */
    int constants; /* then: the orders of the leaders summed, plus the
                      parameters without an equation */
} darc_component;

typedef struct {
    darc_jet_t jet; /* the frame of every polynomial here */
    int count;
    darc_component *component; /* generic first; owned */
} darc_decomposition_struct;

typedef darc_decomposition_struct darc_decomposition_t[1];

/* The system {eq = 0, ineq != 0} in frame jet. */
typedef struct {
    const darc_dpolys_struct *eq, *ineq;
    const darc_jet_struct *jet;
} darc_system;

/* Set out to the decomposition of s under the ranking of its frame.  out->jet
 * has the same names and ranking and another frame, found by trial: it grows
 * until it suffices.  No component: the system has no solution.  generic_only:
 * branches on which an initial or separant vanishes are not followed, and of
 * the components found only the generic ones are kept. Fails: DARC_LIMIT when
 * the budget is spent, or a derivative of order over DARC_MAX_FRAME_ORDER (200)
 * is met; out is then empty and needs no clear. Sources [BLOP09]; Boulier,
 * Lemaire, Moreno Maza, PARDI!, ISSAC 2001, for prime ideals.  That an answer
 * is wrong because two random points modulo primes of 60 bits mislead has a
 * probability below degree / 2^118. */
DARC_STATUS darc_elim(darc_decomposition_t out, const darc_system *s,
                      bool generic_only, const darc_budget *budget,
                      darc_err *err);
void darc_decomposition_clear(darc_decomposition_t d);
