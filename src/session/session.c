#include "session/session.h"

#include "base/mem.h"
#include "data/bridge.h"
#include "decide/decision.h"
#include "decide/wide.h"
#include "emit/parts.h"
#include "model/derived.h"
#include "page/page.h"
#include "report/isolation.h"
#include "report/report.h"
#include "session/equations.h"
#include "session/hold_over_time.h"
#include "session/hold_pointwise.h"
#include "session/hold_weak.h"
#include "session/resting.h"
#include "session/signals.h"
#include "session/values.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool holds_changed(const darc_session *s, const darc_expr *e)
{
    bool holds = darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN &&
                 e->unknown >= 0 && s->changed[e->unknown];
    for (int i = 0; i < e->count && !holds; i++)
        holds = holds_changed(s, e->child[i]);
    return holds;
}

/* Functions of parameters that change, which are parameters too, change. */
static void change_functions(darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    for (int i = 0; i < darc_adjoined_count(s->model); i++) {
        int u = darc_adjoined_unknown(s->model, i);
        if (names->symbol[u].kind == DARC_PARAMETER)
            s->changed[u] = s->changed[u] ||
                            holds_changed(s, darc_adjoined_expr(s->model, i));
    }
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
    change_functions(s);
    return DARC_OK;
}

static void set_noise(darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    s->noise = darc_calloc((size_t)names->count, sizeof *s->noise);
    s->held_noise = darc_calloc((size_t)names->count, sizeof *s->held_noise);
    for (int u = 0; u < names->count; u++)
        s->noise[u] = NAN;
    for (int i = 0; i < s->set.noises; i++) {
        const char *name = s->set.noise_name[i];
        int u = darc_names_find(names, name, strlen(name));
        assert(u >= 0 && s->set.noise_sd[i] >= 0);
        s->noise[u] = s->set.noise_sd[i];
    }
}

static void set_holds(darc_session *s)
{
    const darc_names_struct *names = darc_model_names(s->model);
    s->hold = darc_calloc((size_t)names->count, sizeof *s->hold);
    for (int u = 0; u < names->count; u++)
        s->hold[u] = darc_model_is_held(s->model, u);
    for (int i = 0; i < s->set.holds; i++) {
        const char *name = s->set.hold[i];
        s->hold[darc_names_find(names, name, strlen(name))] = true;
    }
}

/* Say of which functions the relation knows less than the model. */
static void note_functions(darc_session *s)
{
    for (int i = 0; i < darc_adjoined_count(s->model); i++) {
        if (darc_adjoined_is_exact(s->model, i))
            continue;
        int u = darc_adjoined_unknown(s->model, i);
        darc_session_note(
            s,
            "%s is known up to a constant of integration; a change of "
            "parameters that this constant can absorb is not seen",
            darc_model_names(s->model)->symbol[u].name);
    }
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
    if (s->has_isolation) {
        darc_isolation_clear(&s->isolation);
        darc_isolate_clear(&s->result);
    }
    s->has_isolation = false;
    darc_free(s->data);
    s->data = NULL;
    drop_notes(s, s->kept);
    s->report = (darc_report){0};
}

