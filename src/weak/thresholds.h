/* thresholds.h - the numbers that decide in this room. */
#ifndef DARC_WEAK_THRESHOLDS_H
#define DARC_WEAK_THRESHOLDS_H

/* A segment holds so many steps between test functions at least, so that
 * something is left when a handful of coefficients is fitted. */
#define DARC_WEAK_LEAST_FUNCTIONS 64

/* Degree of splines: covariances of closer-lying or smoother functions are
 * nearly singular, of rougher ones power is lost (prototypes: 5). */
#define DARC_WEAK_MIN_DEGREE 5

/* Degrees that clean signals add to that, at most. */
#define DARC_WEAK_MORE_DEGREES 8

/* Samples between knots: aliasing below 1e-3 up to a seventh of the sampling
 * rate. */
#define DARC_WEAK_MIN_STEP 2

/* Supports of a spline of higher degree that a segment holds at least. */
#define DARC_WEAK_MIN_SUPPORTS 8

/* Half-width, in steps, of the filter that denoises signals at which partial
 * derivatives are taken: it takes off as much noise as the test functions do,
 * and less of the signal. */
#define DARC_WEAK_CALM 1.0

/* Moments that are kept between passes: 64 MB. */
#define DARC_WEAK_KEPT 8e6

#endif
