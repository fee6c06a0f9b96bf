/* samples.c - tables from memory. */

#include "base/mem.h"
#include "base/text.h"
#include "data/reader.h"
#include "data/table.h"
#include "data/thresholds.h"

#include <math.h>
#include <string.h>

/* Take the times over, or their step if they are uniform; place[i] becomes
 * that of sample i. */
static darc_status set_time(darc_table *t, size_t *place,
                            const darc_samples *from, darc_err *err)
{
    if (from->time == NULL) {
        if (!(from->rate > 0) || isinf(from->rate) || !isfinite(from->t0))
            return darc_fail_file(err, from->name,
                                  "neither times nor a sampling rate above 0");
        t->t0 = from->t0;
        t->dt = 1 / from->rate;
        for (size_t i = 0; i < from->samples; i++)
            place[i] = i;
        return DARC_OK;
    }
    darc_grid grid;
    darc_grid_init(&grid);
    for (size_t i = 0; i < from->samples; i++) {
        if (!(fabs(from->time[i]) < DARC_TIME_MOST))
            return darc_fail_file(err, from->name,
                                  "time %zu (%g s) is too large", i,
                                  from->time[i]);
        if (i > 0 && from->time[i] <= from->time[i - 1])
            return darc_fail_file(err, from->name,
                                  "time %zu (%g s) does not increase", i,
                                  from->time[i]);
        place[i] = darc_grid_add(&grid, from->time[i], i);
    }
    t->t0 = from->time[0];
    t->dt = darc_grid_step(&grid);
    t->samples = t->dt > 0 ? grid.count : from->samples;
    if (t->dt > 0)
        return DARC_OK;
    t->time = darc_calloc(from->samples, sizeof *t->time);
    memcpy(t->time, from->time, from->samples * sizeof *t->time);
    for (size_t i = 0; i < from->samples; i++)
        place[i] = i;
    return DARC_OK;
}

static darc_status set_table_signals(darc_table *t, const size_t *place,
                                     const darc_samples *from, darc_err *err)
{
    size_t n = from->samples;
    t->signal = darc_calloc((size_t)from->signals, sizeof *t->signal);
    for (; t->signals < from->signals; t->signals++) {
        const double *value = from->value[t->signals];
        const char *name = from->signal[t->signals];
        darc_signal *to = &t->signal[t->signals];
        if (darc_table_find(t, name) >= 0)
            return darc_fail_file(err, from->name, "two signals are named '%s'",
                                  name);
        for (size_t i = 0; i < n; i++)
            if (isinf(value[i]))
                return darc_fail_file(
                    err, from->name, "sample %zu of '%s' is infinite", i, name);
        to->name = darc_strdup(name);
        to->unit =
            darc_strdup(from->unit != NULL ? from->unit[t->signals] : "");
        to->value = darc_calloc(t->samples, sizeof *to->value);
        for (size_t i = 0; i < t->samples; i++)
            to->value[i] = NAN;
        for (size_t i = 0; i < n; i++)
            to->value[place[i]] = value[i];
    }
    return DARC_OK;
}

darc_status darc_table_from_samples(darc_table **table,
                                    const darc_samples *from, darc_err *err)
{
    darc_status status;
    darc_table *t = darc_calloc(1, sizeof *t);
    size_t *place = darc_calloc(from->samples, sizeof *place);
    t->file = darc_strdup(from->name);
    t->samples = t->rows = from->samples;
    if (from->samples == 0 || from->signals <= 0)
        DARC_TRY(darc_fail_file(err, from->name, "no samples"));
    DARC_TRY(set_time(t, place, from, err));
    DARC_TRY(set_table_signals(t, place, from, err));
    darc_table_find_segments(t, HUGE_VAL);
    if (t->segments == 0)
        darc_table_bridge(t);
    if (t->segments == 0)
        DARC_TRY(darc_fail_file(err, from->name,
                                "each of %zu samples has a gap", t->samples));
    *table = t;
    t = NULL;
done:
    darc_free(place);
    darc_table_free(t);
    return status;
}
