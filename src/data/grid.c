#include "data/reader.h"

#include "data/thresholds.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MIDDLE = DARC_GRID_PLACES / 2 };

void darc_grid_init(darc_grid *g)
{
    *g = (darc_grid){.digit = 1, .decade = 1, .share = 1, .place = MIDDLE};
    for (int k = 0; k < DARC_GRID_PLACES; k++)
        g->high[k] = HUGE_VAL;
}

/* Return the power of 10 at or below |t|, t not 0, from a near one. */
static double decade_of(double decade, double t)
{
    while (fabs(t) >= 10 * decade && decade < DBL_MAX / 10)
        decade *= 10;
    while (fabs(t) < decade && decade > DBL_MIN)
        decade /= 10;
    return decade;
}

/* Return half a unit of the last digit of time t: all times have as many
 * decimals, or digits, or are floats of single precision. */
static double half_of(const darc_grid *g, double t)
{
    double most = DARC_GRID_COARSE * g->step;
    double decimal = g->digit / 2;
    double digits = t != 0 ? decade_of(g->decade, t) * g->share / 2 : 0;
    double single = g->is_double ? 0 : FLT_EPSILON / 2 * fabs(t);
    double half = decimal < most ? decimal : 0;
    half = digits > half && digits < most ? digits : half;
    return single > half && single < most ? single : half;
}

/* Decimal to double and the subtraction: one unit in the last place of the
 * larger time. */
static double tolerance_at(const darc_grid *g, double t)
{
    double large = fabs(t) > fabs(g->first) ? fabs(t) : fabs(g->first);
    return g->tolerance + half_of(g, t) + g->half / (DARC_GRID_PLACES - 1) +
           DBL_EPSILON * large;
}

/* Return what the place k of t_0 adds to the first time. */
static double shift(const darc_grid *g, int k)
{
    return g->half * (k - MIDDLE) / MIDDLE;
}

size_t darc_grid_missing(const darc_grid *g, double t, size_t rows)
{
    /* low is nearly the step once there are two times */
    double step = darc_grid_step(g);
    if (g->count == 1 && g->usual > 0) {
        double n = round((t - g->last) / g->usual);
        return fabs(t - g->last - n * g->usual) < DARC_GRID_USUAL * g->usual &&
                       n > 1 && n <= DARC_FILLED_BESIDES
                   ? (size_t)n - 1
                   : 0;
    }
    if (g->usual < 0 ||
        (g->usual > 0 && fabs(step - g->usual) > DARC_GRID_USUAL * g->usual))
        return 0;
    if (step == 0 || t - g->last < DARC_GRID_LATE * g->low[g->place])
        return 0;
    double steps = round((t - g->last) / step);
    double n = (double)(g->count - 1) + steps;
    bool any = false;
    for (int k = 0; k < DARC_GRID_PLACES && steps < 1e9; k++) {
        double d = t - g->first - shift(g, k), tolerance = tolerance_at(g, t);
        any = any || (d - tolerance <= n * g->high[k] &&
                      d + tolerance >= n * g->low[k]);
    }
    if (!any)
        return 0;
    size_t missing = (size_t)steps - 1;
    return g->filled + missing <= DARC_FILLED_A_ROW * rows + DARC_FILLED_BESIDES
               ? missing
               : 0;
}

/* Set half, of the first time; where it becomes less the places move together.
 */
static void set_half(darc_grid *g)
{
    double old = g->half;
    g->step = (g->last - g->first) / (double)(g->count - 1);
    g->half = half_of(g, g->first);
    for (int k = 0; k < DARC_GRID_PLACES && g->half != old; k++) {
        g->low[k] = g->low[MIDDLE];
        g->high[k] = g->high[MIDDLE];
    }
}

static void bound(darc_grid *g, double t)
{
    double part = 1 / (double)(g->count - 1), tolerance = tolerance_at(g, t);
    int best = -1;
    for (int k = 0; k < DARC_GRID_PLACES; k++) {
        double d = t - g->first - shift(g, k);
        double low = (d - tolerance) * part, high = (d + tolerance) * part;
        g->low[k] = low > g->low[k] ? low : g->low[k];
        g->high[k] = high < g->high[k] ? high : g->high[k];
        if (g->low[k] <= g->high[k] &&
            (best < 0 || abs(k - MIDDLE) < abs(best - MIDDLE)))
            best = k;
    }
    g->place = best;
}

static void append_time(darc_grid *g, double t)
{
    size_t i = g->count++;
    if (i == 0) {
        g->first = t;
    } else if (i == 1) {
        double step = t - g->first;
        g->tolerance = fmax(DARC_GRID_PART * step,
                            fmin(DARC_GRID_SECONDS, DARC_GRID_MOST * step));
    }
    assert(i == 0 || t > g->last);
    g->last = t;
}

static bool is_multiple(double x)
{
    return fabs(x - round(x)) <= 8 * DBL_EPSILON * fabs(x);
}

/* Let digit, and share, be such that t is a multiple too. */
static void read_digits(darc_grid *g, double t)
{
    while (g->digit > 0 && !is_multiple(t / g->digit))
        g->digit = g->digit > DARC_GRID_DIGIT ? g->digit / 10 : 0;
    g->is_double = g->is_double || (double)(float)t != t;
    if (t == 0)
        return;
    g->decade = decade_of(g->decade, t);
    while (g->share > 0 && !is_multiple(t / g->decade / g->share))
        g->share = g->share > DARC_GRID_DIGIT ? g->share / 10 : 0;
}

void darc_grid_append(darc_grid *g, double t)
{
    append_time(g, t);
    read_digits(g, t); /* what is filled in is none */
    if (g->count == 1 || g->place < 0)
        return;
    set_half(g);
    bound(g, t);
}

size_t darc_grid_add(darc_grid *g, double t, size_t rows)
{
    size_t missing = darc_grid_missing(g, t, rows);
    while (missing > 0 && !isnan(darc_grid_fill(g, missing, t)))
        missing--;
    darc_grid_append(g, t);
    return g->count - 1;
}

double darc_grid_fill(darc_grid *g, size_t missing, double t)
{
    double next = g->last + (t - g->last) / ((double)missing + 1);
    if (!(next > g->last && next < t))
        return NAN;
    append_time(g, next);
    g->filled++;
    return next;
}

double darc_grid_step(const darc_grid *g)
{
    if (g->place < 0 || g->count < 2)
        return 0;
    double mean = (g->last - g->first) / (double)(g->count - 1);
    return fmin(fmax(mean, g->low[g->place]), g->high[g->place]);
}
