#include "darc/eliminate.h"

#include "algebra/partial.h"
#include "base/mem.h"
#include "chain/elim.h"
#include "eliminate/eliminate.h"
#include "eliminate/thresholds.h"
#include "emit/emit.h"
#include "emit/parts.h"
#include "library/member.h"
#include "library/result.h"
#include "relation/relation.h"

#include <string.h>

/* What it may cost to keep the partial result fresh: a share of the time, and
 * as many seconds at the beginning. */
static const double READING_SHARE = 0.05, READING_MOMENT = 0.02;

/* Seconds after which it is found out what would help. */
static const double ADVICE_AFTER = 1;

/* As darc_format. */
#define FORMATS "text", "latex", "json", "c", "python"

enum { FEW = 10000 }; /* terms up to which a child makes all texts */

/* A polynomial of the result and its frame. */
typedef struct {
    const fmpz_mpoly_struct *p; /* NULL: not expanded */
    const darc_jet_struct *jet;
} place;

/* What was asked, and what came of it. */
typedef struct {
    darc_elimination shown; /* first: what the caller sees */
    const darc_options *options;
    darc_budget budget;
    double first, spent; /* s: when reading began, and what it cost */
    bool advised;
    darc_text_t advice; /* what would help, for who ends it */
    const darc_model *model;
    darc_ranking_t ranking;
    bool *changed; /* per unknown */
    bool *keep;    /* per unknown; NULL: no --keep */
    darc_emit how;
    bool has_io, has_relations, has_components;
    darc_ioeqs_t io;
    darc_relations_t relations;
    darc_decomposition_t components;
    place *place; /* of each equation; owned */
    darc_text_t text;
    const char **polynomial; /* of each equation, from a child; NULL: here */
} task;

static darc_format format_of(const char *name)
{
    static const char *const format[] = {FORMATS};
    int f = 0;
    while (strcmp(name, format[f]) != 0)
        f++;
    return (darc_format)f;
}

static bool option_is(const darc_options *o, darc_option_id id,
                      const char *word)
{
    const char *text = darc_option_text(o, id);
    return text != NULL && strcmp(text, word) == 0;
}

/* Set mark[u] for every name of the option. */
static darc_status mark_names(bool *mark, const task *t, darc_option_id id,
                              const char *option, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_names_struct *names = darc_model_names(t->model);
    darc_pairs p;
    darc_option_pairs(&p, t->options, id);
    for (int i = 0; i < p.count && status == DARC_OK; i++) {
        int u = darc_names_find(names, p.name[i], strlen(p.name[i]));
        bool wrong = u >= 0 && id == DARC_OPT_CHANGED &&
                     names->symbol[u].kind != DARC_PARAMETER;
        if (u < 0 || wrong)
            status = darc_fail(err, DARC_USAGE, "%s: '%s' is not %s model '%s'",
                               option, p.name[i],
                               wrong ? "a parameter of" : "declared in",
                               darc_model_name(t->model));
        else
            mark[u] = true;
    }
    darc_pairs_clear(&p);
    return status;
}

static darc_status read_options(task *t, darc_err *err)
{
    const darc_options *o = t->options;
    const darc_names_struct *names = darc_model_names(t->model);
    darc_ranking_init(t->ranking, names->count);
    darc_model_ranking(t->ranking, t->model);
    DARC_NEED(darc_option_ranking(
        t->ranking, darc_option_text(o, DARC_OPT_RANKING), names, err));
    t->changed = darc_calloc((size_t)names->count, sizeof *t->changed);
    DARC_NEED(mark_names(t->changed, t, DARC_OPT_CHANGED, "--changed", err));
    if (darc_option_given(o, DARC_OPT_KEEP)) {
        t->keep = darc_calloc((size_t)names->count, sizeof *t->keep);
        DARC_NEED(mark_names(t->keep, t, DARC_OPT_KEEP, "--keep", err));
        DARC_NEED(darc_ranking_keep_lowest(t->ranking, t->keep, err));
    }
    t->how = (darc_emit){
        .format = (darc_format)darc_option_choice(o, DARC_OPT_FORMAT),
        .model = darc_model_name(t->model),
        .file = darc_model_file(t->model),
        .summary = darc_option_given(o, DARC_OPT_SUMMARY),
        .support = option_is(o, DARC_OPT_FORM, "support"),
        .units = t->model};
    return DARC_OK;
}

