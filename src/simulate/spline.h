/* spline.h - the cubic spline through samples: two continuous derivatives,
 * not-a-knot at both ends (a parabola through three samples, a line through
 * two). */
#ifndef DARC_SIMULATE_SPLINE_H
#define DARC_SIMULATE_SPLINE_H

#include <stddef.h>

typedef struct {
    size_t n;  /* samples, >= 2 */
    double *t; /* increasing; owned */
    double *y; /* owned */
    double *m; /* second derivatives at t; owned */
} darc_spline;

/* Set s to the spline through (t[i], y[i]), i < n. */
void darc_spline_init(darc_spline *s, const double *t, const double *y,
                      size_t n);
void darc_spline_clear(darc_spline *s);

/* Set out[k], k = 0, 1, 2, to the derivatives at x; the end pieces go on
 * outside.  Cost O(log n). */
void darc_spline_eval(const darc_spline *s, double x, double out[3]);

/* Return the last sample at or before x, the first where x comes before all.
 */
size_t darc_spline_before(const darc_spline *s, double x);

#endif
