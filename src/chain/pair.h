/* pair.h - delta-polynomials in an ordinary ring.
 *
 * With one derivation two equations whose leaders are derivatives of the
 * same unknown need no delta-polynomial: one reduces the other.  What is
 * left are the pairs of an equation g whose leader is a constant c with the
 * equation c' = 0 that is built into the derivation: their delta-polynomial
 * is g', which has no derivative of c.
 */
#ifndef DARC_CHAIN_PAIR_H
#define DARC_CHAIN_PAIR_H

#include "algebra/dpoly.h"

/* Return whether g, which has a leader, forms such a pair. */
bool darc_pair_exists(const darc_dpoly_t g, const darc_jet_t jet);

/* Set q to the delta-polynomial of g.
 * Fails: DARC_LIMIT when it leaves the frame. */
DARC_CHECKED darc_status darc_pair_delta(darc_dpoly_t q, const darc_dpoly_t g,
                                         const darc_jet_t jet, darc_err *err);

#endif
