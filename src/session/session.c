#include "session/session_inside.h"

#include "base/mem.h"
#include "base/text.h"
#include "derive/derive.h"
#include "model/derived.h"
#include "noise/noise.h"
#include "stats/lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void darc_session_settings_init(darc_session_settings *o)
{
    *o = (darc_session_settings){.method = DARC_METHOD_AUTO,
                                 .alpha = 0.01,
                                 .engine = DARC_ENGINE_AUTO,
                                 .diff = "central4"};
    darc_load_options_init(&o->load);
}

/* list -> name { ',' name } */
static darc_status set_changed(darc_session *s, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(s->model);
    const char *list = s->set.changed;
    s->changed = darc_calloc((size_t)names->count, sizeof *s->changed);
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, ",");
        int u = darc_names_find(names, list, n);
        if (u < 0 || names->symbol[u].kind != DARC_PARAMETER)
            return darc_fail(err, DARC_USAGE,
                             "changed: '%.*s' is no parameter of the model "
                             "'%s'",
                             (int)n, list, darc_model_name(s->model));
        s->changed[u] = true;
        list += n + (list[n] == ',');
    }
    return DARC_OK;
}

static darc_status set_noise(darc_session *s, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(s->model);
    s->noise = darc_calloc((size_t)names->count, sizeof *s->noise);
    s->share = darc_calloc((size_t)names->count, sizeof *s->share);
    for (int u = 0; u < names->count; u++)
        s->noise[u] = NAN;
    for (int i = 0; i < s->set.noises; i++) {
        const char *name = s->set.noise_name[i];
        int u = darc_names_find(names, name, strlen(name));
        if (u < 0)
            return darc_fail(err, DARC_USAGE,
                             "noise: the model has no signal '%s'", name);
        if (!(s->set.noise_sd[i] >= 0) || isinf(s->set.noise_sd[i]))
            return darc_fail(err, DARC_USAGE,
                             "noise: %s: a standard deviation is a number, "
                             "not negative",
                             name);
        s->noise[u] = s->set.noise_sd[i];
    }
    return DARC_OK;
}

static darc_status set_diff(darc_session *s, darc_err *err)
{
    darc_status status = darc_diff_spec_parse(&s->diff, s->set.diff, err);
    if (status != DARC_OK && err != NULL)
        err->status = DARC_USAGE;
    return status == DARC_OK ? DARC_OK : DARC_USAGE;
}

/* Say of which functions the relation knows less than the model. */
static void note_functions(darc_session *s)
{
    darc_text_t text;
    darc_text_init(text);
    for (int i = 0; i < darc_adjoined_count(s->model); i++) {
        if (darc_adjoined_is_exact(s->model, i))
            continue;
        darc_text_reset(text);
        darc_expr_print(text, darc_adjoined_expr(s->model, i));
        int u = darc_adjoined_unknown(s->model, i);
        darc_session_note(
            s,
            "'%s' stands for %s up to a constant of integration; a change of "
            "parameters that this constant can absorb is not seen",
            darc_model_names(s->model)->symbol[u].name, text->s);
    }
    darc_text_clear(text);
}

/* Set needed[u] to whether unknown u occurs in the io-equations. */
static void mark_signals(bool *needed, const darc_session *s)
{
    const darc_jet_struct *jet = s->io->jet;
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    for (int e = 0; e < s->io->count; e++)
        for (slong k = 0; k < s->io->eq[e].part->count; k++) {
            darc_dpoly_used(used, s->io->eq[e].part->p + k, jet);
            for (slong v = 0; v < jet->vars; v++)
                if (used[v])
                    needed[jet->deriv[v].unknown] = true;
        }
    darc_free(used);
}

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

/* Shares below this one are not worth a note. */
static const double notable_share = 1e-6;

/* Derived signals carry the errors of what they are computed from as noise,
 * where it is more than the noise that they show themselves.  Raise noise and
 * share of derived signal u to what the table says; return its share. */
static double carry_error(double *noise, double *share, const darc_session *s,
                          const darc_table *table, int u, double error)
{
    const darc_names_struct *names = darc_model_names(s->model);
    int column = darc_table_find(table, names->symbol[u].name);
    double rms = rms_of(table->signal[column].value, table);
    double part = rms > 0 ? error / rms : 1;
    darc_noise own;
    darc_noise_estimate(&own, table, column);
    double sd = fmax(error, own.sd);
    if (darc_derive_is_estimated(s->model, u))
        share[u] = fmax(share[u], part);
    if (isnan(noise[u]) || noise[u] < sd)
        noise[u] = sd;
    return part;
}

/* Check that the table has what is wanted, and append derived signals. */
static darc_status complete(darc_table *table, double *error,
                            const darc_session *s, const darc_derive_work *how,
                            darc_err *err)
{
    for (int i = 0; i < s->set.load.wanted; i++)
        if (darc_table_find(table, s->want[i]) < 0)
            return darc_fail(err, DARC_DATA,
                             "%s: error: no signal '%s', which the model "
                             "needs",
                             table->file, s->want[i]);
    darc_status status = darc_session_same_rate(s, table, err);
    return status != DARC_OK
               ? status
               : darc_derive_by(table, error, s->model, s->needed, how, err);
}

