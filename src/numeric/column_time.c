#include "numeric/column.h"

#include "base/mem.h"
#include "darc/differ.h"
#include "darc/noise.h"

#include <math.h>
#include <string.h>

/* A table of the one column x, cut into segments where x is known. */
static void open_view(darc_table *view, darc_signal *signal, const double *x,
                      const darc_table *table)
{
    *view = *table;
    view->signals = 1;
    view->signal = signal;
    view->segment = NULL;
    view->segments = 0;
    view->segment_alloc = 0;
    *signal = (darc_signal){.name = "", .unit = "", .value = (double *)x};
    for (int s = 0; s < table->segments; s++)
        for (size_t i = table->segment[s].begin; i < table->segment[s].end;) {
            size_t end = i;
            while (end < table->segment[s].end && isfinite(x[end]))
                end++;
            if (end > i) {
                view->segment =
                    darc_grow(view->segment, (size_t)view->segments,
                              &view->segment_alloc, sizeof *view->segment);
                view->segment[view->segments++] = (darc_segment){i, end};
            }
            i = end > i ? end : i + 1;
        }
}

/* The formulas to choose from: widths in steps of about 1.6. */
static const darc_diff_spec formulas[] = {
    {DARC_DIFF_CENTRAL, 4, 0, 0}, {DARC_DIFF_CENTRAL, 6, 0, 0},
    {DARC_DIFF_SG, 0, 9, 4},      {DARC_DIFF_SG, 0, 15, 4},
    {DARC_DIFF_SG, 0, 25, 4},     {DARC_DIFF_SG, 0, 41, 4},
    {DARC_DIFF_SG, 0, 65, 4},     {DARC_DIFF_SG, 0, 105, 4}};

typedef struct {
    double *value, *truncation, *gain;
    double error; /* RMS; HUGE_VAL where the formula fits nowhere */
} estimate;

static void estimate_init(estimate *e, size_t n)
{
    e->value = darc_calloc(n, sizeof *e->value);
    e->truncation = darc_calloc(n, sizeof *e->truncation);
    e->gain = darc_calloc(n, sizeof *e->gain);
    e->error = HUGE_VAL;
}

static void estimate_clear(estimate *e)
{
    darc_free(e->value);
    darc_free(e->truncation);
    darc_free(e->gain);
}

/* Root of the mean of truncation^2 + (gain sd)^2. */
static double rms_error(const estimate *e, double sd, size_t n)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(e->value[i]) && isfinite(e->truncation[i])) {
            double noise = e->gain[i] * sd;
            sum += e->truncation[i] * e->truncation[i] + noise * noise;
            known++;
        }
    return known > 0 ? sqrt(sum / (double)known) : HUGE_VAL;
}

darc_status darc_column_derivative(double *out, double *error, const double *x,
                                   int k, const darc_table *table,
                                   darc_err *err)
{
    size_t n = table->samples;
    darc_status status = DARC_OK;
    darc_table view;
    darc_signal signal;
    darc_noise noise;
    estimate now;
    estimate_init(&now, n);
    open_view(&view, &signal, x, table);
    darc_noise_estimate(&noise, &view, 0);
    *error = HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        out[i] = NAN;
    for (size_t f = 0; f < sizeof formulas / sizeof formulas[0]; f++) {
        if (formulas[f].kind == DARC_DIFF_SG && formulas[f].degree < k)
            continue;
        DARC_TRY(darc_differ_signal(&view, 0, k, &formulas[f], now.value,
                                    now.truncation, now.gain, err));
        now.error = rms_error(&now, noise.order > 0 ? noise.sd : 0, n);
        if (now.error < *error) {
            *error = now.error;
            memcpy(out, now.value, n * sizeof *out);
        }
    }
    if (isinf(*error))
        *error = 0;
done:
    estimate_clear(&now);
    darc_free(view.segment);
    return status;
}

/* Return the segment that holds sample i; NULL in a gap. */
static const darc_segment *segment_of(const darc_table *table, size_t i)
{
    for (int s = 0; s < table->segments; s++)
        if (i >= table->segment[s].begin && i < table->segment[s].end)
            return table->segment + s;
    return NULL;
}

/* Return x at time t by the cubic through four samples around it. */
static double interpolate(const double *x, double t, size_t at,
                          const darc_segment *s, const darc_table *table)
{
    /* samples first .. first + 3 of the segment, t in the middle of them
     * where the ends allow */
    size_t first = at > s->begin ? at - 1 : s->begin;
    if (s->end - s->begin < 4)
        return NAN;
    if (first + 4 > s->end)
        first = s->end - 4;
    double time[4], w[4], sum = 0;
    for (size_t j = 0; j < 4; j++)
        time[j] = darc_table_time(table, first + j) - t;
    darc_fdweights(w, 0, 0, time, 4);
    for (size_t j = 0; j < 4; j++)
        sum += w[j] * x[first + j];
    return sum;
}

void darc_column_delay(double *out, const double *x, double delay,
                       const darc_table *table)
{
    size_t at = 0; /* the last sample not after the moment wanted */
    for (size_t i = 0; i < table->samples; i++) {
        out[i] = NAN;
        const darc_segment *s = segment_of(table, i);
        if (s == NULL)
            continue;
        double t = darc_table_time(table, i) - delay;
        at = at < s->begin ? s->begin : at;
        /* Times are sums of rounded numbers: a millionth of a step counts
         * as the sample itself. */
        double slack = i > 0 ? 1e-6 * fabs(darc_table_time(table, i) -
                                           darc_table_time(table, i - 1))
                             : 0;
        if (t < darc_table_time(table, s->begin) - slack)
            continue;
        while (at < i && darc_table_time(table, at + 1) <= t + slack)
            at++;
        double off = t - darc_table_time(table, at);
        out[i] = fabs(off) <= slack ? x[at] : interpolate(x, t, at, s, table);
    }
}
