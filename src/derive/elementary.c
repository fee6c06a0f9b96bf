#include "derive/elementary.h"

#include "base/mem.h"
#include "base/text.h"
#include "derive/thresholds.h"
#include "stats/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Return the slope of f at x, where it is y. */
static double slope_at(darc_function f, double x, double y)
{
    return f == DARC_FUNCTION_EXP    ? y
           : f == DARC_FUNCTION_LOG  ? 1 / x
           : f == DARC_FUNCTION_SIN  ? cos(x)
           : f == DARC_FUNCTION_COS  ? -sin(x)
           : f == DARC_FUNCTION_TAN  ? 1 + y * y
           : f == DARC_FUNCTION_ASIN ? 1 / sqrt((1 - x) * (1 + x))
           : f == DARC_FUNCTION_ACOS ? -1 / sqrt((1 - x) * (1 + x))
           : f == DARC_FUNCTION_ATAN ? 1 / (1 + x * x)
           : f == DARC_FUNCTION_SINH ? cosh(x)
           : f == DARC_FUNCTION_COSH ? sinh(x)
           : f == DARC_FUNCTION_TANH ? (1 - y) * (1 + y)
           : f == DARC_FUNCTION_ABS  ? darc_function_of(DARC_FUNCTION_SIGN)(x)
                                     : 0;
}