static darc_status run_io(task *t, darc_err *err)
{
    /* the ranking of the options, NULL when they leave it to the model */
    const darc_ranking_struct *ranking =
        darc_option_given(t->options, DARC_OPT_RANKING) || t->keep != NULL
            ? t->ranking
            : NULL;
    darc_err own = {DARC_OK, ""};
    darc_status status = DARC_LIMIT;
    if (t->how.support && !darc_option_given(t->options, DARC_OPT_ENGINE)) {
        darc_budget most =
            darc_budget_share(&t->budget, DARC_ELIMINATION_SHARE);
        status = darc_ioeqs_init_support(t->io, t->model, ranking, &most, &own);
        if (status != DARC_OK &&
            (status != DARC_LIMIT ||
             darc_budget_check(&t->budget, NULL) != DARC_OK))
            return darc_fail_as(err, status, &own);
    }
    /* where derived signals bind monomials, only the expanded equation tells
     * which of them are left */
    if (status != DARC_OK)
        status = darc_ioeqs_init_advised(
            t->io, t->model, ranking,
            (darc_engine)darc_option_choice(t->options, DARC_OPT_ENGINE),
            &t->budget, err);
    t->has_io = status == DARC_OK;
    return status;
}

static darc_status run_relation(task *t, darc_err *err)
{
    const darc_options *o = t->options;
    darc_relation_task how = {
        .test = (darc_test)darc_option_choice(o, DARC_OPT_FOR),
        .changed = t->changed,
        .form = option_is(o, DARC_OPT_FORM, "matrix") ? DARC_FORM_MATRIX
                                                      : DARC_FORM_EXPANDED,
        .budget = &t->budget};
    darc_partial_t p;
    DARC_NEED(run_io(t, err));
    darc_ioeqs_reach(p, t->io);
    darc_budget_reached(&t->budget, p);
    darc_partial_clear(p);
    darc_status status = darc_relations_init(t->relations, t->io, &how, err);
    t->has_relations = status == DARC_OK;
    return status;
}

/* Drop what holds other names than those that are kept. */
static void drop_others(darc_dpolys_t p, const task *t)
{
    const darc_jet_struct *jet = t->components->jet;
    slong n = 0;
    for (slong i = 0; i < p->count; i++) {
        bool keep = true;
        for (int u = 0; u < jet->names->count; u++)
            keep =
                keep && (t->keep[u] || darc_dpoly_order(p->p + i, u, jet) < 0);
        if (keep)
            fmpz_mpoly_swap(p->p + n++, p->p + i, jet->ctx);
    }
    while (p->count > n)
        darc_dpolys_remove(p, p->count - 1, jet);
}

/* The characteristic sets under the ranking. */
static darc_status run_components(task *t, darc_err *err)
{
    darc_status status;
    darc_jet_t jet;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_model_frame(jet, t->model, t->ranking);
    DARC_TRY(darc_model_equations(eq, ineq, t->model, jet, err));
    DARC_TRY(darc_elim(t->components, &(darc_system){eq, ineq, jet},
                       !darc_option_given(t->options, DARC_OPT_ALL_COMPONENTS),
                       &t->budget, err));
    t->has_components = true;
    for (int i = 0; i < t->components->count && t->keep != NULL; i++) {
        drop_others(t->components->component[i].equations, t);
        drop_others(t->components->component[i].inequations, t);
    }
done:
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    darc_jet_clear(jet);
    return status;
}

/* Parameters are eliminated on request alone. */
static bool wants_io(const darc_options *o)
{
    return option_is(o, DARC_OPT_FORM, "io") ||
           option_is(o, DARC_OPT_FORM, "support") ||
           !(darc_option_given(o, DARC_OPT_FORM) ||
             darc_option_given(o, DARC_OPT_FOR) ||
             darc_option_given(o, DARC_OPT_KEEP) ||
             darc_option_given(o, DARC_OPT_ALL_COMPONENTS));
}

