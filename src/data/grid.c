#include "data/grid.h"

#include "data/thresholds.h"

#include <assert.h>
#include <float.h>
#include <math.h>

void darc_grid_init(darc_grid *g)
{
    *g = (darc_grid){.low = 0, .high = HUGE_VAL, .uniform = true};
}

/* Decimal to double and the subtraction: one unit in the last place of the
 * larger time. */
static double tolerance_at(const darc_grid *g, double t)
{
    double large = fabs(t) > fabs(g->first) ? fabs(t) : fabs(g->first);
    return g->tolerance + DBL_EPSILON * large;
}

size_t darc_grid_missing(const darc_grid *g, double t, size_t rows)
{
    /* low is nearly the step once there are two times */
    if (!g->uniform || g->count < 2 || t - g->last < DARC_GRID_LATE * g->low)
        return 0;
    double tolerance = tolerance_at(g, t), d = t - g->first;
    double steps = round((t - g->last) / darc_grid_step(g));
    double n = (double)(g->count - 1) + steps;
    if (!(steps < 1e9) || d - tolerance > n * g->high ||
        d + tolerance < n * g->low)
        return 0;
    size_t missing = (size_t)steps - 1;
    return g->filled + missing <= DARC_FILLED_A_ROW * rows + DARC_FILLED_BESIDES
               ? missing
               : 0;
}

void darc_grid_append(darc_grid *g, double t)
{
    size_t i = g->count++;
    if (i == 0)
        g->first = t;
    else if (i == 1) {
        double step = t - g->first;
        g->tolerance = fmax(DARC_GRID_PART * step,
                            fmin(DARC_GRID_SECONDS, DARC_GRID_MOST * step));
    }
    assert(i == 0 || t > g->last);
    g->last = t;
    if (i == 0 || !g->uniform)
        return;
    double tolerance = tolerance_at(g, t), d = t - g->first;
    double n = (double)i;
    if (d - tolerance > n * g->low)
        g->low = (d - tolerance) / n;
    if (d + tolerance < n * g->high)
        g->high = (d + tolerance) / n;
    g->uniform = g->low <= g->high;
}

double darc_grid_fill(darc_grid *g, size_t missing, double t)
{
    double next = g->last + (t - g->last) / ((double)missing + 1);
    if (!(next > g->last && next < t))
        return NAN;
    darc_grid_append(g, next);
    g->filled++;
    return next;
}

double darc_grid_step(const darc_grid *g)
{
    if (!g->uniform || g->count < 2)
        return 0;
    double mean = (g->last - g->first) / (double)(g->count - 1);
    return fmin(fmax(mean, g->low), g->high);
}
