/* smoother.h - weights: derivatives from polynomials of least squares,
 * Lagrange's polynomials, and cardinal B-splines with their derivatives on a
 * sample grid. */
#pragma once

enum { DARC_SMOOTHER_DEGREE = 6 };

/* Set weight[s + half], |s| <= half, so that sum_s weight y(t + s) is the
 * derivative of order `order` <= 6 at the middle of the polynomial of degree
 * 6 that fits 2*half + 1 samples best; half >= 3.  dt: s between samples. */
void darc_smoother_weights(double *weight, int half, int order, double dt);

/* Return the largest half-width <= most for which the error of the transfer
 * function at f Hz, |H(f) - (2 pi f)^order|, is at most `bias` times the
 * noise gain, the root of the sum of squared weights; at least 4. */
int darc_smoother_half(int order, double dt, double f, double bias, int most);

/* Set p to the `count` coefficients, in powers of x - at, of the polynomial
 * that is 1 at first + j and 0 at the others of so many nodes. */
void darc_lagrange(double *p, int j, int first, int count, double at);

/* Set out[i], i = 0 .. (degree+1)*step, to the derivative of order `order`
 * of the B-spline of the given degree with knots every `step` samples, at
 * sample i; derivatives are per sample^order.  order < degree <=
 * DARC_BSPLINE_MAX_DEGREE. */
#define DARC_BSPLINE_MAX_DEGREE 20

void darc_bspline_table(double *out, int degree, int order, int step);
