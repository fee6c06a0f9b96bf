/* cmd_eliminate.c - darc eliminate: relations between signals. */
#include "algebra/partial.h"
#include "base/mem.h"
#include "chain/elim.h"
#include "commands/command.h"
#include "commands/results.h"
#include "commands/thresholds.h"
#include "eliminate/eliminate.h"
#include "emit/emit.h"
#include "relation/relation.h"

#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
typedef struct {
    const darc_options *o;
    darc_budget budget;
    double first, spent; /* s: when reading began, and what it cost */
    darc_model *model;
    darc_ranking_t ranking;
    bool *changed; /* per unknown */
    bool *keep;    /* per unknown; NULL: no --keep */
    darc_emit how;
} task;

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
    darc_option_pairs(&p, t->o, id);
    for (int i = 0; i < p.count && status == DARC_OK; i++) {
        int u = darc_names_find(names, p.name[i], strlen(p.name[i]));
        if (u < 0)
            status = darc_fail(err, DARC_USAGE,
                               "%s: '%s' is not declared in model '%s'", option,
                               p.name[i], darc_model_name(t->model));
        else if (id == DARC_OPT_CHANGED &&
                 names->symbol[u].kind != DARC_PARAMETER)
            status = darc_fail(err, DARC_USAGE,
                               "%s: '%s' is not a parameter of model '%s'",
                               option, p.name[i], darc_model_name(t->model));
        else
            mark[u] = true;
    }
    darc_pairs_clear(&p);
    return status;
}

/* Put what is not kept above what is, each in its blocks as before. */
static darc_status rank_kept_lowest(task *t, darc_err *err)
{
    int n = t->ranking->unknowns, blocks = 0;
    int *block = darc_calloc((size_t)n, sizeof *block);
    bool *full = darc_calloc(2 * (size_t)n, sizeof *full);
    for (int u = 0; u < n; u++) {
        block[u] = t->ranking->block[u] + (t->keep[u] ? n : 0);
        full[block[u]] = true;
    }
    int *number = darc_calloc(2 * (size_t)n, sizeof *number);
    for (int b = 0; b < 2 * n; b++) {
        number[b] = blocks;
        blocks += full[b];
    }
    for (int u = 0; u < n; u++)
        block[u] = number[block[u]];
    darc_status status = darc_ranking_set_blocks(t->ranking, block, err);
    darc_free(number);
    darc_free(full);
    darc_free(block);
    return status;
}

static darc_status task_init(task *t, darc_err *err)
{
    DARC_NEED(darc_model_read(&t->model, t->o->operand[0], err));
    darc_results_rewritten(t->o, t->model);
    const darc_names_struct *names = darc_model_names(t->model);
    darc_ranking_init(t->ranking, names->count);
    darc_model_ranking(t->ranking, t->model);
    if (darc_option_given(t->o, DARC_OPT_RANKING))
        DARC_NEED(darc_ranking_set_text(
            t->ranking, darc_option_text(t->o, DARC_OPT_RANKING), names, err));
    t->changed = darc_calloc((size_t)names->count, sizeof *t->changed);
    DARC_NEED(mark_names(t->changed, t, DARC_OPT_CHANGED, "--changed", err));
    if (darc_option_given(t->o, DARC_OPT_KEEP)) {
        t->keep = darc_calloc((size_t)names->count, sizeof *t->keep);
        DARC_NEED(mark_names(t->keep, t, DARC_OPT_KEEP, "--keep", err));
        DARC_NEED(rank_kept_lowest(t, err));
    }
    t->how = (darc_emit){(darc_format)darc_option_choice(t->o, DARC_OPT_FORMAT),
                         darc_model_name(t->model), darc_model_file(t->model),
                         darc_option_given(t->o, DARC_OPT_SUMMARY),
                         option_is(t->o, DARC_OPT_FORM, "support")};
    return DARC_OK;
}

static void task_clear(task *t)
{
    darc_free(t->changed);
    darc_free(t->keep);
    if (t->ranking->block != NULL)
        darc_ranking_clear(t->ranking);
    darc_model_free(t->model);
}

/* Return the ranking of the options, NULL when they leave it to the model. */
static const darc_ranking_struct *asked_ranking(const task *t)
{
    return darc_option_given(t->o, DARC_OPT_RANKING) || t->keep != NULL
               ? t->ranking
               : NULL;
}

/* Set io to the monomials alone; where derived signals bind them, only the
 * expanded equation tells which of them are left. */
static darc_status find_support(darc_ioeqs_t io, const task *t, darc_err *err)
{
    darc_err own;
    darc_err_init(&own);
    darc_status status = darc_ioeqs_init_support(io, t->model, asked_ranking(t),
                                                 &t->budget, &own);
    if (status == DARC_OK)
        return status;
    if (status != DARC_LIMIT || darc_budget_check(&t->budget, NULL) != DARC_OK)
        return darc_fail(err, status, "%s", own.message);
    return darc_ioeqs_init(io, t->model, asked_ranking(t), DARC_ENGINE_AUTO,
                           &t->budget, err);
}