void darc_elementary(darc_function f, const double *x, double *y, double *slope,
                     size_t n)
{
    if (f == DARC_FUNCTION_SQRT) {
        darc_elementary_power(.5, x, y, slope, n);
        return;
    }
    double (*of)(double) = darc_function_of(f);
    for (size_t i = 0; i < n; i++)
        y[i] = of(x[i]);
    if (f == DARC_FUNCTION_SIGN)
        return;
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

static double slack_at(const darc_table *table, size_t i)
{
    return i > 0 ? DARC_TIME_SLACK * fabs(darc_table_time(table, i) -
                                          darc_table_time(table, i - 1))
                 : 0;
}

/* Return the last sample whose time is t at most, 0 if none is. */
static size_t last_until(const darc_table *table, double t)
{
    size_t low = 0, high = table->samples; /* it lies in low .. high - 1 */
    DARC_BISECT(size_t, low, high, k, darc_table_time(table, k) <= t)
    return low;
}

/* Samples that a cubic passes over at most on either side, twice where a
 * segment ends; of the two around the moment wanted an outer one lies at least
 * this share of their distance away: closer by, it adds noise (random times,
 * sums of squares of weights: over 1000 without, 1.2 with it, 2.6 and 1.0 with
 * half and twice as much; the error is 0.05 % then, 0.03 and 0.1). */
enum { OVER = 8 };
#define OUTER 0.5

/* Return the next sample of the segment beyond i so far away; SIZE_MAX: none.
 */
static size_t outer_sample(const darc_table *table, const darc_segment *s,
                           size_t i, int step, double away)
{
    size_t k = i;
    double from = i == SIZE_MAX ? NAN : darc_table_time(table, i);
    for (int n = 0; n < OVER && i != SIZE_MAX; n++) {
        if (step > 0 ? k + 1 >= s->end : k <= s->begin)
            break;
        k += (size_t)step;
        if (fabs(darc_table_time(table, k) - from) >= away)
            break;
    }
    return k == i ? SIZE_MAX : k;
}

/* Return the value at time t, between samples `at` and the next, by the cubic
 * through these and one on either side, where the segment does not end. */
static double interpolate_cubic(const darc_stretch *v, double t, size_t at,
                                const darc_segment *s, const darc_table *table)
{
    if (s->end - s->begin < 4)
        return NAN;
    double away =
        OUTER * (darc_table_time(table, at + 1) - darc_table_time(table, at));
    size_t k[4] = {outer_sample(table, s, at, -1, away), at, at + 1,
                   outer_sample(table, s, at + 1, 1, away)};
    if (k[0] == SIZE_MAX)
        k[0] = outer_sample(table, s, k[3], 1, away);
    else if (k[3] == SIZE_MAX)
        k[3] = outer_sample(table, s, k[0], -1, away);
    double time[4], sum = 0;
    for (int j = 0; j < 4; j++) {
        if (k[j] == SIZE_MAX)
            return NAN;
        time[j] = darc_table_time(table, k[j]) - t;
    }
    for (int j = 0; j < 4; j++) { /* by Lagrange */
        double x = v->x[k[j] - v->at.begin];
        for (int i = 0; i < 4; i++)
            x *= i != j ? time[i] / (time[i] - time[j]) : 1;
        sum += x;
    }
    return sum;
}

darc_segment darc_delay_reach(const darc_table *table, double delay,
                              darc_segment at)
{
    enum { AROUND = 2 * OVER + 1 }; /* samples that a cubic reaches */
    size_t last = at.end - 1;
    double first = darc_table_time(table, at.begin) - delay;
    double until = darc_table_time(table, last) - delay + slack_at(table, last);
    size_t from = last_until(table, first), to = last_until(table, until);
    return (darc_segment){from > AROUND ? from - AROUND : 0,
                          table->samples - to > AROUND ? to + AROUND
                                                       : table->samples};
}

void darc_delay_values(double *out, size_t *source, const darc_stretch *v,
                       double delay, const darc_table *table, darc_segment at)
{
    int k = darc_segment_behind(table, at.begin);
    size_t last = v->at.begin; /* the last sample not after the moment wanted */
    for (size_t i = at.begin; i < at.end; i++) {
        out[i - at.begin] = NAN;
        source[i - at.begin] = SIZE_MAX;
        while (k < table->segments && table->segment[k].end <= i)
            k++;
        if (k == table->segments || table->segment[k].begin > i)
            continue;
        const darc_segment *s = table->segment + k;
        double t = darc_table_time(table, i) - delay;
        double slack = slack_at(table, i);
        last = last < s->begin ? s->begin : last;
        if (t < darc_table_time(table, s->begin) - slack ||
            t > darc_table_time(table, s->end - 1) + slack)
            continue;
        while (last + 1 < s->end &&
               darc_table_time(table, last + 1) <= t + slack)
            last++;
        double off = t - darc_table_time(table, last);
        bool exact = fabs(off) <= slack;
        out[i - at.begin] = exact ? v->x[last - v->at.begin]
                                  : interpolate_cubic(v, t, last, s, table);
        bool next = !exact && darc_table_time(table, last + 1) - t < off;
        source[i - at.begin] = last + next - v->at.begin;
    }
}

/* Return the integral from time t, between samples `at` and the next, to the
 * latter: of the cubic, by Simpson. */
static double integrate_to_next(const darc_stretch *v, double t, size_t at,
                                const darc_segment *s, const darc_table *table)
{
    double end = darc_table_time(table, at + 1), h = end - t;
    double from = t > darc_table_time(table, at)
                      ? interpolate_cubic(v, t, at, s, table)
                      : v->x[at - v->at.begin];
    double middle = interpolate_cubic(v, t + h / 2, at, s, table);
    return h / 6 * (from + 4 * middle + v->x[at + 1 - v->at.begin]);
}

/* Integrals from sample to sample, summed up by chunks that begin at the same
 * samples wherever a stretch does: no sum depends on that. */
enum { CHUNK = 1024 };

typedef struct {
    const darc_stretch *v;
    const darc_table *table;
    double *up_to;     /* from the begin of its chunk, by sample; owned */
    double *whole;     /* by chunk; owned */
    size_t done, none; /* samples up to which it is known; where it is last not
                          known */
} chunks;

static double integral_behind(const chunks *c, size_t at)
{
    int k = darc_segment_behind(c->table, at);
    const darc_segment *s = c->table->segment + k;
    return k < c->table->segments && s->begin <= at && at + 1 < s->end
               ? integrate_to_next(c->v, darc_table_time(c->table, at), at, s,
                                   c->table)
               : 0;
}

/* Add all up to sample i. */
static void sum_up(chunks *c, size_t i)
{
    size_t first = c->v->at.begin;
    for (; c->done < i; c->done++) {
        size_t k = c->done, n = k / CHUNK - first / CHUNK;
        double step = integral_behind(c, k);
        c->none = isfinite(step) ? c->none : k + 1;
        c->whole[n] += isfinite(step) ? step : 0;
        c->up_to[k + 1 - first] = (k + 1) % CHUNK == 0 ? 0 : c->whole[n];
    }
}

/* Return the integral between two samples. */
static double integral_between(const chunks *c, size_t from, size_t to)
{
    size_t first = c->v->at.begin, k = from / CHUNK, last = to / CHUNK;
    double sum = c->up_to[to - first] - c->up_to[from - first];
    for (; k < last; k++)
        sum += c->whole[k - first / CHUNK];
    return sum;
}

darc_segment darc_mean_reach(const darc_table *table, double span,
                             darc_segment at)
{
    darc_segment behind = darc_delay_reach(table, 0, at);
    size_t first = darc_delay_reach(table, span, at).begin;
    first -= first % CHUNK;
    first = first > CHUNK ? first - CHUNK : 0;
    return (darc_segment){first, behind.end};
}

void darc_mean_values(double *out, const darc_stretch *v, double span,
                      const darc_table *table, darc_segment at)
{
    size_t n = v->at.end - v->at.begin, last = v->at.begin;
    int k = darc_segment_behind(table, at.begin);
    chunks c = {.v = v, .table = table};
    c.up_to = darc_calloc(n + 1, sizeof *c.up_to);
    c.whole = darc_calloc(n / CHUNK + 2, sizeof *c.whole);
    c.done = v->at.begin > 0 ? v->at.begin + CHUNK : 0;
    for (size_t i = at.begin; i < at.end; i++) {
        out[i - at.begin] = NAN;
        while (k < table->segments && table->segment[k].end <= i)
            k++;
        if (k == table->segments || table->segment[k].begin > i)
            continue;
        const darc_segment *s = table->segment + k;
        double from = darc_table_time(table, i) - span;
        double slack = slack_at(table, i);
        if (from < darc_table_time(table, s->begin) - slack)
            continue;
        last = last < s->begin ? s->begin : last;
        while (last + 1 < i && darc_table_time(table, last + 1) <= from + slack)
            last++;
        sum_up(&c, i);
        from = fmax(from, darc_table_time(table, last));
        if (c.none <= last)
            out[i - at.begin] = (integral_between(&c, last + 1, i) +
                                 integrate_to_next(v, from, last, s, table)) /
                                span;
    }
    DARC_FREE(c.up_to, c.whole);
}

/* Return the mean over the last step: of the cubic through the last four
 * samples where time is even, by Adams and Moulton; fewer at the begin. */
static double mean_of(const darc_integral_state *s, double x, bool even)
{
    const double *v = s->last;
    if (!even || s->runs < 2)
        return (x + v[0]) / 2;
    return s->runs < 3 ? (5 * x + 8 * v[0] - v[1]) / 12
                       : (9 * x + 19 * v[0] - 5 * v[1] + v[2]) / 24;
}

void darc_integral_run(darc_integral_state *s, double *out, double *sd,
                       const darc_stretch *v, const darc_strip *variance,
                       const darc_table *table)
{
    int k = darc_segment_behind(table, v->at.begin);
    for (size_t i = v->at.begin; i < v->at.end; i++) {
        size_t j = i - v->at.begin;
        while (k < table->segments && table->segment[k].end <= i)
            k++;
        bool inside = k < table->segments && table->segment[k].begin <= i;
        if (!inside || !isfinite(v->x[j])) {
            s->runs = 0;
            out[j] = NAN;
            if (sd != NULL)
                sd[j] = NAN;
            continue;
        }
        double step = s->runs > 0 ? darc_table_time(table, i) -
                                        darc_table_time(table, i - 1)
                                  : 0;
        s->value = s->runs > 0
                       ? s->value + step * mean_of(s, v->x[j], table->dt > 0)
                       : 0;
        s->variance =
            s->runs > 0 ? s->variance + step * step * darc_strip_at(variance, j)
                        : 0;
        s->last[2] = s->last[1];
        s->last[1] = s->last[0];
        s->last[0] = v->x[j];
        s->runs += s->runs < 3;
        out[j] = s->value;
        if (sd != NULL)
            sd[j] = sqrt(s->variance);
    }
}

static darc_status check_rows(const darc_table *rows, const char *path,
                              darc_err *err)
{
    if (rows->signals < 2 || rows->samples < 2)
        return darc_fail(err, DARC_DATA,
                         "%s: a table has two columns and at least two rows",
                         path);
    const double *x = rows->signal[0].value;
    for (size_t i = 0; i + 1 < rows->samples; i++)
        if (!(x[i] < x[i + 1]) || !isfinite(rows->signal[1].value[i]))
            return darc_fail(err, DARC_DATA,
                             "%s: row %zu: the first column of a table must "
                             "increase, and no cell may be missing",
                             path, i + 2);
    return DARC_OK;
}

/* Make room for n points. */
static void open_points(darc_lookup *l, size_t n)
{
    l->points = n;
    l->x = darc_malloc(2 * n * sizeof *l->x);
    l->y = l->x + n;
}

darc_status darc_lookup_init(darc_lookup *l, const darc_expr *e,
                             const darc_model *model, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_table *rows = NULL;
    darc_text_t path = DARC_TEXT;
    *l = (darc_lookup){0};
    if (e->text == NULL) { /* the points are written in the expression */
        open_points(l, (size_t)(e->count - 1) / 2);
        for (size_t i = 0; i < l->points; i++) {
            darc_expr_is_constant(e->child[2 * (int)i + 1], l->x + i);
            darc_expr_is_constant(e->child[2 * (int)i + 2], l->y + i);
        }
        return DARC_OK;
    }
    darc_text_beside(path, darc_model_file(model), e->text, strlen(e->text));
    darc_load_options o;
    darc_load_options_init(&o);
    o.rate = 1; /* rows are not moments: no column is taken for the time */
    DARC_TRY(darc_table_load(&rows, path->s, &o, err));
    DARC_TRY(check_rows(rows, path->s, err));
    open_points(l, rows->samples);
    memcpy(l->x, rows->signal[0].value, l->points * sizeof *l->x);
    memcpy(l->y, rows->signal[1].value, l->points * sizeof *l->x);
    l->file = darc_text_take(path);
done:
    darc_table_free(rows);
    darc_text_clear(path);
    return status;
}

void darc_lookup_values(const darc_lookup *l, double *y, double *slope,
                        const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = l->points - 1;
        bool inside = x[i] >= l->x[0] && x[i] <= l->x[high];
        DARC_BISECT(size_t, low, high, k, !(x[i] < l->x[k]))
        double by = (l->y[high] - l->y[low]) / (l->x[high] - l->x[low]);
        y[i] = inside ? l->y[low] + by * (x[i] - l->x[low]) : NAN;
        if (slope != NULL)
            slope[i] = by;
    }
}

typedef struct {
    const darc_model *model;
    const darc_table *table;
} recorded;

/* The value of an input that is one number in each recording. */
static double number_of(void *user, darc_deriv d)
{
    const recorded *c = user;
    const darc_symbol *s = darc_model_names(c->model)->symbol + d.unknown;
    int k = darc_table_find(c->table, s->name);
    bool any = k >= 0 && c->table->segments > 0 && d.order == 0;
    return any ? c->table->signal[k].value[c->table->segment[0].begin] : NAN;
}

double darc_delay_time(const darc_expr *delay, const darc_model *model,
                       const darc_table *table)
{
    return darc_expr_eval(delay->child[1], number_of,
                          &(recorded){model, table});
}
