/* reached.h - what an elimination by projection has reached.
 *
 * A triangular set: every output has a relation with leader y_j^(c_j), every
 * alive state one with leader x', every eliminated state the one by which it
 * went.  Their coefficients are known modulo one prime; where they are small
 * they follow over Q, and are shown when the polynomial vanishes at a random
 * point modulo another prime, too.
 */
#ifndef DARC_PROJECTION_REACHED_H
#define DARC_PROJECTION_REACHED_H

#include "algebra/partial.h"
#include "projection/projection.h"

typedef struct darc_reached {
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

#endif