static bool has_error(const darc_session *s, const double *error, int u)
{
    return darc_derived_find(s->model, u) >= 0 && s->needed[u] && error[u] != 0;
}

darc_status darc_session_complete(const darc_session *s, darc_table *table,
                                  double *noise, double *share, darc_err *err)
{
    int names = darc_model_names(s->model)->count;
    double *error = darc_calloc((size_t)names, sizeof *error);
    memcpy(noise, s->noise, (size_t)names * sizeof *noise);
    memcpy(share, s->share, (size_t)names * sizeof *share);
    darc_derive_work how = {.threads = 1};
    darc_status status = complete(table, error, s, &how, err);
    for (int u = 0; u < names && status == DARC_OK; u++)
        if (has_error(s, error, u))
            carry_error(noise, share, s, table, u, error[u]);
    darc_free(error);
    return status;
}

/* Say where derived signals have no value. */
static void note_missing(darc_session *s, const darc_table *table)
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
}

static void note_errors(darc_session *s, const darc_table *table,
                        const double *error)
{
    const darc_names_struct *names = darc_model_names(s->model);
    for (int u = 0; u < names->count; u++) {
        if (!has_error(s, error, u))
            continue;
        double share = carry_error(s->noise, s->share, s, table, u, error[u]);
        if (share > notable_share)
            darc_session_note(s,
                              "%s: derived signal '%s' has an error of about "
                              "%.2g %% of its RMS from what it is computed "
                              "from",
                              table->file, names->symbol[u].name, 100 * share);
    }
}

/* Find the signals that enter the io-equations, directly or through derived
 * ones, and which columns they take. */
static void find_signals(darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    s->needed = darc_calloc((size_t)names->count, sizeof *s->needed);
    s->want = darc_calloc((size_t)names->count, sizeof *s->want);
    mark_signals(s->needed, s);
    darc_derive_mark(s->needed, s->model);
    for (int u = 0; u < names->count; u++)
        if (s->needed[u] && darc_derived_find(s->model, u) < 0 &&
            names->symbol[u].kind != DARC_TIME)
            s->want[s->set.load.wanted++] = names->symbol[u].name;
    s->set.load.want = s->want;
}

darc_status darc_session_new(darc_session **session, const darc_model *model,
                             const darc_session_settings *settings,
                             const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_session *s = darc_calloc(1, sizeof *s);
    if (settings != NULL)
        s->set = *settings;
    else
        darc_session_settings_init(&s->set);
    s->budget = budget;
    s->model = model;
    s->set.load.wanted = 0;
    darc_text_init(s->json);
    darc_text_init(s->html);
    note_functions(s);
    s->kept = s->notes;
    DARC_TRY(set_changed(s, err));
    DARC_TRY(set_noise(s, err));
    DARC_TRY(set_diff(s, err));
    DARC_TRY(darc_session_derive(s, err));
    find_signals(s);
    if (s->set.method != DARC_METHOD_POINTWISE)
        darc_session_part(s);
    DARC_TRY(darc_session_rest(s, err));
    *session = s;
done:
    if (status != DARC_OK)
        darc_session_free(s);
    return status;
}

void darc_session_free(darc_session *s)
{
    if (s == NULL)
        return;
    darc_session_forget(s);
    for (int i = 0; i < s->recordings; i++)
        darc_table_free(s->table[i]);
    darc_free(s->table);
    darc_session_join(s);
    if (s->has_io)
        darc_ioeqs_clear(s->io);
    darc_free(s->changed);
    darc_free(s->noise);
    for (int u = 0; s->resting != NULL && u < darc_model_names(s->model)->count;
         u++)
        darc_noisemodel_clear(s->resting + u);
    darc_free(s->resting);
    darc_free(s->share);
    darc_free(s->needed);
    darc_free((void *)s->want);
    for (int i = 0; i < s->notes; i++)
        darc_free(s->note[i]);
    darc_text_clear(s->json);
    darc_text_clear(s->html);
    darc_free(s);
}

darc_status darc_session_add_take(darc_session *s, darc_table *table,
                                  darc_err *err)
{
    darc_status status = DARC_OK;
    size_t names = (size_t)darc_model_names(s->model)->count;
    double *error = darc_calloc(names, sizeof *error);
    darc_derive_work how = {.threads = darc_session_threads(s),
                            .budget = s->budget};
    DARC_TRY(complete(table, error, s, &how, err));
    note_missing(s, table);
    note_errors(s, table, error);
    s->kept = s->notes;
    s->table =
        darc_realloc(s->table, (size_t)s->recordings + 1, sizeof *s->table);
    s->table[s->recordings++] = table;
done:
    if (status != DARC_OK)
        darc_table_free(table);
    darc_free(error);
    return status;
}

darc_status darc_session_read(darc_session *s, const char *file, darc_err *err)
{
    darc_table *table;
    darc_session_forget(s);
    darc_status status = darc_table_load(&table, file, &s->set.load, err);
    return status == DARC_OK ? darc_session_add_take(s, table, err) : status;
}

void darc_session_note(darc_session *s, const char *format, ...)
{
    if (s->notes == DARC_SESSION_NOTES)
        return;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->note[s->notes++] = darc_strdup(text);
}

int darc_session_threads(const darc_session *s)
{
    long n =
        s->set.threads > 0 ? s->set.threads : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}
