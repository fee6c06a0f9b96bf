/* coordinate.h - another coordinate for a state, before it becomes a divisor.
 *
 * Eliminating x by B*x + A = 0 divides by B.  Where B = c*(a*w + b) with one
 * state w, the coordinate z = a*w + b in place of w makes the divisor a
 * monomial: what follows stays shorter by orders of magnitude.
 */
#ifndef DARC_PROJECTION_COORDINATE_H
#define DARC_PROJECTION_COORDINATE_H

#include "projection/projection.h"

/* Change a coordinate of proj, if that helps, before state i is eliminated by
 * Q_j. */
DARC_CHECKED darc_status darc_coordinate_change(darc_projection_t proj, int j,
                                                int i, darc_err *err);

/* Set g to f in the coordinates that the states had at first. */
void darc_coordinate_restore(darc_mpoly *g, const darc_mpoly *f,
                             const darc_projection_t proj);

#endif