void darc_session_drop(darc_session *s)
{
    int names = darc_model_names(s->model)->count;
    darc_session_forget(s);
    for (int i = 0; i < s->recordings; i++)
        darc_table_free(s->table[i]);
    darc_free(s->table);
    s->table = NULL;
    s->recordings = 0;
    drop_notes(s, s->own);
    for (int u = 0; u < names && s->held_noise != NULL; u++)
        s->held_noise[u] = s->noise[u];
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
    darc_text_init(s->text);
    note_functions(s);
    s->kept = s->notes;
    DARC_TRY(set_changed(s, err));
    DARC_TRY(darc_lost_find(&s->lost, model, budget, err));
    set_noise(s);
    set_holds(s);
    if (darc_diff_spec_parse(&s->diff, s->set.diff, err) != DARC_OK) {
        status = DARC_USAGE;
        if (err != NULL)
            err->status = status;
        goto done;
    }
    DARC_TRY(darc_session_derive(s, err));
    darc_session_find_signals(s);
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

darc_status darc_session_open(darc_session **s, const darc_model *model,
                              const darc_options *options,
                              const darc_budget *budget, darc_err *err)
{
    darc_asked *c = darc_calloc(1, sizeof *c);
    darc_status status =
        darc_asked_init(c, model, options, DARC_CMD_CHECK, err);
    if (status == DARC_OK)
        status = darc_session_new(s, model, &c->set, budget, err);
    if (status == DARC_OK) {
        (*s)->asked = c;
        return DARC_OK;
    }
    darc_asked_clear(c);
    darc_free(c);
    return status;
}

void darc_session_free(darc_session *s)
{
    if (s == NULL)
        return;
    darc_session_drop(s);
    darc_session_join(s);
    if (s->has_id)
        darc_identification_clear(s->id);
    if (s->has_io)
        darc_ioeqs_clear(s->io);
    darc_free(s->changed);
    darc_free(s->noise);
    darc_free(s->hold);
    darc_free(s->resting);
    darc_free(s->held_noise);
    darc_free(s->needed);
    darc_free((void *)s->want);
    darc_free((void *)s->unit);
    darc_text_clear(s->text);
    if (s->asked != NULL)
        darc_asked_clear(s->asked);
    darc_free(s->asked);
    darc_free(s);
}

darc_status darc_session_add_take(darc_session *s, darc_table *table,
                                  darc_err *err)
{
    darc_session_forget(s);
    if (s->set.method != DARC_METHOD_POINTWISE)
        darc_table_bridge(table);
    darc_status status = darc_session_prepare(s, table, err);
    if (status != DARC_OK) {
        darc_table_free(table);
        return status;
    }
    s->kept = s->notes;
    s->table =
        darc_realloc(s->table, (size_t)s->recordings + 1, sizeof *s->table);
    s->table[s->recordings++] = table;
    return DARC_OK;
}

darc_status darc_session_read(darc_session *s, const char *file, darc_err *err)
{
    darc_table *table;
    darc_status status = darc_table_load(&table, file, &s->set.load, err);
    return status == DARC_OK ? darc_session_add_take(s, table, err) : status;
}

void darc_session_keep_series(darc_session *s, bool keep)
{
    s->set.series = keep;
}

void darc_session_fill_data(darc_session *s)
{
    s->data = darc_calloc((size_t)s->recordings, sizeof *s->data);
    for (int i = 0; i < s->recordings; i++) {
        const darc_table *t = s->table[i];
        size_t used = s->holding.count == 0
                          ? t->samples
                          : s->holding.report[0].residual.used;
        s->data[i] = (darc_report_data){t->file, t->samples,
                                        t->dt > 0 ? 1 / t->dt : NAN, used};
    }
}

static const char *command_line(const darc_session *s)
{
    return s->asked != NULL ? s->asked->options.command_line : "";
}

static void say_reason(const darc_session *s, darc_decision *d)
{
    char *reason = darc_session_say(s, d->reason);
    snprintf(d->reason, sizeof d->reason, "%s", reason);
    darc_free(reason);
}

static void fill_report(darc_session *s, darc_test test)
{
    const darc_holding *h = &s->holding;
    s->report =
        (darc_report){.command = "check",
                      .test = darc_emit_test(test),
                      .command_line = command_line(s),
                      .model_name = darc_model_name(s->model),
                      .model_file = darc_model_file(s->model),
                      .changed = test == DARC_CHANGED ? s->set.changed : NULL,
                      .recordings = s->recordings,
                      .data = s->data,
                      .relations = h->count,
                      .relation = h->report,
                      .deciding = h->deciding,
                      .decision = h->decision,
                      .estimates = h->estimates,
                      .estimate = h->estimate,
                      .values = s->values,
                      .value = s->value,
                      .notes = s->notes,
                      .note = (const char *const *)s->note,
                      .detail = s->detail};
    if (h->stretches.count == 0)
        return;
    s->report.stretches = h->stretches.count;
    s->report.stretch = h->stretch;
    s->report.functions = h->stretches.pair->functions;
    s->report.function = (const char *const *)h->stretches.pair->function;
}

static darc_status count_recordings(const darc_session *s, int wanted,
                                    darc_err *err)
{
    if (s->recordings == wanted)
        return DARC_OK;
    return darc_fail(err, DARC_USAGE,
                     "the test takes %d recording%s, the session has %d",
                     wanted, wanted == 1 ? "" : "s", s->recordings);
}

/* Hold the relations of the test against the recordings: the weak form where it
 * applies, else the pointwise residual, with a note why. */
static darc_status hold(darc_session *s, darc_test test, darc_err *err)
{
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_hold_pointwise(s, test, err);
    if (s->set.method == DARC_METHOD_WEAK)
        return darc_hold_weak(s, test, err);
    darc_err why = {DARC_OK, ""};
    darc_status status = darc_hold_weak(s, test, &why);
    if (status == DARC_OK)
        return status;
    if (status != DARC_DATA && status != DARC_DOMAIN)
        return darc_fail(err, status, "%s", why.message);
    darc_session_note(s, "the weak form does not apply (%s): pointwise",
                      why.message);
    darc_session_join(s);
    status = darc_hold_pointwise(s, test, err);
    darc_session_part(s);
    return status;
}

/* What is consistent is undecided where equations know less than the model. */
static void withhold(darc_holding *h)
{
    darc_decision_withhold(&h->decision);
    for (int e = 0; e < h->count; e++)
        darc_decision_withhold(&h->report[e].decision);
}

darc_status darc_session_check(darc_session *s, darc_test test, darc_err *err)
{
    darc_session_forget(s);
    darc_status status =
        count_recordings(s, test == DARC_STRUCTURE ? 1 : 2, err);
    if (status != DARC_OK)
        return status;
    status = hold(s, test, err);
    if (status == DARC_OK && test == DARC_STRUCTURE && s->set.over_time)
        status = darc_hold_over_time(s, err);
    if (status != DARC_OK) {
        darc_session_forget(s);
        return status;
    }
    if (test == DARC_STRUCTURE ? s->lost.structure : s->lost.parameters)
        withhold(&s->holding);
    say_reason(s, &s->holding.decision);
    darc_session_fill_data(s);
    fill_report(s, test);
    return DARC_OK;
}

static darc_status isolate(darc_session *s, const darc_criteria *by,
                           darc_err *err)
{
    int n = 0;
    int *equation = darc_calloc((size_t)s->io->count, sizeof *equation);
    for (int e = 0; e < s->io->count; e++)
        if (!darc_wide_is(s->io, e))
            equation[n++] = e;
    darc_question x = {.model = s->model,
                       .io = s->io,
                       .equations = n,
                       .equation = equation,
                       .lost = s->lost.parameters,
                       .by = by,
                       .budget = s->budget,
                       .listen = darc_session_listen,
                       .user = s};
    darc_status status = darc_isolate_run(
        &s->result, &x, (const darc_table *const *)s->table, err);
    darc_free(equation);
    return status;
}

darc_status darc_session_isolate(darc_session *s, darc_err *err)
{
    darc_status status;
    darc_criteria by;
    darc_session_forget(s);
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_fail(err, DARC_USAGE,
                         "isolate compares estimates and needs the weak "
                         "method; check changed --method pointwise tests one "
                         "set of parameters");
    DARC_TRY(count_recordings(s, 2, err));
    darc_session_criteria(&by, s);
    DARC_TRY(isolate(s, &by, err));
    s->has_isolation = true;
    say_reason(s, &s->result.equal);
    darc_session_say_estimates(s, s->result.estimate, s->result.estimates);
    darc_session_fill_data(s);
    s->isolation = (darc_isolation){.command_line = command_line(s),
                                    .model_name = darc_model_name(s->model),
                                    .model_file = darc_model_file(s->model),
                                    .data = s->data,
                                    .values = s->values,
                                    .value = s->value,
                                    .notes = s->notes,
                                    .note = (const char *const *)s->note,
                                    .detail = s->detail};
    darc_isolation_set(&s->isolation, &s->result, darc_model_names(s->model));
done:
    return status;
}

const darc_isolation *darc_session_isolation(const darc_session *s)
{
    return s->has_isolation ? &s->isolation : NULL;
}

const darc_report *darc_session_report(const darc_session *s)
{
    return &s->report;
}

darc_verdict darc_session_verdict(const darc_session *s)
{
    const darc_report *r = &s->report;
    if (s->has_isolation)
        return s->isolation.verdict;
    return r->relations == 0 ? DARC_UNDECIDED : r->decision.verdict;
}

static void put_page(darc_session *s)
{
    darc_page page = {0};
    if (s->asked != NULL)
        darc_settings_page(&page, &s->asked->options);
    page.tables = s->recordings;
    page.table = (const darc_table *const *)s->table;
    if (s->has_isolation)
        darc_page_isolation(s->text, &s->isolation, &page);
    else if (s->report.relations == 0)
        darc_page_values(s->text, &s->report, &page);
    else
        darc_page_check(s->text, &s->report, &page);
    darc_settings_clear(&page);
}

const char *darc_session_text(darc_session *s, const char *format)
{
    const darc_options *o = s->asked != NULL ? &s->asked->options : NULL;
    bool quiet = o != NULL && darc_option_given(o, DARC_OPT_QUIET);
    bool verbose = o != NULL && darc_option_given(o, DARC_OPT_VERBOSE);
    bool html = strcmp(format, "html") == 0, json = strcmp(format, "json") == 0;
    if (!html && !json && strcmp(format, "text") != 0)
        return NULL;
    darc_text_reset(s->text);
    bool values = strcmp(s->report.command != NULL ? s->report.command : "",
                         "values") == 0;
    if (!s->has_isolation && s->report.relations == 0 && !values)
        return s->text->s;
    if (html)
        put_page(s);
    else if (values && json)
        darc_report_values_json(s->text, &s->report);
    else if (values)
        darc_report_values_print(s->text, &s->report, verbose);
    else if (json && s->has_isolation)
        darc_isolation_json(s->text, &s->isolation);
    else if (json)
        darc_report_json(s->text, &s->report);
    else if (s->has_isolation)
        darc_isolation_print(s->text, &s->isolation, quiet, verbose);
    else
        darc_report_print(s->text, &s->report, quiet, verbose);
    if (!html && !json) {
        char *text = darc_session_say(s, s->text->s);
        darc_text_reset(s->text);
        darc_text_puts(s->text, text);
        darc_free(text);
    }
    return s->text->s;
}
