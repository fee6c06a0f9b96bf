/* curvature.h - what the linear view of relations leaves out.
 *
 * Wald's test takes h(c) as linear within the errors of c.  Near a point where
 * the gradient vanishes (two time constants that noise cannot tell apart) it is
 * not, and the linear variance is far too small.
 */
#ifndef DARC_DECIDE_CURVATURE_H
#define DARC_DECIDE_CURVATURE_H

#include "decide/contrast.h"

/* Add to the covariance of c the second moments of what h has beyond its linear
 * part, which random draws from the errors of the coefficients show, nine times
 * over, for its tails are long: row i of c is relation relation[i] of r, x its
 * variables, fit[w] the fit of vector w, all covariances times inflate. */
void darc_curvature_add(darc_contrast *c, const darc_coeffrel_t r,
                        const slong *relation, const double *x,
                        const darc_weakfit *const *fit, double inflate);

#endif
