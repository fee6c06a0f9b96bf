#include "session/state.h"

#include "base/budget.h"
#include "base/mem.h"
#include "decide/judgement.h"
#include "decide/wide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Equations that are judged together. */
typedef struct {
    int first, count; /* of checking.equation */
    bool wide;
} group;

/* A check on its way. */
typedef struct {
    darc_session *s;
    darc_test test;
    int equations;   /* asked about: with those that hold no parameter, for
                        structure */
    int *judge, *at; /* of equation e: the judgement, and its place there;
                        owned */
    int *equation;   /* by groups; owned */
    int groups;
    group *group;   /* owned */
    char **against; /* owned */
    darc_criteria by;
} checking;

/* Part the equations into those that are fitted together, or each of them
 * alone, and wide ones, one by one. */
static void part(checking *c, bool together)
{
    int taken = 0;
    c->groups = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int e = 0; e < c->equations; e++) {
            bool wide = darc_wide_is(c->s->io, e);
            if (wide != (pass == 1))
                continue;
            if (taken == 0 || wide || !together)
                c->group[c->groups++] = (group){.first = taken, .wide = wide};
            c->judge[e] = c->groups - 1;
            c->at[e] = c->group[c->groups - 1].count++;
            c->equation[taken++] = e;
        }
}

static darc_status judge_group(darc_judgement *out, const checking *c,
                               const darc_question *x, bool wide, darc_err *err)
{
    const darc_session *s = c->s;
    const darc_table *const *table = (const darc_table *const *)s->table;
    const bool *changed = c->test == DARC_CHANGED ? s->changed : NULL;
    if (c->test == DARC_STRUCTURE)
        return wide ? darc_wide_structure(out, x, table[0], err)
                    : darc_judge_structure(out, x, table[0], err);
    if (!wide)
        return darc_judge_pair(out, x, table, changed, err);
    darc_wide_pair(out, x);
    return DARC_OK;
}

/* Of a darc_question, of session s: return the first recording read once more,
 * with all columns; NULL: it is in no file, or has a column that is no number.
 */
static const darc_table *table_beside(void *user)
{
    darc_session *s = user;
    darc_load_options load = s->set.load;
    const char *file = s->table[0]->file;
    load.wanted = 0;
    if (s->beside == NULL && strcmp(file, "-") != 0 &&
        darc_table_load(&s->beside, file, &load, NULL) != DARC_OK)
        s->beside = NULL;
    return s->beside;
}

/* Judge the groups, each at alpha over their number. */
static darc_status judge_groups(checking *c, darc_err *err)
{
    darc_session *s = c->s;
    darc_holding *h = &s->holding;
    darc_question x = {.model = s->model,
                       .io = s->io,
                       .by = &c->by,
                       .budget = s->budget,
                       .listen = darc_session_listen,
                       .beside = table_beside,
                       .user = s};
    c->by.alpha = s->set.alpha / c->groups;
    h->judgement = darc_calloc((size_t)c->groups, sizeof *h->judgement);
    for (int i = 0; i < c->groups; i++) {
        const group *g = c->group + i;
        x.equations = g->count;
        x.equation = c->equation + g->first;
        DARC_NEED(judge_group(h->judgement + i, c, &x, g->wide, err));
        h->judgements++;
    }
    return DARC_OK;
}

/* Where the equations have too many signals to be held together, each is judged
 * by itself. */
static darc_status judge_all(checking *c, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    size_t n = (size_t)c->equations;
    DARC_CALLOC(n, c->equation, c->judge, c->at, c->group);
    part(c, true);
    darc_status status = judge_groups(c, &why);
    if (status == DARC_LIMIT && c->group->count > 1 &&
        darc_budget_check(c->s->budget, NULL) == DARC_OK) {
        darc_holding_clear(&c->s->holding);
        part(c, false);
        darc_session_note(c->s,
                          "each io-equation is judged by itself, what binds "
                          "them is not: %s",
                          why.message);
        return judge_groups(c, err);
    }
    return darc_fail_as(err, status, &why);
}

/* Beside the io-equation the relation without parameters is shown, where it can
 * be had. */
static void describe(checking *c, int e)
{
    darc_session *s = c->s;
    darc_holding *h = &s->holding;
    const darc_judgement *j = h->judgement + c->judge[e];
    const darc_judged *one = j->equation + c->at[e];
    darc_report_relation *to = h->report + e;
    *to = (darc_report_relation){.form = "io",
                                 .terms = one->terms,
                                 .order = one->order,
                                 .equation = one->form};
    to->residual = (darc_residual_summary){
        .rms = NAN, .max = NAN, .relative_rms = NAN, .used = j->used[0]};
    if (e < s->io->count)
        darc_hold_show(s, e);
    if (j->along.equations > 0) {
        to->residual = j->along.summary[c->at[e]];
        to->residual.used = j->used[0];
        to->series = j->along.series + c->at[e];
    }
    to->weak = darc_wide_is(s->io, e) ? NULL : one->form;
    to->decision = one->decision;
    to->joint = c->test != DARC_STRUCTURE;
    to->untested = j->untested;
    DARC_SAME(to, one, missing, missing_term);
}

/* The worst judgement is that on all; ones without anything to test are passed
 * over unless all are. */
