/* frame.h - choosing and enlarging the frame of a computation. */
#ifndef DARC_CHAIN_FRAME_H
#define DARC_CHAIN_FRAME_H

#include "algebra/dpoly.h"

/* Return the highest order in the frame. */
slong darc_frame_max_order(const darc_jet_t jet);

/* Set bound[u] to a first guess for an elimination of a system with the
 * given orders: states may be derived twice more, measured signals once more
 * for each order of a state and each parameter that is ranked above them. */
void darc_frame_guess(int *bound, const int *order, const darc_jet_t jet);

/* Raise the bounds by half, and 2; return false, with bounds unchanged, if
 * one would pass DARC_MAX_FRAME_ORDER. */
bool darc_frame_grow(int *bound, const darc_jet_t jet);

#endif
