#include "derive/elementary.h"

#include "base/mem.h"
#include "derive/thresholds.h"
#include "stats/stencil.h"

#include <assert.h>
#include <math.h>

static double sign(double x)
{
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}

static double (*const functions[])(double) = {
    [DARC_FUNCTION_EXP] = exp,   [DARC_FUNCTION_LOG] = log,
    [DARC_FUNCTION_SIN] = sin,   [DARC_FUNCTION_COS] = cos,
    [DARC_FUNCTION_TAN] = tan,   [DARC_FUNCTION_ASIN] = asin,
    [DARC_FUNCTION_ACOS] = acos, [DARC_FUNCTION_ATAN] = atan,
    [DARC_FUNCTION_SINH] = sinh, [DARC_FUNCTION_COSH] = cosh,
    [DARC_FUNCTION_TANH] = tanh, [DARC_FUNCTION_ABS] = fabs};

/* Return the slope of f at x, where it is y. */
static double slope_at(darc_function f, double x, double y)
{
    switch (f) { /* a table: one line a function */
    case DARC_FUNCTION_EXP:
        return y;
    case DARC_FUNCTION_LOG:
        return 1 / x;
    case DARC_FUNCTION_SIN:
        return cos(x);
    case DARC_FUNCTION_COS:
        return -sin(x);
    case DARC_FUNCTION_TAN:
        return 1 + y * y;
    case DARC_FUNCTION_ASIN:
        return 1 / sqrt((1 - x) * (1 + x));
    case DARC_FUNCTION_ACOS:
        return -1 / sqrt((1 - x) * (1 + x));
    case DARC_FUNCTION_ATAN:
        return 1 / (1 + x * x);
    case DARC_FUNCTION_SINH:
        return cosh(x);
    case DARC_FUNCTION_COSH:
        return sinh(x);
    case DARC_FUNCTION_TANH:
        return (1 - y) * (1 + y);
    case DARC_FUNCTION_ABS:
        return sign(x);
    default:
        return 0;
    }
}

void darc_elementary(darc_function f, const double *x, double *y, double *slope,
                     size_t n)
{
    if (f == DARC_FUNCTION_SQRT) {
        darc_elementary_power(.5, x, y, slope, n);
        return;
    }
    if (f == DARC_FUNCTION_SIGN) {
        for (size_t i = 0; i < n; i++)
            y[i] = sign(x[i]);
        return;
    }
    assert(f < sizeof functions / sizeof functions[0]);
    for (size_t i = 0; i < n; i++)
        y[i] = functions[f](x[i]);
    for (size_t i = 0; i < n && slope != NULL; i++)
        slope[i] = slope_at(f, x[i], y[i]);
}

void darc_elementary_power(double q, const double *x, double *y, double *slope,
                           size_t n)
{
    bool root = q == .5, square = q == 2, inverse = q == -1;
    for (size_t i = 0; i < n; i++)
        y[i] = root      ? sqrt(x[i])
               : square  ? x[i] * x[i]
               : inverse ? 1 / x[i]
                         : pow(x[i], q);
    for (size_t i = 0; i < n && slope != NULL; i++)
        slope[i] = root      ? .5 / y[i]
                   : square  ? 2 * x[i]
                   : inverse ? -y[i] * y[i]
                   : q == 0  ? 0
                             : q * pow(x[i], q - 1);
}

/* ---- switches ------------------------------------------------------------
 */

void darc_switch_error(double *out, const darc_strip *x,
                       const darc_strip *variance, const darc_strip *jump,
                       size_t n)
{
    const double sure = DARC_SURE_DEVIATIONS * DARC_SURE_DEVIATIONS;
    for (size_t i = 0; i < n; i++) {
        double at = darc_strip_at(x, i), v = darc_strip_at(variance, i);
        out[i] = 0;
        if (!(at * at < sure * v))
            continue;
        double p = erfc(fabs(at) / sqrt(2 * v)) / 2;
        out[i] = fabs(darc_strip_at(jump, i)) * sqrt(p * (1 - p));
    }
}

/* ---- smoothing -----------------------------------------------------------
 */

/* Set w to the weights for lags 0 .. half, whose sum over both sides is 1. */
static void set_weights(double *w, int half)
{
    double sum = 0;
    for (int j = 0; j <= half; j++) {
        double t = j / (half + 1.0);
        w[j] = 1 - t * t;
        sum += j == 0 ? w[j] : 2 * w[j];
    }
    for (int j = 0; j <= half; j++)
        w[j] /= sum;
}

void darc_smooth(double *y, const double *column, int half,
                 const darc_table *table, darc_segment at)
{
    double *w = darc_malloc(((size_t)half + 1) * sizeof *w);
    for (size_t i = at.begin; i < at.end; i++)
        y[i - at.begin] = column[i];
    for (int s = darc_segment_behind(table, at.begin);
         s < table->segments && table->segment[s].begin < at.end; s++) {
        size_t first = table->segment[s].begin, last = table->segment[s].end;
        size_t i = first > at.begin ? first : at.begin, m;
        for (; i < at.end && i < last; i += m) {
            size_t near = i - first < last - 1 - i ? i - first : last - 1 - i;
            int h = near < (size_t)half ? (int)near : half;
            size_t end = h < half ? i + 1 : last - (size_t)half;
            m = (end < at.end ? end : at.end) - i;
            set_weights(w, h);
            darc_stencil_apply(y + (i - at.begin), w, h, false, column + i, m);
        }
    }
    darc_free(w);
}