static darc_status run_task(task *t, darc_err *err)
{
    const darc_options *o = t->options;
    bool changed = darc_option_given(o, DARC_OPT_CHANGED);
    if (option_is(o, DARC_OPT_FOR, "changed") != changed)
        return darc_fail(err, DARC_USAGE,
                         changed ? "--changed needs --for changed"
                                 : "--for changed needs --changed P[,P...]");
    if (darc_option_given(o, DARC_OPT_FOR) &&
        darc_option_given(o, DARC_OPT_KEEP))
        return darc_fail(err, DARC_USAGE,
                         "--keep and --for exclude each other");
    if (darc_option_given(o, DARC_OPT_MEMBER) &&
        (darc_option_given(o, DARC_OPT_FOR) ||
         darc_option_given(o, DARC_OPT_FORM) ||
         darc_option_given(o, DARC_OPT_KEEP)))
        return darc_fail(err, DARC_USAGE,
                         "--member excludes --for, --form and --keep");
    DARC_NEED(read_options(t, err));
    return darc_option_given(o, DARC_OPT_MEMBER)
               ? darc_member_find(&t->shown, t->model, o, &t->budget, err)
           : wants_io(o)                        ? run_io(t, err)
           : darc_option_given(o, DARC_OPT_FOR) ? run_relation(t, err)
                                                : run_components(t, err);
}

/* Hand p to the parent, which prints the last one when this process comes to
 * no end; that may cost a share of the time, and a moment at first. */
static bool show_reached(void *reader, const darc_partial_struct *p)
{
    task *t = reader;
    double now = darc_now();
    if (t->spent > READING_SHARE * (now - t->first) + READING_MOMENT)
        return false;
    if (!t->advised && now > t->first + ADVICE_AFTER) {
        t->advised = true;
        darc_ioeqs_advise(t->advice, t->model, &t->budget);
        now = darc_now();
    }
    darc_text_t text = DARC_TEXT;
    t->how.advice = t->advice->len > 0 ? t->advice->s : NULL;
    darc_emit_partial(text, p, &t->how);
    darc_budget_partial(&t->budget, text->s);
    darc_text_clear(text);
    t->spent += darc_now() - now;
    return true;
}

/* Append an equation; p NULL: it is not expanded. */
static void show_equation(task *t, darc_equation eq, const fmpz_mpoly_struct *p,
                          const darc_jet_struct *jet)
{
    size_t n = (size_t)t->shown.equations++;
    darc_equation *list = (darc_equation *)t->shown.equation;
    DARC_EACH_IN(DARC_ROOM, n, list, t->place);
    eq.expanded = p != NULL;
    eq.terms = p != NULL ? (long)p->length : 0;
    eq.degree = p != NULL ? (long)fmpz_mpoly_total_degree_si(p, jet->ctx) : 0;
    list[n] = eq;
    t->place[n] = (place){p, jet};
    t->shown.equation = list;
}

static void show_inequations(task *t, int component,
                             const darc_dpolys_struct *p,
                             const darc_jet_struct *jet)
{
    size_t n = (size_t)t->shown.inequations;
    darc_inequation *list = (darc_inequation *)t->shown.inequation;
    for (slong i = 0; i < p->count; i++) {
        darc_text_t text = DARC_TEXT;
        darc_dpoly_print(text, p->p + i, jet);
        DARC_APPEND(list, n,
                    (darc_inequation){darc_text_take(text), component});
    }
    t->shown.inequation = list;
    t->shown.inequations = (int)n;
}

static void show_io(task *t)
{
    const darc_jet_struct *jet = t->io->jet;
    for (int i = 0; i < t->io->count; i++) {
        const darc_ioeq *eq = t->io->eq + i;
        darc_equation shown = {.output =
                                   jet->names->symbol[eq->leader.unknown].name,
                               .generic = true,
                               .order = eq->leader.order,
                               .engine = eq->engine,
                               .cpu_s = eq->cpu_s};
        show_equation(t, shown, eq->expanded ? eq->poly : NULL, jet);
    }
    show_inequations(t, 0, t->io->inequations, jet);
}

static void show_components(task *t)
{
    const darc_jet_struct *jet = t->components->jet;
    for (int i = 0; i < t->components->count; i++) {
        const darc_component *c = t->components->component + i;
        for (slong k = 0; k < c->equations->count; k++) {
            const fmpz_mpoly_struct *p = c->equations->p + k;
            darc_equation eq = {.component = i, .generic = c->generic};
            eq.order = darc_emit_order(p, jet);
            show_equation(t, eq, p, jet);
        }
        show_inequations(t, i, c->inequations, jet);
    }
}

