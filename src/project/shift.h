/* shift.h - another coordinate for a state, before it becomes a divisor.
 *
 * Eliminating x by B*x + A = 0 divides by B.  Where B = c*(a*w + b) with one
 * state w, the coordinate z = a*w + b in place of w makes the divisor a
 * monomial: what follows stays shorter by orders of magnitude.
 */
#ifndef DARC_PROJECT_SHIFT_H
#define DARC_PROJECT_SHIFT_H

#include "project/flow.h"

/* Change a coordinate of flow, if that helps, before state i is eliminated by
 * Q_j. */
DARC_CHECKED darc_status darc_flow_shift(darc_flow_t flow, int j, int i,
                                         darc_err *err);

/* Set g to f in the coordinates that the states had at first. */
void darc_flow_unshift(darc_mpoly *g, const darc_mpoly *f,
                       const darc_flow_t flow);

#endif
