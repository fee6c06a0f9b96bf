#include "derive/derive.h"
#include "session/state.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "base/text.h"
#include "darc/apart.h"
#include "data/part.h"
#include "data/table.h"
#include "model/model.h"
#include "noise/faults.h"
#include "report/report.h"
#include "simulate/plant.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool holds_changed(const darc_session *s, const darc_expr *e)
{
    bool holds = darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN &&
                 e->unknown >= 0 && s->changed[e->unknown];
    for (int i = 0; i < e->count && !holds; i++)
        holds = holds_changed(s, e->child[i]);
    return holds;
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
                             "--changed: '%.*s' is no parameter of the model "
                             "'%s'",
                             (int)n, list, darc_model_name(s->model));
        s->changed[u] = true;
        list += n + (list[n] == ',');
    }
    /* Functions of parameters that change, which are parameters too, change. */
    for (int i = 0; i < darc_adjoined_count(s->model); i++) {
        int u = darc_adjoined_unknown(s->model, i);
        if (names->symbol[u].kind == DARC_PARAMETER)
            s->changed[u] |= holds_changed(s, darc_adjoined_expr(s->model, i));
    }
    return DARC_OK;
}

static void set_session_signals(darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    DARC_CALLOC((size_t)names->count, s->noise, s->held_noise, s->hold);
    for (int u = 0; u < names->count; u++) {
        s->noise[u] = NAN;
        s->hold[u] = darc_model_is_held(s->model, u);
        bool mean = names->symbol[u].kind == DARC_INPUT &&
                    darc_model_side(s->model, u) != 0;
        if (mean && s->until == NULL)
            s->until = darc_calloc((size_t)names->count, sizeof *s->until);
        if (mean)
            s->until[u] = true;
    }
    for (int i = 0; i < s->set.noises; i++) {
        const char *name = s->set.noise_name[i];
        int u = darc_names_find(names, name, strlen(name));
        assert(u >= 0 && s->set.noise_sd[i] >= 0);
        s->noise[u] = s->set.noise_sd[i];
    }
    for (int i = 0; i < s->set.holds; i++) {
        const char *name = s->set.hold[i];
        s->hold[darc_names_find(names, name, strlen(name))] = true;
    }
}

/* Doses are followed by trajectories alone. */
static darc_status choose_method(darc_session *s, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(s->model);
    for (int u = 0; u < names->count; u++) {
        if (!darc_is_dose(s->model, u))
            continue;
        if (s->set.method != DARC_METHOD_AUTO &&
            s->set.method != DARC_METHOD_TRAJECTORY)
            return darc_fail(err, DARC_USAGE,
                             "input '%s' is given in doses, which trajectories "
                             "follow: --method trajectory",
                             names->symbol[u].name);
        s->set.method = DARC_METHOD_TRAJECTORY;
    }
    s->set.load.sparse = s->set.method == DARC_METHOD_TRAJECTORY;
    s->set.load.bridge = s->set.load.bridge && !s->set.load.sparse;
    return DARC_OK;
}

darc_status darc_session_needs_weak(const darc_session *s, darc_err *err)
{
    return s->set.method != DARC_METHOD_TRAJECTORY
               ? DARC_OK
               : darc_fail(err, DARC_USAGE,
                           "this command holds recordings by the weak form, "
                           "not by trajectories, which a model with doses "
                           "needs");
}

/* Drop notes behind the first n. */
static void drop_notes(darc_session *s, int n)
{
    while (s->notes > n)
        darc_free(s->note[--s->notes]);
    s->kept = s->notes < s->kept ? s->notes : s->kept;
}

/* Drop the result of the last check. */
void darc_session_forget(darc_session *s)
{
    darc_session_forget_values(s);
    darc_holding_clear(&s->holding);
    darc_free(s->each);
    s->each = NULL;
    if (s->has_isolation && s->told == NULL) {
        darc_isolation_clear(&s->isolation);
        darc_isolate_clear(&s->result);
    }
    s->has_isolation = false;
    darc_apart_free(s->told);
    s->told = NULL;
    darc_free(s->data);
    s->data = NULL;
    s->answer = NULL;
    if (s->linear != NULL)
        s->linear->asked = NULL;
    darc_session_free(s->linear);
    darc_model_free(s->near);
    s->linear = NULL;
    s->near = NULL;
    drop_notes(s, s->kept);
    s->report = (darc_report){0};
}

void darc_session_take_back(darc_session *s)
{
    if (s->integrated == NULL)
        return;
    s->integrated->recordings = 0;
    darc_session_drop(s->integrated);
}

void darc_session_drop(darc_session *s)
{
    darc_session_forget(s);
    darc_session_take_back(s);
    DARC_ALL_OF(darc_table_free, s->table, s->recordings);
    darc_free(s->table);
    darc_table_free(s->beside);
    s->beside = NULL;
    s->table = NULL;
    s->spoilt = false;
    s->recordings = 0;
    drop_notes(s, s->own);
    if (s->held_noise != NULL)
        memcpy(s->held_noise, s->noise,
               (size_t)darc_model_names(s->model)->count * sizeof *s->noise);
}

