#include "session/state.h"

#include "base/budget.h"
#include "base/carrier.h"
#include "base/mem.h"
#include "decide/judgement.h"
#include "decide/reading.h"
#include "decide/wide.h"
#include "emit/parts.h"
#include "report/report.h"
#include "terms/jumps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void darc_session_keep_series(darc_session *s, bool keep)
{
    s->set.series = keep;
}

/* Tell of the recordings; of how many samples the question before this used, if
 * `used` has that of each. */
static void fill_data(darc_session *s, const size_t *used)
{
    darc_free(s->data);
    s->data = darc_calloc((size_t)s->recordings, sizeof *s->data);
    for (int i = 0; i < s->recordings; i++) {
        const darc_table *t = s->table[i];
        s->data[i] =
            (darc_report_data){t->file, t->samples, t->dt > 0 ? 1 / t->dt : NAN,
                               used != NULL ? used[i] : t->samples};
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

/* Set the report of a question. */
static void fill_report(darc_session *s, const char *command, const char *test,
                        const size_t *used)
{
    const darc_holding *h = &s->holding;
    const darc_judgement none = {0};
    const darc_judgement *j = h->judgements > 0 ? h->judgement : &none;
    fill_data(s, used);
    s->report = (darc_report){.command = command,
                              .test = test,
                              .command_line = command_line(s),
                              .model_name = darc_model_name(s->model),
                              .model_file = darc_model_file(s->model),
                              .relations = h->count,
                              .relation = h->report,
                              .notes = s->notes,
                              .note = (const char *const *)s->note,
                              .detail = s->detail};
    DARC_SAME(&s->report, s, recordings, data, values, value, overlays, overlay,
              profiles, profile);
    DARC_SAME(&s->report, h, deciding, decision, estimates, estimate);
    DARC_SAME(&s->report, j, noises, noise, helds, held);
    if (h->count == 0)
        s->report.decision.alpha = s->set.alpha;
    if (h->stretches.count == 0)
        return;
    s->report.stretches = h->stretches.count;
    s->report.stretch = h->stretch;
    s->report.functions = h->stretches.pair->functions;
    s->report.function = (const char *const *)h->stretches.pair->function;
}

/* Finite differences tell little of what is noisy: where they leave it
 * undecided, the reason says first why there is no weak form, or to try it. */
static void blame_differences(darc_session *s, const char *why)
{
    darc_decision *d = &s->holding.decision;
    char reason[sizeof d->reason];
    if (d->verdict != DARC_UNDECIDED)
        return;
    for (int r = 0; r < s->recordings && why != NULL; r++) {
        const char *file = s->table[r]->file;
        size_t n = strlen(file);
        if (strncmp(why, file, n) == 0 && strncmp(why + n, ": ", 2) == 0)
            why += n + 2; /* a note names it */
    }
    snprintf(reason, sizeof reason, "%s", d->reason);
    if (why != NULL)
        darc_decision_say(d, DARC_UNDECIDED,
                          "the weak form does not apply (%s), and by finite "
                          "differences %s",
                          why, reason);
    else
        darc_decision_say(d, DARC_UNDECIDED,
                          "%s; the weak method may tell more", reason);
}

/* Hold the relations of the test against the recordings: the weak form where it
 * applies, for short ones trajectories, else the pointwise residual, with a
 * note why. */
static darc_status hold_recordings(darc_session *s, darc_test test,
                                   darc_err *err)
{
    bool named = s->set.against != NULL && *s->set.against != '\0';
    if (s->set.method == DARC_METHOD_POINTWISE && named)
        return darc_fail(err, DARC_USAGE,
                         "--against adds terms to a fit and needs the weak "
                         "method");
    darc_err why = {DARC_OK, ""}, other = {DARC_OK, ""};
    darc_status status;
    if (s->set.method == DARC_METHOD_POINTWISE) {
        DARC_NEED(darc_hold_pointwise(s, test, err));
        blame_differences(s, NULL);
        return DARC_OK;
    }
    if (s->set.method == DARC_METHOD_WEAK)
        return darc_hold_weak(s, test, err);
    if (s->set.method == DARC_METHOD_TRAJECTORY ||
        s->recordings > (test == DARC_STRUCTURE ? 1 : 2))
        return darc_hold_trajectory(s, test, err);
    status = darc_hold_weak(s, test, &why);
    if (status == DARC_OK)
        return darc_hold_long(s, test, named, err);
    if (status != DARC_DATA && status != DARC_DOMAIN)
        return darc_fail_as(err, status, &why);
    if (darc_hold_trajectory_suits(s, named)) {
        status = darc_hold_trajectory(s, test, &other);
        if (status == DARC_OK) {
            darc_session_note(s,
                              "the weak form does not apply (%s): by "
                              "trajectories",
                              why.message);
            return status;
        }
        darc_holding_clear(&s->holding);
        darc_session_forget_values(s);
        darc_session_note(s, "nor by trajectories: %s", other.message);
    }
    darc_session_note(s, "the weak form does not apply (%s): pointwise%s",
                      why.message, named ? ", without --against" : "");
    darc_session_join(s);
    darc_err own = {DARC_OK, ""};
    status = darc_hold_pointwise(s, test, &own);
    if (status == DARC_OK)
        blame_differences(s, why.message);
    darc_session_part(s);
    if (status == DARC_DATA && strcmp(own.message, why.message) != 0)
        return darc_fail(err, status, "%s; by --method pointwise: %s",
                         why.message, own.message);
    return darc_fail_as(err, status, &own);
}

typedef struct {
    darc_session *s;
    darc_asking *ask;
    darc_test test;
} question;

static void carry(darc_carrier *c, darc_session **s)
{
    darc_carry(c, s, sizeof **s);
    if ((*s)->has_isolation)
        darc_carry_isolation(c, &(*s)->isolation);
    else
        darc_carry_report(c, &(*s)->report);
}

static darc_status answer_question(darc_answer *a, void *user,
                                   const darc_budget *budget, darc_err *err)
{
    const question *q = user;
    darc_session *s = q->s;
    s->budget = budget;
    DARC_NEED(q->ask(s, q->test, err));
    carry(&(darc_carrier){.to = a}, &s);
    return DARC_OK;
}

/* Ask in a child where that suits: what takes memory, and FLINT, ends it alone.
 * The residual of every sample may be too much to be handed over. */
static darc_status ask_apart(darc_session *s, darc_asking *ask, darc_test test,
                             darc_err *err)
{
    size_t n;
    char *bytes;
    darc_session *there;
    if (s->set.series || !darc_apart_suits(s->budget))
        return ask(s, test, err);
    DARC_NEED(darc_apart(&bytes, &n, answer_question, &(question){s, ask, test},
                         s->budget, err));
    carry(&(darc_carrier){.at = bytes}, &there);
    DARC_SAME(s, there, has_isolation, isolation, report);
    s->told = bytes;
    return DARC_OK;
}

static darc_status values_near(darc_session *s, darc_test test, darc_err *err)
{
    (void)test;
    return darc_session_values(s, err);
}

/* Ask as the model is written, and near what it, or a search, tells of
 * functions: where the first fails on the data, the second may do. */
static darc_status ask_also_near(darc_session *s, darc_asking *ask,
                                 darc_asking *near, darc_test test,
                                 darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    const darc_askings of = {near, darc_session_check, values_near};
    if (darc_model_has_dead_times(s->model))
        return darc_session_ask_late(s, &of, test, err);
    darc_status status = ask_apart(s, ask, test, &why);
    if (status == DARC_OK || status == DARC_DATA || status == DARC_DOMAIN)
        darc_session_ask_near(s, &of, test);
    return s->answer != NULL ? DARC_OK : darc_fail_as(err, status, &why);
}

static darc_status check_recordings(darc_session *s, darc_test test,
                                    darc_err *err)
{
    bool structure = test == DARC_STRUCTURE;
    darc_status status = hold_recordings(s, test, err);
    if (status == DARC_OK && structure && s->set.over_time)
        status = darc_hold_over_time(s, err);
    if (status != DARC_OK) {
        darc_session_forget(s);
        return status;
    }
    /* What is consistent is undecided where equations know less than the
     * model. */
    bool withheld = structure ? s->lost.structure : s->lost.parameters;
    if (withheld)
        darc_decision_withhold(&s->holding.decision);
    for (int e = 0; e < s->holding.count && withheld; e++)
        darc_decision_withhold(&s->holding.report[e].decision);
    if (s->set.overlay && !s->overlaid)
        darc_session_note(s, "no overlay: no values are known");
    say_reason(s, &s->holding.decision);
    const darc_holding *h = &s->holding;
    size_t used = h->count > 0 ? h->report[0].residual.used : 0;
    fill_report(s, "check", darc_emit_test(test),
                h->judgements > 0 ? h->judgement->used
                : h->results > 0  ? (size_t[]){used, used}
                                  : NULL);
    s->report.changed = test == DARC_CHANGED ? s->set.changed : NULL;
    return DARC_OK;
}

darc_status darc_session_check(darc_session *s, darc_test test, darc_err *err)
{
    darc_session_forget(s);
    bool structure = test == DARC_STRUCTURE;
    if (structure && s->recordings > 1 &&
        s->set.method != DARC_METHOD_TRAJECTORY)
        return darc_session_check_each(s, darc_session_check, err);
    DARC_NEED(darc_session_count(s, structure ? 1 : 2, err));
    if (test == DARC_CHANGED && s->set.changed == NULL)
        return darc_fail(err, DARC_USAGE,
                         "check changed: say which parameters, by the option "
                         "changed (m,c)");
    darc_session *exact = NULL;
    DARC_NEED(darc_session_integrated(&exact, s, err));
    if (exact != NULL && darc_session_check(exact, test, NULL) == DARC_OK &&
        (s->still || darc_session_verdict(exact) == DARC_CONSISTENT)) {
        s->answer = exact;
        return DARC_OK;
    }
    return ask_also_near(s, check_recordings, darc_session_check, test, err);
}

/* Let s->isolation show what was found. */
static void fill_isolation(darc_session *s, const darc_isolate *found)
{
    fill_data(s, found->used[0] > 0 ? found->used : NULL);
    s->isolation = (darc_isolation){.command_line = command_line(s),
                                    .model_name = darc_model_name(s->model),
                                    .model_file = darc_model_file(s->model),
                                    .notes = s->notes,
                                    .note = (const char *const *)s->note,
                                    .detail = s->detail};
    DARC_SAME(&s->isolation, s, data, recordings, values, value);
    darc_isolation_set(&s->isolation, found, darc_model_names(s->model));
}

/* Hand over what is known, for the case that no more will be. */
static void show_so_far(void *user, const darc_isolate *known)
{
    darc_session *s = user;
    fill_isolation(s, known);
    s->has_isolation = true;
    darc_budget_partial(s->budget, darc_session_text(s, "text"));
    s->has_isolation = false;
    darc_isolation_clear(&s->isolation);
}

static darc_status isolate_weak(darc_session *s, darc_err *err)
{
    darc_criteria by;
    darc_question x;
    int *equation = darc_session_ask(&x, s, &by);
    x.equations = 0;
    for (int e = 0; e < s->io->count; e++)
        if (!darc_wide_is(s->io, e))
            equation[x.equations++] = e;
    x.listen = darc_session_listen;
    x.user = s;
    darc_status status = darc_isolate_run(
        &s->result, &x, (const darc_table *const *)s->table,
        s->budget != NULL && s->budget->partial != NULL ? show_so_far : NULL,
        err);
    darc_free(equation);
    return status;
}

static darc_status isolate(darc_session *s, darc_test test, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    bool by_trajectory =
        s->set.method == DARC_METHOD_TRAJECTORY || s->recordings > 2;
    darc_status status = by_trajectory ? darc_hold_trajectory_isolate(s, &why)
                                       : isolate_weak(s, &why);
    (void)test;
    if (!by_trajectory && s->set.method == DARC_METHOD_AUTO &&
        (status == DARC_DATA || status == DARC_DOMAIN) &&
        darc_hold_trajectory_suits(s, false)) {
        darc_session_forget_values(s);
        status = darc_hold_trajectory_isolate(s, NULL);
        if (status == DARC_OK)
            darc_session_note(s,
                              "the weak form does not apply (%s): by "
                              "trajectories",
                              why.message);
    }
    s->has_isolation = status == DARC_OK;
    if (status != DARC_OK)
        return darc_fail_as(err, status, &why);
    say_reason(s, &s->result.equal);
    darc_session_say_estimates(s, s->result.estimate, s->result.estimates);
    fill_isolation(s, &s->result);
    return DARC_OK;
}

static darc_status isolate_near(darc_session *s, darc_test test, darc_err *err)
{
    (void)test;
    return darc_session_isolate(s, err);
}

darc_status darc_session_isolate(darc_session *s, darc_err *err)
{
    darc_session_forget(s);
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_fail(err, DARC_USAGE,
                         "isolate needs the weak method, or trajectories; "
                         "check changed, by any method, tests one set");
    DARC_NEED(darc_session_count(s, 2, err));
    DARC_NEED(darc_session_integrated(&s->answer, s, err));
    if (s->answer != NULL && darc_session_isolate(s->answer, NULL) == DARC_OK)
        return DARC_OK;
    s->answer = NULL;
    return ask_also_near(s, isolate, isolate_near, DARC_EQUAL, err);
}

/* Say of a recording, and of all together, what values rest on. */
static void note_fits(darc_session *s, const darc_estimates *e,
                      const darc_values *v)
{
    for (int i = 0; i < s->recordings; i++)
        if (darc_reading_fails(e + i, s->set.tolerance))
            darc_session_note(s,
                              "%s: the equations leave %s unexplained: values "
                              "of the nearest model (darc check structure)",
                              s->table[i]->file,
                              darc_percent_of(darc_reading_left(e + i)).text);
    if (v->factor > 1)
        darc_session_note(s,
                          "no one set of parameters makes all %s: intervals "
                          "are widened %.2g times%s",
                          s->recordings > 1 ? "recordings" : "coefficients",
                          v->factor,
                          s->recordings > 1 ? " (darc check equal)" : "");
    darc_text_t hidden = DARC_TEXT;
    for (slong k = 0; k < s->id->vars; k++)
        if (s->id->parameter[k] == DARC_NOT_IDENTIFIABLE)
            darc_text_printf(hidden, "%s%s", hidden->len > 0 ? ", " : "",
                             s->id->name[k]);
    if (hidden->len > 0)
        darc_session_note(s, "not identifiable by themselves: %s", hidden->s);
    darc_text_clear(hidden);
}

static darc_status values_by_trajectory(darc_session *s, darc_test test,
                                        darc_err *err)
{
    (void)test;
    DARC_NEED(darc_hold_trajectory_values(s, err));
    fill_report(s, "values", "values", NULL);
    return DARC_OK;
}

/* Read a recording; where what is left is all that counts, not what may have
 * made it. */
static darc_status read_one(darc_estimates *e, darc_fit *f,
                            const darc_question *x, const darc_table *table,
                            bool rough, darc_err *err)
{
    if (!rough)
        return darc_reading_take(e, f, x, table, NULL, err);
    DARC_NEED(darc_fit_init(f, x, table, x->by->alpha, err));
    darc_estimates_init(e, f, x, x->by->alpha);
    return DARC_OK;
}

static darc_status find_values(darc_session *s, darc_test test, darc_err *err)
{
    darc_status status;
    darc_question x;
    darc_criteria by;
    darc_values v = {0};
    int n = 0, most = s->recordings;
    darc_fit *f = NULL;
    darc_estimates *e = NULL;
    const darc_estimates **each = NULL;
    int *equation = NULL;
    size_t *used = NULL;
    (void)test;
    equation = darc_session_ask(&x, s, &by);
    DARC_TRY(darc_session_identify(s, err));
    DARC_CALLOC((size_t)most, f, e, each, used);
    while (n < most) {
        each[n] = e + n;
        n++;
        DARC_TRY(read_one(e + n - 1, f + n - 1, &x, s->table[n - 1],
                          s->set.rough, err));
    }
    DARC_TRY(darc_values_init(&v, &x, s->id, each, n, err));
    darc_session_take_values(s, &v, NULL);
    note_fits(s, e, &v);
    for (int i = 0; i < n; i++) {
        darc_session_overlay(s, &v, i);
        used[i] = f[i].used;
    }
    fill_report(s, "values", "values", used);
    s->report.decision.statistic = s->report.decision.dof = 0;
    for (int i = 0; i < n; i++) {
        s->report.decision.statistic += f[i].white.q;
        s->report.decision.dof += f[i].white.dof;
    }
done:
    DARC_ALL(darc_estimates_clear, e, n);
    DARC_ALL(darc_fit_clear, f, n);
    darc_values_clear(&v);
    DARC_FREE(f, e, (void *)each, equation, used);
    return status;
}

darc_status darc_session_values(darc_session *s, darc_err *err)
{
    darc_session_forget(s);
    if (s->set.method == DARC_METHOD_TRAJECTORY)
        return ask_apart(s, values_by_trajectory, DARC_STRUCTURE, err);
    DARC_NEED(darc_session_integrated(&s->answer, s, err));
    if (s->answer != NULL && darc_session_values(s->answer, NULL) == DARC_OK)
        return DARC_OK;
    s->answer = NULL;
    darc_err why = {DARC_OK, ""};
    darc_status status =
        ask_also_near(s, find_values, values_near, DARC_STRUCTURE, &why);
    if (status != DARC_DATA && status != DARC_DOMAIN)
        return darc_fail_as(err, status, &why);
    if (s->set.method == DARC_METHOD_AUTO &&
        darc_hold_trajectory_suits(s, false)) {
        darc_session_forget(s);
        if (ask_apart(s, values_by_trajectory, DARC_STRUCTURE, NULL) == DARC_OK)
            return DARC_OK;
    }
    return darc_fail_as(err, status, &why);
}