static darc_status find_equations(darc_ioeqs_t io, const task *t, darc_err *err)
{
    return darc_ioeqs_init(
        io, t->model, asked_ranking(t),
        (darc_engine)darc_option_choice(t->o, DARC_OPT_ENGINE), &t->budget,
        err);
}

static darc_status run_io(darc_text_t out, task *t, darc_err *err)
{
    darc_ioeqs_t io;
    if (t->how.support && !darc_option_given(t->o, DARC_OPT_ENGINE))
        DARC_NEED(find_support(io, t, err));
    else
        DARC_NEED(find_equations(io, t, err));
    darc_emit_ioeqs(out, io, &t->how);
    darc_ioeqs_clear(io);
    return DARC_OK;
}

static darc_status run_relation(darc_text_t out, const task *t, darc_err *err)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    darc_form form = option_is(t->o, DARC_OPT_FORM, "matrix")
                         ? DARC_FORM_MATRIX
                         : DARC_FORM_EXPANDED;
    DARC_NEED(find_equations(io, t, err));
    darc_partial_t p;
    darc_ioeqs_reach(p, io);
    darc_budget_reached(&t->budget, p);
    darc_partial_clear(p);
    darc_status status = darc_relations_init(
        r, io,
        &(darc_relation_task){
            .test = (darc_test)darc_option_choice(t->o, DARC_OPT_FOR),
            .changed = t->changed,
            .form = form,
            .budget = &t->budget},
        err);
    if (status == DARC_OK) {
        darc_emit_relations(out, r, &t->how);
        darc_relations_clear(r);
    }
    darc_ioeqs_clear(io);
    return status;
}

/* The characteristic sets under the ranking. */
static darc_status run_components(darc_text_t out, const task *t, darc_err *err)
{
    darc_status status;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    darc_decomposition_t d;
    const darc_names_struct *names = darc_model_names(t->model);
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    darc_model_orders(t->model, bound);
    darc_jet_init(jet, names, t->ranking, bound);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    DARC_TRY(darc_model_equations(eq, ineq, t->model, jet, err));
    DARC_TRY(darc_elim(d, &(darc_system){eq, ineq, jet},
                       !darc_option_given(t->o, DARC_OPT_ALL_COMPONENTS),
                       &t->budget, err));
    darc_emit_components(out, d, t->keep, &t->how);
    darc_decomposition_clear(d);
done:
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_free(bound);
    return status;
}

static darc_status check_options(const darc_options *o, darc_err *err)
{
    bool changed = darc_option_given(o, DARC_OPT_CHANGED);
    if (option_is(o, DARC_OPT_FOR, "changed") != changed)
        return darc_fail(err, DARC_USAGE,
                         changed ? "--changed needs --for changed"
                                 : "--for changed needs --changed P[,P...]");
    if (darc_option_given(o, DARC_OPT_FOR) &&
        darc_option_given(o, DARC_OPT_KEEP))
        return darc_fail(err, DARC_USAGE,
                         "--keep and --for exclude each other");
    return DARC_OK;
}

/* Hand p to the parent, which prints the last one when this process comes to
 * no end; that may cost a share of the time, and a moment at first. */
static bool show_reached(void *reader, const darc_partial_struct *p)
{
    task *t = reader;
    double now = darc_now();
    if (t->spent > DARC_READING_SHARE * (now - t->first) + DARC_READING_MOMENT)
        return false;
    darc_text_t text;
    darc_text_init(text);
    darc_emit_partial(text, p, &t->how);
    darc_budget_partial(&t->budget, text->s);
    darc_text_clear(text);
    t->spent += darc_now() - now;
    return true;
}

darc_status darc_cmd_eliminate(int *code, const darc_options *o,
                               const darc_budget *budget, darc_err *err)
{
    (void)code;
    darc_status status;
    darc_text_t out;
    darc_text_init(out);
    task t = {.o = o, .budget = *budget, .first = darc_now()};
    t.budget.reached = show_reached;
    t.budget.reader = &t;
    DARC_TRY(check_options(o, err));
    DARC_TRY(task_init(&t, err));
    if (option_is(o, DARC_OPT_FORM, "io") ||
        option_is(o, DARC_OPT_FORM, "support"))
        DARC_TRY(run_io(out, &t, err));
    else if (darc_option_given(o, DARC_OPT_FOR))
        DARC_TRY(run_relation(out, &t, err));
    else
        DARC_TRY(run_components(out, &t, err));
    fputs(out->s, stdout);
done:
    task_clear(&t);
    darc_text_clear(out);
    return status;
}