/* Find the signals that enter the io-equations, directly or through derived
 * ones, and which columns they take. */
static void find_signals(darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    DARC_CALLOC((size_t)names->count, s->needed, s->want, s->unit);
    const darc_jet_struct *jet = s->io->jet;
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    for (int e = 0; e < s->io->count; e++)
        for (slong k = 0; k < s->io->eq[e].part->count; k++) {
            darc_dpoly_used(used, s->io->eq[e].part->p + k, jet);
            for (slong v = 0; v < jet->vars; v++)
                s->needed[jet->deriv[v].unknown] |= used[v] != 0;
        }
    darc_free(used);
    darc_derive_mark(s->needed, s->model);
    for (int u = 0; u < names->count; u++)
        if (s->needed[u] && darc_derived_expr(s->model, u) == NULL &&
            names->symbol[u].kind != DARC_TIME) {
            s->unit[s->set.load.wanted] = darc_model_unit(s->model, u);
            s->want[s->set.load.wanted++] = names->symbol[u].name;
        }
    s->set.load.want = s->want;
    s->set.load.units = s->set.load.wanted;
    s->set.load.unit_name = s->want;
    s->set.load.unit = s->unit;
}

/* What is eliminated beside the sign of a state does not hold where that turns.
 */
static darc_status refuse_signs(const darc_model *model, darc_err *err)
{
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        const darc_expr *e = darc_adjoined_expr(model, i);
        int u = darc_adjoined_unknown(model, i);
        if (e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_ABS &&
            darc_model_names(model)->symbol[u].kind == DARC_STATE)
            return darc_fail(err, DARC_MODEL,
                             "%s:%d:%d: error: 'abs' or 'sign' of what is not "
                             "measured: where it changes its sign no "
                             "equation between signals holds; measure it, or "
                             "ask 'darc identify' alone",
                             darc_model_file(model), e->place.line,
                             e->place.column);
    }
    return DARC_OK;
}

darc_status darc_session_new(darc_session **session, const darc_model *model,
                             const darc_session_settings *settings,
                             const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_err why = {DARC_OK, ""};
    darc_session *s = darc_calloc(1, sizeof *s);
    if (settings != NULL)
        s->set = *settings;
    else
        darc_session_settings_init(&s->set);
    s->budget = budget;
    s->model = model;
    s->set.load.wanted = 0;
    darc_text_init(s->text);
    for (int i = 0; i < darc_model_remarks(model); i++)
        darc_session_detail(s, "%s", darc_model_remark(model, i));
    DARC_TRY(refuse_signs(model, err));
    /* Of some functions the relation knows less than the model. */
    for (int i = 0; i < darc_adjoined_count(model); i++)
        if (!darc_adjoined_is_exact(model, i))
            darc_session_note(
                s,
                "%s is known up to a constant of integration; a change of "
                "parameters that this constant can absorb is not seen",
                darc_model_names(model)
                    ->symbol[darc_adjoined_unknown(model, i)]
                    .name);
    s->kept = s->notes;
    DARC_TRY(set_changed(s, err));
    DARC_TRY(choose_method(s, err));
    DARC_TRY(darc_lost_find(&s->lost, model, budget, err));
    set_session_signals(s);
    if (darc_diff_spec_parse(&s->diff, s->set.diff, &why) != DARC_OK)
        DARC_TRY(darc_option_refuse(DARC_OPT_DIFF, &why, err));
    DARC_TRY(darc_session_derive(s, err));
    find_signals(s);
    if (s->set.method != DARC_METHOD_POINTWISE)
        darc_session_part(s);
    DARC_TRY(darc_session_rest(s, err));
    s->own = s->notes;
    darc_session_drop(s);
    *session = s;
done:
    if (status != DARC_OK)
        darc_session_free(s);
    return status;
}

static darc_status begin(darc_session **s, const darc_model *model,
                         const darc_options *options, const darc_budget *budget,
                         darc_err *err)
{
    darc_asked *c = darc_calloc(1, sizeof *c);
    darc_status status =
        darc_asked_init(c, model, options, DARC_CMD_CHECK, err);
    DARC_THEN(darc_session_new(s, model, &c->set, budget, err));
    if (status == DARC_OK) {
        (*s)->asked = c;
        return DARC_OK;
    }
    darc_asked_clear(c);
    darc_free(c);
    return status;
}

darc_status darc_session_open(darc_session **s, const darc_model *model,
                              const darc_options *options,
                              const darc_budget *budget, darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, begin(s, model, options, budget, err), err);
    return status;
}

void darc_session_integrated_free(darc_session *s)
{
    if (s->integrated != NULL) {
        s->integrated->asked = NULL;
        darc_session_take_back(s);
    }
    darc_session_free(s->integrated);
    darc_model_free(s->integral);
    darc_free(s->fixed);
    s->integrated = NULL;
    s->integral = NULL;
    s->fixed = NULL;
    s->sought = false;
}

