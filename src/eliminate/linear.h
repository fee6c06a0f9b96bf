/* linear.h - io-equations of models linear in the states by linear algebra.
 *
 * With x' = A x + b(u), y = C x + d(u), A and C over Q(parameters), every
 * Lie derivative is a row: y_j^(k) = r x + s.  The io-equation of an output
 * is the determinant of the rows that bind it, without resultants and
 * extraneous factors other than a content in the parameters.
 */
#ifndef DARC_ELIMINATE_LINEAR_H
#define DARC_ELIMINATE_LINEAR_H

#include "eliminate/thresholds.h"
#include "projection/reached.h"

/* Return whether the relations of proj, as darc_projection_init leaves them,
 * are linear in the states with coefficients in the parameters alone. */
bool darc_linear_applies(const darc_projection_t proj);

/* Set every relation of an output to its io-equation; proj is linear.  reached
 * is told of each.
 * Fails: DARC_DOMAIN when more than DARC_MAX_LINEAR states are observed. */
DARC_CHECKED darc_status darc_linear_run(darc_projection_t proj,
                                         darc_reached_t reached, darc_err *err);

#endif
