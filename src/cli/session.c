#include "cli/session.h"

#include "base/mem.h"
#include "cli/recordings.h"
#include "cli/rewritten.h"
#include "darc/derive.h"
#include "darc/derived.h"
#include "darc/noise.h"
#include "darc/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static darc_status set_changed(darc_session *s, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_names_struct *names = darc_model_names(s->model);
    darc_pairs p;
    darc_option_pairs(&p, s->options, DARC_OPT_CHANGED);
    s->changed = darc_calloc((size_t)names->count, sizeof *s->changed);
    for (int i = 0; i < p.count; i++) {
        int u = darc_names_find(names, p.name[i], strlen(p.name[i]));
        if (u < 0 || names->symbol[u].kind != DARC_PARAMETER)
            DARC_TRY(darc_fail(err, DARC_USAGE,
                               "--changed: '%s' is no parameter of the "
                               "model '%s'",
                               p.name[i], darc_model_name(s->model)));
        s->changed[u] = true;
    }
done:
    darc_pairs_clear(&p);
    return status;
}

static darc_status derive(darc_session *s, darc_err *err)
{
    darc_status status;
    const darc_names_struct *names = darc_model_names(s->model);
    const char *text = darc_option_text(s->options, DARC_OPT_RANKING);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, s->model);
    if (text != NULL &&
        darc_ranking_set_text(rk, text, names, err) != DARC_OK) {
        status = DARC_USAGE;
        if (err != NULL)
            err->status = status;
        goto done;
    }
    DARC_TRY(darc_ioeqs_init(
        s->io, s->model, rk,
        (darc_engine)darc_option_choice(s->options, DARC_OPT_ENGINE), s->budget,
        err));
    s->has_io = true;
done:
    darc_ranking_clear(rk);
    return status;
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

darc_status darc_session_open(darc_session *s, const char *model_file,
                              const darc_options *o, const darc_budget *budget,
                              darc_err *err)
{
    darc_status status;
    *s = (darc_session){.options = o, .budget = budget};
    DARC_TRY(darc_model_read(&s->model, model_file, err));
    darc_cli_show_rewritten(o, s->model);
    note_functions(s);
    DARC_TRY(set_changed(s, err));
    const darc_names_struct *names = darc_model_names(s->model);
    s->noise = darc_calloc((size_t)names->count, sizeof *s->noise);
    s->share = darc_calloc((size_t)names->count, sizeof *s->share);
    DARC_TRY(darc_recording_noise(s->noise, o, names, err));
    DARC_TRY(derive(s, err));
done:
    if (status != DARC_OK)
        darc_session_close(s);
    return status;
}

void darc_session_close(darc_session *s)
{
    for (int i = 0; i < s->recordings; i++)
        darc_table_free(s->table[i]);
    darc_free(s->table);
    if (s->has_io)
        darc_ioeqs_clear(s->io);
    darc_model_free(s->model);
    darc_free(s->changed);
    darc_free(s->noise);
    darc_free(s->share);
    for (int i = 0; i < s->notes; i++)
        darc_free(s->note[i]);
    *s = (darc_session){0};
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
    double sum = 0, n = 0;
    for (int s = 0; s < table->segments; s++)
        for (size_t i = table->segment[s].begin; i < table->segment[s].end;
             i++, n++)
            sum += x[i] * x[i];
    return sqrt(sum / n);
}

/* Shares below this one are not worth a note. */
static const double notable_share = 1e-6;

/* Derived signals carry the errors of what they are computed from as noise,
 * where it is more than the noise that they show themselves. */
static void note_errors(darc_session *s, const darc_table *table,
                        const double *error, const bool *needed)
{
    const darc_names_struct *names = darc_model_names(s->model);
    for (int u = 0; u < names->count; u++) {
        if (darc_derived_find(s->model, u) < 0 || !needed[u] || error[u] == 0)
            continue;
        int column = darc_table_find(table, names->symbol[u].name);
        double rms = rms_of(table->signal[column].value, table);
        double share = rms > 0 ? error[u] / rms : 1;
        darc_noise noise;
        darc_noise_estimate(&noise, table, column);
        double sd = fmax(error[u], noise.sd);
        if (share > notable_share)
            darc_session_note(s,
                              "%s: derived signal '%s' has an error of about "
                              "%.2g %% of its RMS from what it is computed "
                              "from",
                              table->file, names->symbol[u].name, 100 * share);
        if (darc_derive_is_estimated(s->model, u))
            s->share[u] = fmax(s->share[u], share);
        if (isnan(s->noise[u]) || s->noise[u] < sd)
            s->noise[u] = sd;
    }
}

static darc_status derive_signals(darc_session *s, const bool *needed,
                                  darc_err *err)
{
    size_t names = (size_t)darc_model_names(s->model)->count;
    double *error = darc_calloc(names, sizeof *error);
    darc_status status = DARC_OK;
    for (int i = 0; i < s->recordings && status == DARC_OK; i++) {
        status = darc_derive(s->table[i], error, s->model, needed, err);
        if (status == DARC_OK)
            note_errors(s, s->table[i], error, needed);
    }
    darc_free(error);
    return status;
}

void darc_session_signals(bool *measured, bool *needed, const darc_session *s)
{
    mark_signals(needed, s);
    darc_derive_mark(needed, s->model);
    for (int u = 0; u < darc_model_names(s->model)->count; u++)
        measured[u] = needed[u] && darc_derived_find(s->model, u) < 0;
}

darc_status darc_session_load(darc_session *s, int recordings,
                              const char *const *file, darc_err *err)
{
    darc_status status;
    const darc_names_struct *names = darc_model_names(s->model);
    bool *needed = darc_calloc(2 * (size_t)names->count, sizeof *needed);
    bool *measured = needed + names->count;
    darc_recording_options r;
    darc_session_signals(measured, needed, s);
    DARC_TRY(darc_recording_options_init(&r, s->options, names, measured, err));
    s->table = darc_calloc((size_t)recordings, sizeof *s->table);
    s->recordings = recordings;
    for (int i = 0; i < recordings && status == DARC_OK; i++)
        status = darc_table_load(&s->table[i], file[i], &r.load, err);
    darc_recording_options_clear(&r);
    if (status == DARC_OK)
        status = derive_signals(s, needed, err);
done:
    darc_free(needed);
    return status;
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

int darc_session_threads(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

/* Errors of estimated derivatives in derived signals move parameters; up to
 * three times their RMS share of a signal does not count as a change. */
double darc_session_tolerance(darc_session *s)
{
    double tolerance = darc_option_real(s->options, DARC_OPT_TOLERANCE);
    double most = 0;
    for (int u = 0; u < darc_model_names(s->model)->count; u++)
        most = fmax(most, 3 * s->share[u]);
    if (most <= tolerance)
        return tolerance;
    darc_session_note(s,
                      "derivatives in derived signals are estimates: changes "
                      "below %.2g %% do not count",
                      100 * most);
    return most;
}