static void show(task *t)
{
    for (int i = 0; t->has_relations && i < t->relations->count; i++) {
        const darc_relation *r = t->relations->relation + i;
        show_equation(t, (darc_equation){.generic = true, .order = r->order},
                      r->expanded ? r->poly : NULL, r->jet);
        show_inequations(t, 0, r->inequations, r->jet);
    }
    if (t->has_components)
        show_components(t);
    else if (t->shown.member != NULL)
        return;
    else if (!t->has_relations)
        show_io(t);
}

static void put_polynomial(darc_text_t out, void *what, const char *format)
{
    const place *p = what;
    (void)format;
    darc_dpoly_print(out, p->p, p->jet);
}

static darc_status eliminate(void *result, const darc_request *q,
                             const darc_budget *budget, darc_err *err)
{
    task *t = result;
    t->options = q->options;
    t->model = q->model[0];
    t->budget = darc_budget_with(budget, budget != NULL ? budget->left : NULL);
    t->budget.reached = t->budget.partial != NULL ? show_reached : NULL;
    t->budget.reader = t;
    t->first = darc_now();
    DARC_EACH(darc_text_init, t->text, t->advice);
    DARC_NEED(run_task(t, err));
    show(t);
    return DARC_OK;
}

/* What a caller can see of the result, and the polynomials. */
static void carry_task(darc_carrier *c, void *result)
{
    task *t = result;
    darc_elimination *e = &t->shown;
    size_t n = (size_t)e->equations;
    if (c->to != NULL)
        t->polynomial = darc_calloc(n, sizeof *t->polynomial);
    for (size_t i = 0; i < n && c->to != NULL; i++)
        if (t->place[i].p != NULL)
            t->polynomial[i] = darc_strdup(
                darc_text_attempt(t->text, put_polynomial, t->place + i, ""));
    DARC_CARRY_WITH(c, e->equation, e->equations, output, engine);
    darc_carry_texts(c, (void *)&t->polynomial, e->equations);
    DARC_CARRY_WITH(c, e->inequation, e->inequations, polynomial);
    if (e->member != NULL)
        DARC_CARRY_WITH(c, e->member, 1, factor, normal_form);
}

/* Programs of many terms take longer than the elimination. */
static bool is_late(const void *result, const char *format)
{
    const task *t = result;
    long terms = 0;
    for (int i = 0; i < t->shown.equations; i++)
        terms += t->shown.equation[i].terms;
    return terms > FEW && strcmp(format, "json") != 0;
}

static void clear_task(void *result)
{
    task *t = result;
    const darc_elimination *e = &t->shown;
    for (int i = 0; i < e->inequations; i++)
        darc_free((void *)e->inequation[i].polynomial);
    DARC_FREE((void *)e->inequation, (void *)e->equation, t->place);
    if (t->has_components)
        darc_decomposition_clear(t->components);
    if (t->has_relations)
        darc_relations_clear(t->relations);
    if (t->has_io)
        darc_ioeqs_clear(t->io);
    if (e->member != NULL)
        DARC_FREE((void *)e->member->factor, (void *)e->member->normal_form,
                  (void *)e->member);
    DARC_FREE(t->changed, t->keep);
    if (t->ranking->block != NULL)
        darc_ranking_clear(t->ranking);
    DARC_EACH(darc_text_clear, t->text, t->advice);
}

static void put_task(darc_text_t out, void *result, const char *format)
{
    task *t = result;
    darc_emit how = t->how;
    how.format = format_of(format);
    if (t->shown.member != NULL)
        darc_member_put(out, &t->shown, t->options, &how);
    else if (t->has_components)
        darc_emit_components(out, t->components, &how);
    else if (t->has_relations)
        darc_emit_relations(out, t->relations, &how);
    else
        darc_emit_ioeqs(out, t->io, &how);
}

darc_status darc_eliminate(darc_elimination **e, const darc_model *model,
                           const darc_options *options,
                           const darc_budget *budget, darc_err *err)
{
    static const darc_result_kind kind =
        DARC_RESULT_KIND(task, ELIMINATE, eliminate, carry_task, is_late,
                         put_task, clear_task, FORMATS);
    return darc_result_new(e, &kind, &(darc_request){{model}, options, NULL},
                           budget, err);
}

const char *darc_elimination_polynomial(darc_elimination *e, int i)
{
    task *t = (task *)e;
    if (t->polynomial != NULL)
        return t->polynomial[i];
    return t->place[i].p != NULL
               ? darc_text_attempt(t->text, put_polynomial, t->place + i, "")
               : NULL;
}

DARC_RESULT_OF(darc_elimination, darc_elimination)
