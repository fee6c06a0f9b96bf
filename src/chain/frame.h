/* frame.h - choosing and enlarging the frame of a computation. */
#ifndef DARC_CHAIN_FRAME_H
#define DARC_CHAIN_FRAME_H

#include "algebra/dpoly.h"

/* Set order[u], for all names->count unknowns, to the greatest of order[u]
 * and the orders of u in p. */
void darc_frame_add_orders(int *order, const darc_dpolys_t p,
                           const darc_jet_t jet);

/* Return the highest order in the frame. */
slong darc_frame_max_order(const darc_jet_t jet);

/* Append to q, in the frame `to`, the polynomials p, in the frame `from`.
 * Fails: DARC_LIMIT when a derivative lies outside `to`. */
DARC_CHECKED darc_status darc_frame_move_all(darc_dpolys_t q,
                                             const darc_jet_t to,
                                             const darc_dpolys_t p,
                                             const darc_jet_t from,
                                             darc_err *err);

/* Set bound[u] to a first guess for an elimination of a system with the
 * given orders: states may be derived twice more, measured signals once more
 * for each order of a state and each parameter that is ranked above them. */
void darc_frame_guess(int *bound, const int *order, const darc_jet_t jet);

/* Raise the bounds by half, and 2; return false, with bounds unchanged, if
 * one would pass DARC_MAX_FRAME_ORDER. */
bool darc_frame_grow(int *bound, const darc_jet_t jet);

#endif
