#include "session/state.h"

#include "base/mem.h"
#include "model/model.h"
#include "noise/signalnoise.h"
#include "session/thresholds.h"

#include <math.h>

/* Measure the noise of unknown u, which is column k. */
static darc_status measure(darc_session *s, const darc_table *table, int u,
                           int k, darc_err *err)
{
    const char *name = darc_model_names(s->model)->symbol[u].name;
    if (!isnan(s->noise[u]))
        return darc_fail(err, DARC_USAGE,
                         "noise: that of '%s' is given as a number and by the "
                         "recording %s: choose one",
                         name, table->file);
    return darc_signalnoise_rest(s->resting + u, table, k, err);
}

darc_status darc_session_rest(darc_session *s, darc_err *err)
{
    darc_table *table;
    darc_load_options load = s->set.load;
    const darc_names_struct *names = darc_model_names(s->model);
    bool any = false;
    if (s->set.noise_file == NULL)
        return DARC_OK;
    load.want = NULL;
    load.wanted = 0;
    load.from = load.to = NAN;
    darc_status status = DARC_OK;
    DARC_NEED(darc_table_load(&table, s->set.noise_file, &load, err));
    s->resting = darc_calloc((size_t)names->count, sizeof *s->resting);
    s->resting_dt = table->dt;
    for (int u = 0; u < names->count; u++) {
        int k = darc_table_find(table, names->symbol[u].name);
        if (k < 0 || !s->needed[u] || darc_derived_find(s->model, u) >= 0 ||
            names->symbol[u].kind == DARC_TIME)
            continue;
        DARC_TRY(measure(s, table, u, k, err));
        any = true;
    }
    if (!any)
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "%s: error: no column is a signal of the model, so "
                           "that there is no noise to measure",
                           table->file));
done:
    darc_table_free(table);
    return status;
}

darc_status darc_session_same_rate(const darc_session *s,
                                   const darc_table *table, darc_err *err)
{
    if (s->resting == NULL ||
        fabs(table->dt - s->resting_dt) <= DARC_SAME_INTERVAL * table->dt)
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: error: %.6g samples per second, but %s, where the "
                     "noise was recorded, has %.6g; noise is measured at the "
                     "rate of the recordings",
                     table->file, 1 / table->dt, s->set.noise_file,
                     1 / s->resting_dt);
}
