/* bspline.h - cardinal B-splines and their derivatives on a sample grid. */
#ifndef DARC_WEAK_BSPLINE_H
#define DARC_WEAK_BSPLINE_H

/* Set out[i], i = 0 .. (degree+1)*step, to the derivative of order `order`
 * of the B-spline of the given degree with knots every `step` samples, at
 * sample i; derivatives are per sample^order.  order < degree <=
 * DARC_BSPLINE_MAX_DEGREE. */
#define DARC_BSPLINE_MAX_DEGREE 20

void darc_bspline_table(double *out, int degree, int order, int step);

#endif