void darc_session_free(darc_session *s)
{
    if (s == NULL)
        return;
    darc_session_drop(s);
    drop_notes(s, 0);
    darc_session_integrated_free(s);
    darc_session_join(s);
    if (s->has_id)
        darc_identification_clear(s->id);
    if (s->has_io)
        darc_ioeqs_clear(s->io);
    DARC_FREE(s->changed, s->noise, s->hold, s->until, s->resting,
              s->resting_variance, s->held_noise, s->needed, (void *)s->want,
              (void *)s->unit);
    darc_text_clear(s->text);
    if (s->asked != NULL)
        darc_asked_clear(s->asked);
    DARC_FREE(s->asked, s);
}

/* What is wrong with samples; outputs alone are never commands, and inputs
 * alone are held, whose noise nobody tells. */
static void mend(const darc_session *s, darc_table *table)
{
    const darc_names_struct *names = darc_model_names(s->model);
    size_t n = (size_t)table->signals;
    bool *computed = darc_calloc(2 * n, sizeof *computed), *held = computed + n;
    for (int i = 0; i < table->signals; i++) {
        const char *name = table->signal[i].name;
        int u = darc_names_find(names, name, strlen(name));
        computed[i] = u < 0 || names->symbol[u].kind != DARC_OUTPUT;
        held[i] = u >= 0 && names->symbol[u].kind == DARC_INPUT &&
                  isnan(s->noise[u]) && s->set.noise_file == NULL;
    }
    darc_faults_mend(table, computed, held);
    darc_free(computed);
}

darc_status darc_session_add_take(darc_session *s, darc_table *table,
                                  darc_err *err)
{
    darc_session_forget(s);
    mend(s, table);
    if (s->set.method != DARC_METHOD_POINTWISE &&
        s->set.method != DARC_METHOD_TRAJECTORY)
        darc_table_bridge(table);
    darc_status status = darc_session_prepare(s, table, err);
    if (status != DARC_OK) {
        darc_table_free(table);
        drop_notes(s, s->kept);
        return status;
    }
    s->table =
        darc_realloc(s->table, (size_t)s->recordings + 1, sizeof *s->table);
    s->table[s->recordings++] = table;
    s->kept = s->notes;
    return DARC_OK;
}

/* Read the file, or copy the samples, and add the recording. */
static darc_status add(volatile bool *began, darc_session *s, const char *file,
                       const darc_samples *from, darc_err *err)
{
    darc_table *t;
    darc_text_t stage = DARC_TEXT;
    darc_text_printf(stage, "reading %s", file != NULL ? file : "samples");
    darc_budget_progress(s->budget, &(darc_progress){.stage = stage->s});
    darc_text_clear(stage);
    if (file != NULL)
        DARC_NEED(darc_table_load(&t, file, &s->set.load, err));
    else
        DARC_NEED(darc_table_from_samples(&t, from, err));
    *began = true;
    return darc_session_add_take(s, t, err);
}

static darc_status attempt(darc_session *s, const char *file,
                           const darc_samples *from, darc_err *err)
{
    volatile bool began = false;
    darc_status status;
    DARC_ATTEMPT(status, add(&began, s, file, from, err), err);
    if (status != DARC_OK && began)
        s->notes = s->kept; /* the memory of others is gone */
    return status;
}

/* Add each recording of a long table. */
static darc_status read_each(darc_session *s, const char *file, darc_err *err)
{
    darc_parts p = {0};
    darc_status status;
    DARC_ATTEMPT(status, darc_parts_add(&p, file, s->set.load.each, err), err);
    if (status == DARC_LIMIT)
        return status; /* its memory is gone */
    for (int i = 0; i < p.count && status == DARC_OK; i++)
        status = attempt(s, p.name[i], NULL, err);
    darc_parts_clear(&p);
    return status;
}

darc_status darc_session_read(darc_session *s, const char *file, darc_err *err)
{
    return s->set.load.each != NULL ? read_each(s, file, err)
                                    : attempt(s, file, NULL, err);
}

darc_status darc_session_add_samples(darc_session *s,
                                     const darc_samples *samples, darc_err *err)
{
    return attempt(s, NULL, samples, err);
}

darc_status darc_session_count(const darc_session *s, int wanted, darc_err *err)
{
    bool more = s->set.method == DARC_METHOD_TRAJECTORY ||
                s->set.method == DARC_METHOD_AUTO;
    return s->recordings == wanted || (more && s->recordings > wanted)
               ? DARC_OK
               : darc_fail(err, DARC_USAGE,
                           "the test takes %d recording%s, and %d %s given%s",
                           wanted, wanted == 1 ? "" : "s", s->recordings,
                           s->recordings == 1 ? "is" : "are",
                           s->set.load.each == NULL
                               ? ""
                               : "; FILE[COLUMN=VALUE] takes one of --each");
}
