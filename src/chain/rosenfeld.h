/* rosenfeld.h - Rosenfeld-Groebner for ordinary systems, step by step.
 *
 *     open branches := { (A = {}, D = {}, P = equations, S = inequations) }
 *     while there is an open branch (A, D, P, S)
 *         if P is not empty
 *             r := remainder of the lowest f in P by A
 *             r = 0: f says nothing new
 *             r has no factor that may vanish: the branch is empty
 *             otherwise: for each factor after the first a branch of its own;
 *             split on initial and separant of the first and put it into A
 *         else if D is not empty
 *             move the delta-polynomial of the lowest pair in D to P
 *         else
 *             split until S is regular modulo A: a regular component
 *
 * The caller owns the loop: init, step until done, clear.
 */
#pragma once

#include "algebra/solution.h"
#include "base/budget.h"
#include "chain/branch.h"
#include "chain/elim.h"

typedef struct {
    const darc_jet_struct *jet;
    const darc_budget *budget;
    bool generic_only; /* do not follow vanishing initials and separants */
    ulong *value;      /* of the jet's variables, at a point of the component to
                          be followed, modulo mod.n; NULL: follow all; owned */
    nmod_t mod;
    darc_tree_t open;
    darc_tree_t regular; /* the components found, in that order */
    bool stuck;          /* a step failed for good: a larger frame is no help */
    long steps;
    slong terms;  /* of the longest remainder so far */
    long changes; /* of A, and components found */
} darc_rosenfeld_struct;

typedef darc_rosenfeld_struct darc_rosenfeld_t[1];

/* The frame of s and budget are kept by rg and must outlive it.  With a point,
 * a single component is followed, prime, of which that is a random solution
 * with all derivatives of the frame: a factor that does not vanish there does
 * not vanish on the component (certain), one that does, does (up to degree /
 * 2^60). Nothing is split.  NULL: all components are followed. */
void darc_rosenfeld_init(darc_rosenfeld_t rg, const darc_system *s,
                         bool generic_only, const darc_solution_struct *point,
                         const darc_budget *budget);

/* Do one step with the branch on top; not done.
 * Fails: DARC_LIMIT on a spent budget or a frame too small. */
DARC_STATUS darc_rosenfeld_step(darc_rosenfeld_t rg, darc_err *err);
