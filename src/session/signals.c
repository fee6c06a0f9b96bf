#include "session/state.h"

#include "base/mem.h"
#include "derive/derive.h"
#include "fit/cut.h"
#include "model/model.h"
#include "noise/noise.h"
#include "noise/signalnoise.h"
#include "stats/lanes.h"

#include <math.h>

static double rms_of(const double *x, const darc_table *table)
{
    enum { STRETCH = 1 << 16 };
    double sum = 0, n = 0;
    for (int s = 0; s < table->segments; s++) {
        size_t end = table->segment[s].end;
        for (size_t i = table->segment[s].begin, m; i < end; i += m) {
            m = end - i < STRETCH ? end - i : STRETCH;
            sum += darc_lanes_square(x + i, 0, m);
            n += (double)m;
            darc_table_done(table, i, i + m);
        }
    }
    return sqrt(sum / n);
}

/* Derived signals carry the errors of what they are computed from as noise,
 * where it is more than the noise that they show themselves.  Raise the noise
 * of derived signal u to what the table says; return its share of the RMS. */
static double carry_error(double *noise, const darc_session *s,
                          const darc_table *table, int u, double error)
{
    const darc_names_struct *names = darc_model_names(s->model);
    int column = darc_table_find(table, names->symbol[u].name);
    double rms = rms_of(table->signal[column].value, table);
    double part = rms > 0 ? error / rms : 1;
    darc_noise own;
    darc_noise_estimate(&own, table, column);
    double sd = fmax(error, own.sd);
    if (isnan(noise[u]) || noise[u] < sd)
        noise[u] = sd;
    return part;
}

/* Fail unless the table has the rate of the recording at rest. */
static darc_status check_rate(const darc_session *s, const darc_table *table,
                              darc_err *err)
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

/* Fail where no signal moves more than at rest: that was no rest, and the noise
 * would explain all. */
static darc_status check_rest(const darc_session *s, const darc_table *table,
                              darc_err *err)
{
    const darc_names_struct *names = darc_model_names(s->model);
    double least = HUGE_VAL;
    for (int u = 0; u < names->count && s->resting != NULL; u++) {
        int k = darc_table_find(table, names->symbol[u].name);
        if (k < 0 || !(s->resting[u].samples > 0))
            continue;
        double moves = darc_lanes_variance(table->signal[k].value, table);
        least = fmin(least, s->resting_variance[u] / moves);
    }
    if (!(least >= DARC_REST_LOUD && least < HUGE_VAL))
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: error: no signal moves much more than in %s, which "
                     "--noise-from takes for a recording at rest; give one "
                     "where nothing moves, and only the sensors' noise is left",
                     table->file, s->set.noise_file);
}

/* Check that the table has what is wanted, and append derived signals. */
static darc_status complete(darc_table *table, double *error,
                            const darc_session *s, const darc_derive_work *how,
                            darc_err *err)
{
    for (int i = 0; i < s->set.load.wanted; i++) {
        int k = darc_table_find(table, s->want[i]);
        if (k < 0)
            return darc_fail(err, DARC_DATA,
                             "%s: error: no signal '%s', which the model needs",
                             table->file, s->want[i]);
        DARC_NEED(darc_table_convert(table, k, s->unit[i], err));
    }
    DARC_NEED(check_rate(s, table, err));
    darc_cut_sides(table, s->model);
    return darc_derive_by(table, error, s->model, s->needed, how, err);
}

darc_status darc_session_complete(const darc_session *s, darc_table *table,
                                  darc_err *err)
{
    size_t names = (size_t)darc_model_names(s->model)->count;
    double *error = darc_calloc(names, sizeof *error);
    darc_derive_work how = {.threads = 1};
    darc_status status = complete(table, error, s, &how, err);
    darc_free(error);
    return status;
}

/* Say where derived signals have no value, and which carry large errors. */
static void note_derived(darc_session *s, const darc_table *table,
                         const double *error)
{
    const darc_names_struct *names = darc_model_names(s->model);
    for (int i = 0; i < table->derivations; i++) {
        const darc_derivation *d = table->derivation + i;
        if (d->missing > 0)
            darc_session_note(s,
                              "%s: derived signal '%s': %s; %zu samples "
                              "without a value are gaps",
                              table->file, names->symbol[d->unknown].name,
                              d->reason, d->missing);
    }
    for (int u = 0; u < names->count; u++) {
        if (darc_derived_expr(s->model, u) == NULL || !s->needed[u] ||
            error[u] == 0)
            continue;
        double share = carry_error(s->held_noise, s, table, u, error[u]);
        if (share > DARC_NOTABLE_SHARE)
            darc_session_detail(s,
                                "%s: derived signal '%s' has an error of about "
                                "%s of its RMS from what it is computed from",
                                table->file, names->symbol[u].name,
                                darc_percent_of(share).text);
    }
}

darc_status darc_session_prepare(darc_session *s, darc_table *table,
                                 darc_err *err)
{
    size_t names = (size_t)darc_model_names(s->model)->count;
    double *error = darc_calloc(names, sizeof *error);
    darc_derive_work how = {.threads = darc_session_threads(s),
                            .budget = s->budget};
    darc_status status = check_rest(s, table, err);
    DARC_THEN(complete(table, error, s, &how, err));
    for (int i = 0; i < table->remarks && status == DARC_OK; i++)
        darc_session_note(s, "%s: %s", table->file, table->remark[i]);
    if (status == DARC_OK)
        note_derived(s, table, error);
    darc_free(error);
    return status;
}

/* Measure the noise of unknown u, which is column k. */
static darc_status measure_noise(darc_session *s, const darc_table *table,
                                 int u, int k, darc_err *err)
{
    const char *name = darc_model_names(s->model)->symbol[u].name;
    if (!isnan(s->noise[u]))
        return darc_fail(
            err, DARC_USAGE,
            "--noise: that of '%s' is given as a number and by the "
            "recording %s: choose one",
            name, table->file);
    s->resting_variance[u] = darc_lanes_variance(table->signal[k].value, table);
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
    DARC_CALLOC((size_t)names->count, s->resting, s->resting_variance);
    s->resting_dt = table->dt;
    for (int u = 0; u < names->count; u++) {
        int k = darc_table_find(table, names->symbol[u].name);
        if (k < 0 || !s->needed[u] || darc_derived_expr(s->model, u) != NULL ||
            names->symbol[u].kind == DARC_TIME)
            continue;
        DARC_TRY(measure_noise(s, table, u, k, err));
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