static void decide_worst(const checking *c)
{
    darc_holding *h = &c->s->holding;
    int worst = 0;
    for (int i = 1; i < h->judgements; i++) {
        const darc_judgement *a = h->judgement + worst, *b = h->judgement + i;
        bool worse = darc_verdict_rank(b->decision.verdict) >
                     darc_verdict_rank(a->decision.verdict);
        if (a->untested != b->untested ? a->untested : worse)
            worst = i;
    }
    h->decision = h->judgement[worst].decision;
    h->deciding = -1;
    for (int e = 0; e < h->count; e++)
        if (c->judge[e] == worst &&
            (h->deciding < 0 ||
             darc_verdict_rank(h->report[e].decision.verdict) >
                 darc_verdict_rank(h->report[h->deciding].decision.verdict)))
            h->deciding = e;
}

/* Take up the estimates and notes of the judgements. */
static void gather_notes(const checking *c)
{
    darc_session *s = c->s;
    darc_holding *h = &s->holding;
    for (int i = 0; i < h->judgements; i++) {
        const darc_judgement *j = h->judgement + i;
        darc_session_say_estimates(s, j->estimate, j->estimates);
        h->estimate =
            darc_realloc(h->estimate, (size_t)(h->estimates + j->estimates) + 1,
                         sizeof *h->estimate);
        for (int k = 0; k < j->estimates; k++)
            h->estimate[h->estimates++] = j->estimate[k];
        for (int k = 0; k < j->notes; k++)
            (k < j->told ? darc_session_note : darc_session_detail)(s, "%s",
                                                                    j->note[k]);
    }
    for (int e = c->equations; e < s->io->count + s->free; e++)
        darc_session_detail(
            s,
            "the io-equation of '%s' holds no parameter: nothing of it is "
            "compared",
            s->io->jet->names->symbol[s->io->eq[e].leader.unknown].name);
}

darc_status darc_hold_weak(darc_session *s, darc_test test, darc_err *err)
{
    darc_status status;
    darc_holding *h = &s->holding;
    checking c = {.s = s, .test = test, .equations = s->io->count};
    c.equations += test == DARC_STRUCTURE ? s->free : 0;
    *h = (darc_holding){0};
    darc_budget_progress(
        s->budget, &(darc_progress){.stage = "holding equations against data"});
    darc_session_criteria(&c.by, s);
    for (const char *t = s->set.against; t != NULL && *t != '\0';) {
        size_t n = strcspn(t, ",");
        c.against = darc_realloc(c.against, (size_t)c.by.against + 1,
                                 sizeof *c.against);
        c.against[c.by.against++] = darc_strndup(t, n);
        t += n + (t[n] == ',');
    }
    c.by.against_term = (const char *const *)c.against;
    DARC_TRY(judge_all(&c, err));
    DARC_TRY(darc_hold_relations(s, test, err));
    h->report = darc_calloc((size_t)c.equations, sizeof *h->report);
    for (; h->count < c.equations; h->count++)
        describe(&c, h->count);
    decide_worst(&c);
    gather_notes(&c);
done:
    for (int i = 0; c.against != NULL && i < c.by.against; i++)
        darc_free(c.against[i]);
    DARC_FREE(c.against, c.equation, c.judge, c.at, c.group);
    if (status != DARC_OK)
        darc_holding_clear(h);
    return status;
}

static void set_stretches(darc_holding *h)
{
    const darc_stretches *s = &h->stretches;
    h->stretch = darc_calloc((size_t)s->count + 1, sizeof *h->stretch);
    for (int i = 0; i < s->count; i++)
        h->stretch[i] = (darc_stretch){
            .from = s->from[i],
            .to = s->to[i],
            .verdict = darc_stretches_at(s, i)->structure,
            .change = i > 0 ? darc_stretches_at(s, i)->change : NULL};
    if (s->count < 2)
        return;
    int best = 0; /* the function that moved most surely */
    const darc_change *c = h->stretch[1].change;
    for (int k = 1; k < s->pair[1].functions; k++)
        if (c[k].p_value < c[best].p_value)
            best = k;
    char more[64] = "";
    if (s->count > 2)
        snprintf(more, sizeof more, ", and %d time%s more", s->count - 2,
                 s->count > 3 ? "s" : "");
    darc_decision_say(&h->decision, DARC_INCONSISTENT,
                      "no one set of parameters holds all along: %.200s "
                      "changes by %+.3g %% at %.6g s%s",
                      s->pair[1].function[best], 100 * c[best].relative,
                      h->stretch[1].from, more);
}

darc_status darc_hold_over_time(darc_session *s, darc_err *err)
{
    darc_criteria by;
    darc_err why = {DARC_OK, ""};
    if (s->set.method == DARC_METHOD_POINTWISE)
        return darc_fail(err, DARC_USAGE,
                         "--over-time compares estimates and needs the weak "
                         "method");
    darc_question x;
    int *equation = darc_session_ask(&x, s, &by);
    x.lost = false;
    x.equations = darc_drift_followed(equation, s->io);
    darc_status status =
        x.equations > 0
            ? darc_stretches_find(&s->holding.stretches, &x, s->table[0], &why)
            : darc_fail(&why, DARC_DATA,
                        "no equation has so few terms that "
                        "its coefficients can be followed");
    darc_free(equation);
    if (status == DARC_OK)
        set_stretches(&s->holding);
    else if (status != DARC_DATA && status != DARC_DOMAIN)
        return darc_fail_as(err, status, &why);
    else
        darc_session_note(s, "nothing is known of parameters over time: %s",
                          why.message);
    return DARC_OK;
}
