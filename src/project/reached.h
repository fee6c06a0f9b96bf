/* reached.h - what an elimination by projection has reached.
 *
 * A triangular set: every output has a relation with leader y_j^(c_j), every
 * alive state one with leader x', every eliminated state the one by which it
 * went.  Their coefficients are known modulo one prime; where they are small
 * they follow over Q, and are shown when the polynomial vanishes at a random
 * point modulo another prime, too.
 */
#ifndef DARC_PROJECT_REACHED_H
#define DARC_PROJECT_REACHED_H

#include "algebra/partial.h"
#include "project/flow.h"
#include "project/ioeq.h"

typedef struct darc_reached {
    const darc_budget *budget;
    const darc_solved_struct *s;
    long furthest;       /* what was shown of a flow, -1: nothing yet */
    darc_partial_t done; /* io-equations and their monomials */
    darc_point_t pt;
} darc_reached_struct;

typedef darc_reached_struct darc_reached_t[1];

/* Set r to nothing; target are the orders of s to be reached. */
void darc_reached_init(darc_reached_t r, const darc_solved_t s,
                       const int *target, const darc_budget *budget);
void darc_reached_clear(darc_reached_t r);

/* Hand over where flow stands, unless another one came further. */
void darc_reached_flow(darc_reached_t r, const darc_flow_t flow);

/* Keep the monomials of the outputs that are free of states, those of the
 * parameters left out; to be handed over with what follows. */
void darc_reached_monomials(darc_reached_t r, const darc_flow_t flow);

/* Keep the equation q = 0 of output j, in frame jet, as done. */
void darc_reached_equation(darc_reached_t r, int j, const darc_dpoly_t q,
                           const darc_jet_t jet);

#endif
