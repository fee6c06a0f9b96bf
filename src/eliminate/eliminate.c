#include "eliminate/eliminate.h"

#include "base/mem.h"
#include "eliminate/dependence.h"
#include "eliminate/engine.h"

typedef darc_status engine_function(darc_ioeqs_t out, const darc_model *model,
                                    const darc_ranking_t ranking,
                                    const darc_budget *budget, darc_err *err);

/* The engines, in the order in which DARC_ENGINE_AUTO tries them. */
static const struct {
    darc_engine engine; /* the choice that forces it; AUTO: cannot be forced */
    engine_function *run;
} engines[] = {
    {DARC_ENGINE_AUTO, darc_engine_model},
    {DARC_ENGINE_LINEAR, darc_engine_linear},
    {DARC_ENGINE_PROJECT, darc_engine_project},
    {DARC_ENGINE_GENERAL, darc_engine_general},
};

#define ENGINES (sizeof engines / sizeof engines[0])

static darc_status run_engines(darc_ioeqs_t out, const darc_model *model,
                               const darc_ranking_t ranking, darc_engine engine,
                               const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_DOMAIN;
    for (size_t i = 0; i < ENGINES && status == DARC_DOMAIN; i++) {
        if (engine != DARC_ENGINE_AUTO && engine != engines[i].engine)
            continue;
        /* An engine that does not apply leaves the word to the next. */
        darc_err own;
        darc_err_init(&own);
        status = engines[i].run(out, model, ranking, budget, &own);
        bool last = i + 1 == ENGINES || engine != DARC_ENGINE_AUTO;
        if (status != DARC_OK && (status != DARC_DOMAIN || last))
            darc_fail(err, status, "%s", own.message);
    }
    return status;
}

static bool is_default(const darc_ranking_t rk, const darc_names_t names)
{
    darc_ranking_t standard;
    darc_ranking_init(standard, names->count);
    darc_ranking_set_default(standard, names);
    bool same = true;
    for (int u = 0; u < names->count; u++)
        same = same && rk->block[u] == standard->block[u] &&
               rk->position[u] == standard->position[u];
    darc_ranking_clear(standard);
    return same;
}

/* Set rk to the ranking of model; where it is the default one, with the
 * outputs in the order that makes shorter equations. */
static void set_model_ranking(darc_ranking_t rk, const darc_model *model,
                              darc_engine engine, const darc_budget *budget)
{
    darc_model_ranking(rk, model);
    if (engine != DARC_ENGINE_GENERAL &&
        is_default(rk, darc_model_names(model)))
        darc_order_outputs(rk, model, budget);
}

/* Set out to no equation in the first frame of model, under ranking (NULL:
 * the model's), and rk to its ranking. */
static void open_frame(darc_ioeqs_t out, darc_ranking_t rk,
                       const darc_model *model,
                       const darc_ranking_struct *ranking, darc_engine engine,
                       const darc_budget *budget)
{
    const darc_names_struct *names = darc_model_names(model);
    darc_ranking_init(rk, names->count);
    if (ranking != NULL)
        darc_ranking_set(rk, ranking);
    else
        set_model_ranking(rk, model, engine, budget);
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    darc_model_orders(model, bound);
    darc_ioeqs_init_frame(out, names, rk, bound);
    darc_ranking_set(rk, out->jet->ranking);
    darc_free(bound);
}

static double terms_of(const darc_ioeq *eq)
{
    return (double)(eq->expanded ? eq->poly->length : eq->part->count);
}

/* Say what each equation cost: most steps work for several of them. */
static void share_time(darc_ioeqs_t e, double cpu_s)
{
    double terms = 0;
    for (int i = 0; i < e->count; i++)
        terms += terms_of(e->eq + i);
    for (int i = 0; i < e->count; i++)
        e->eq[i].cpu_s = cpu_s * terms_of(e->eq + i) / terms;
}

/* Make the monomials independent of equations begun at `start` (CPU s); clear
 * out unless it holds equations. */
static darc_status close_frame(darc_ioeqs_t out, const darc_model *model,
                               double start, const darc_budget *budget,
                               darc_status status, darc_err *err)
{
    if (status == DARC_OK)
        status = darc_ioeqs_make_independent(out, model, budget, err);
    if (status == DARC_OK && out->count == 0)
        status = darc_fail(err, DARC_DOMAIN,
                           "model '%s' leaves no relation between its signals",
                           darc_model_name(model));
    if (status == DARC_OK)
        share_time(out, darc_cpu_time() - start);
    else
        darc_ioeqs_clear(out);
    return status;
}

darc_status darc_ioeqs_init(darc_ioeqs_t out, const darc_model *model,
                            const darc_ranking_struct *ranking,
                            darc_engine engine, const darc_budget *budget,
                            darc_err *err)
{
    darc_ranking_t rk;
    double start = darc_cpu_time();
    open_frame(out, rk, model, ranking, engine, budget);
    darc_status status = run_engines(out, model, rk, engine, budget, err);
    darc_ranking_clear(rk);
    return close_frame(out, model, start, budget, status, err);
}

darc_status darc_ioeqs_init_support(darc_ioeqs_t out, const darc_model *model,
                                    const darc_ranking_struct *ranking,
                                    const darc_budget *budget, darc_err *err)
{
    darc_ranking_t rk;
    darc_err own;
    double start = darc_cpu_time();
    darc_err_init(&own);
    open_frame(out, rk, model, ranking, DARC_ENGINE_AUTO, budget);
    darc_status status = darc_engine_support(out, model, rk, budget, &own);
    if (status == DARC_DOMAIN)
        status = run_engines(out, model, rk, DARC_ENGINE_AUTO, budget, err);
    else if (status != DARC_OK)
        darc_fail(err, status, "%s", own.message);
    darc_ranking_clear(rk);
    return close_frame(out, model, start, budget, status, err);
}

darc_status darc_ioeqs_init_within(darc_ioeqs_t out, const darc_model *model,
                                   const darc_ranking_struct *ranking,
                                   double work, const darc_budget *budget,
                                   darc_err *err)
{
    darc_budget within;
    darc_err own;
    darc_err_init(&own);
    darc_budget_init(&within);
    if (budget != NULL)
        within = *budget;
    within.work = work;
    darc_status status =
        darc_ioeqs_init(out, model, ranking, DARC_ENGINE_AUTO, &within, &own);
    if (status == DARC_OK)
        return status;
    if (status != DARC_LIMIT)
        return darc_fail(err, status, "%s", own.message);
    status = darc_budget_check(budget, err);
    return status != DARC_OK
               ? status
               : darc_ioeqs_init_support(out, model, ranking, budget, err);
}
