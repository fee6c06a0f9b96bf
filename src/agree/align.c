#include "agree/measures.h"

#include "agree/thresholds.h"
#include "base/mem.h"
#include "base/units.h"
#include "stats/columns.h"

#include <math.h>
#include <string.h>

static double end_time(const darc_table *t)
{
    return darc_table_time(t, t->samples - 1);
}

static double mean_step(const darc_table *t)
{
    double n = (double)(t->samples > 1 ? t->samples - 1 : 1);
    return (end_time(t) - darc_table_time(t, 0)) / n;
}

static bool same_times(const darc_table *a, const darc_table *b)
{
    if (a->samples != b->samples)
        return false;
    double near = DARC_ALIGN_SAME * mean_step(a);
    if (a->time == NULL && b->time == NULL)
        return fabs(a->t0 - b->t0) <= near &&
               fabs(end_time(a) - end_time(b)) <= near;
    for (size_t i = 0; i < a->samples; i++)
        if (fabs(darc_table_time(a, i) - darc_table_time(b, i)) > near)
            return false;
    return true;
}

/* Set out[i] to signal x of t at the increasing times time[i], by straight
 * lines; times outside take the value at the end. */
static void interpolate_signal(double *out, const double *time, size_t n,
                               const darc_table *t, const double *x)
{
    size_t j = 0, last = t->samples - 1;
    for (size_t i = 0; i < n; i++) {
        while (j < last && darc_table_time(t, j + 1) < time[i])
            j++;
        double a = darc_table_time(t, j);
        if (j == last || time[i] <= a) {
            out[i] = x[j];
            continue;
        }
        double b = darc_table_time(t, j + 1), part = (time[i] - a) / (b - a);
        /* At a sample the neighbour, which may be a gap, does not matter. */
        out[i] = part > 1 - DARC_ALIGN_AT ? x[j + 1]
                                          : x[j] + part * (x[j + 1] - x[j]);
    }
}

/* Keep the longest run of samples without a gap. */
static void keep_longest(darc_aligned *a)
{
    size_t best = 0, length = 0, start = 0;
    for (size_t i = 0; i <= a->samples; i++) {
        bool gap = i == a->samples;
        for (int k = 0; k < a->tables * a->signals && !gap; k++)
            gap = isnan(a->value[k][i]);
        if (!gap)
            continue;
        if (i - start > length) {
            best = start;
            length = i - start;
        }
        start = i + 1;
    }
    a->samples = length;
    if (best == 0)
        return;
    memmove(a->time, a->time + best, length * sizeof(double));
    for (int k = 0; k < a->tables * a->signals; k++)
        memmove(a->value[k], a->value[k] + best, length * sizeof(double));
}

/* Bring the n values x of the table's signal s to the unit that this signal has
 * in the first table. */
static darc_status use_unit(double *x, size_t n, const darc_table *t, int s,
                            const darc_table *first, darc_err *err)
{
    double scale, shift;
    darc_err why = {DARC_OK, ""};
    const darc_signal *from = t->signal + s;
    int k = darc_table_find(first, from->name);
    const char *to = first->signal[k].unit;
    if (from->unit[0] == '\0' || to[0] == '\0' || strcmp(from->unit, to) == 0)
        return DARC_OK;
    darc_status status =
        darc_unit_convert(&scale, &shift, from->unit, to, &why);
    if (status != DARC_OK)
        return darc_fail(err, status,
                         "%s: error: unit of '%s': %s, as in %s; --scale %s=1 "
                         "takes all numbers as they are",
                         t->file, from->name, why.message, first->file,
                         from->name);
    for (size_t i = 0; i < n; i++)
        x[i] = scale * x[i] + shift;
    return DARC_OK;
}

static darc_status align_outputs(darc_aligned *a,
                                 const darc_table *const *table,
                                 const char *const *name, size_t begin,
                                 darc_err *err)
{
    for (int k = 0; k < a->tables; k++) {
        const darc_table *t = table[k];
        bool same = same_times(table[0], t);
        a->resampled |= !same;
        for (int i = 0; i < a->signals; i++) {
            int s = darc_table_find(t, name[i]);
            if (s < 0)
                return darc_fail(err, DARC_DATA, "%s: error: no column '%s'",
                                 t->file, name[i]);
            const double *x = t->signal[s].value;
            double *out = a->value[k * a->signals + i];
            if (same)
                memcpy(out, x + begin, a->samples * sizeof *out);
            else
                interpolate_signal(out, a->time, a->samples, t, x);
            DARC_NEED(use_unit(out, a->samples, t, s, table[0], err));
        }
    }
    return DARC_OK;
}

darc_status darc_aligned_init(darc_aligned *a, const darc_table *const *table,
                              int tables, const char *const *name, int signals,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    double from = -HUGE_VAL, to = HUGE_VAL;
    for (int k = 0; k < tables; k++) {
        double slack = DARC_ALIGN_END * mean_step(table[k]);
        from = fmax(from, darc_table_time(table[k], 0) - slack);
        to = fmin(to, end_time(table[k]) + slack);
    }
    size_t begin = 0, end = table[0]->samples; /* those in from .. to */
    while (begin < end && darc_table_time(table[0], begin) < from)
        begin++;
    while (end > begin && darc_table_time(table[0], end - 1) > to)
        end--;
    *a = (darc_aligned){.samples = end - begin,
                        .dt = table[0]->dt,
                        .tables = tables,
                        .signals = signals,
                        .offered = table[0]->samples};
    a->time = darc_calloc(a->samples, sizeof *a->time);
    a->value = darc_columns_new((size_t)(tables * signals), a->samples);
    for (size_t i = 0; i < a->samples; i++)
        a->time[i] = darc_table_time(table[0], begin + i);
    DARC_TRY(align_outputs(a, table, name, begin, err));
    keep_longest(a);
    if (a->samples < 2)
        status = darc_fail(err, DARC_DATA,
                           "%s: error: fewer than two samples without a gap "
                           "lie in the interval that all recordings share "
                           "(%g .. %g s)",
                           table[0]->file, from, to);
done:
    if (status != DARC_OK)
        darc_aligned_clear(a);
    return status;
}

void darc_aligned_clear(darc_aligned *a)
{
    darc_columns_free(a->value);
    darc_free(a->time);
    *a = (darc_aligned){0};
}
