/* curve.h - what input signals are made of: sums of sines, and the cubic spline
 * through samples. */
#pragma once

#include "base/random.h"

#include <stddef.h>

#define DARC_TWO_PI 6.283185307179586476925

/* offset + sum_i amplitude_i sin(omega_i t + phase_i) */
typedef struct {
    int count;
    double offset;
    double *amplitude, *omega, *phase; /* omega in rad/s; owned in one */
} darc_sines;

/* Set s to count sines of amplitude 0. */
void darc_sines_init(darc_sines *s, int count);
void darc_sines_clear(darc_sines *s);

/* Set s to the height (m) under a wheel at `speed` (m/s) on a road of class
 * 'A' .. 'H'; see wave.h. */
void darc_sines_road(darc_sines *s, char class, double speed, darc_random *r);

/* Set out[k] to the k-th derivative at t, k = 0 .. order. */
void darc_sines_eval(const darc_sines *s, double t, int order, double *out);

/* Two continuous derivatives, not-a-knot at both ends (a parabola through three
 * samples, a line through two). */
typedef struct {
    size_t n;  /* samples, >= 2 */
    double *t; /* increasing; owned with y and m */
    double *y;
    double *m; /* second derivatives at t */
} darc_spline;

/* Set s to the spline through (t[i], y[i]), i < n. */
void darc_spline_init(darc_spline *s, const double *t, const double *y,
                      size_t n);
void darc_spline_clear(darc_spline *s);

/* Set out[k], k = 0, 1, 2, to the derivatives at x; the end pieces go on
 * outside.  Cost O(log n). */
void darc_spline_eval(const darc_spline *s, double x, double out[3]);

/* Set out[k], k = 0 .. 3, likewise; return where the piece of x ends, HUGE_VAL:
 * nowhere. */
double darc_spline_piece(const darc_spline *s, double x, double out[4]);

/* Return the last sample at or before x, the first where x comes before all.
 */
size_t darc_spline_before(const darc_spline *s, double x);
