#include "eliminate/eliminate.h"

#include "base/mem.h"
#include "eliminate/engine.h"

/* The engines, in the order in which DARC_ENGINE_AUTO tries them: the general
 * one, whose equations are short where it ends at once, then, and at last. */
static const struct {
    darc_engine engine; /* the choice that forces it; AUTO: cannot be forced */
    darc_engine_run *run;
    double work; /* products of terms, then the next one is tried; 0: any */
} engines[] = {
    {DARC_ENGINE_AUTO, darc_engine_model, 0},
    {DARC_ENGINE_LINEAR, darc_engine_linear, 0},
    {DARC_ENGINE_AUTO, darc_engine_dae_round, DARC_ROUND_WORK},
    {DARC_ENGINE_PROJECT, darc_engine_project, 0},
    {DARC_ENGINE_AUTO, darc_engine_dae_single, DARC_ROUND_WORK},
    {DARC_ENGINE_AUTO, darc_engine_general, DARC_GENERAL_WORK},
    {DARC_ENGINE_CONSTRAINTS, darc_engine_dae, DARC_DAE_WORK},
    {DARC_ENGINE_AUTO, darc_engine_general, DARC_GENERAL_LONG},
    {DARC_ENGINE_AUTO, darc_engine_dae_linked, DARC_DAE_WORK},
    {DARC_ENGINE_GENERAL, darc_engine_general, 0},
};

#define ENGINES (sizeof engines / sizeof engines[0])

static darc_status run_engines(darc_ioeqs_t out, const darc_model *model,
                               darc_engine engine, const darc_budget *budget,
                               darc_err *err)
{
    darc_status status = DARC_DOMAIN;
    darc_jet_t first;
    darc_jet_init(first, out->jet->names, out->jet->ranking, out->jet->bound);
    bool any = engine == DARC_ENGINE_AUTO || engine == DARC_ENGINE_REDUCED;
    for (size_t i = 0; i < ENGINES && status == DARC_DOMAIN; i++) {
        if (!any && engine != engines[i].engine)
            continue;
        /* An engine that does not apply leaves the word to the next. */
        darc_err own = {DARC_OK, ""};
        darc_budget within =
            darc_budget_with(budget, budget != NULL ? budget->left : NULL);
        bool last = i + 1 == ENGINES || !any;
        bool little = !last && engines[i].work > 0 &&
                      (within.work <= 0 || within.work >= engines[i].work);
        if (little)
            within.work = engines[i].work;
        status = engines[i].run(out, model, little ? &within : budget, &own);
        if (status == DARC_LIMIT && little &&
            darc_budget_check(budget, NULL) == DARC_OK)
            status = DARC_DOMAIN;
        if (status == DARC_DOMAIN)
            darc_ioeqs_reframe(out, first->names, first->ranking, first->bound);
        if (status != DARC_OK && (status != DARC_DOMAIN || last))
            darc_fail_as(err, status, &own);
    }
    darc_jet_clear(first);
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

static void set_ranking(darc_ranking_t rk, const darc_model *model,
                        const darc_ranking_struct *ranking)
{
    darc_ranking_init(rk, darc_model_names(model)->count);
    if (ranking != NULL)
        darc_ranking_set(rk, ranking);
    else
        darc_model_ranking(rk, model);
}

/* Set out to no equation in the first frame of model. */
static void init_frame(darc_ioeqs_t out, const darc_model *model,
                       const darc_ranking_t rk)
{
    const darc_names_struct *names = darc_model_names(model);
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    darc_model_orders(model, bound);
    darc_ioeqs_init_frame(out, names, rk, bound);
    darc_free(bound);
}

/* The same under ranking; NULL: that of the model, and where it is the default
 * one, with the outputs in the order that makes shorter equations. */
static void open_frame(darc_ioeqs_t out, const darc_model *model,
                       const darc_ranking_struct *ranking, darc_engine engine,
                       const darc_budget *budget)
{
    darc_ranking_t rk;
    set_ranking(rk, model, ranking);
    if (ranking == NULL && engine != DARC_ENGINE_GENERAL &&
        is_default(rk, darc_model_names(model)))
        darc_order_outputs(rk, model, budget);
    init_frame(out, model, rk);
    darc_ranking_clear(rk);
}

static bool has_outputs(const darc_names_struct *names)
{
    int u = 0;
    while (u < names->count && names->symbol[u].kind != DARC_OUTPUT)
        u++;
    return u < names->count;
}

static double terms_of(const darc_ioeq *eq)
{
    return (double)(eq->expanded ? eq->poly->length : eq->part->count);
}

/* Make the monomials independent of equations begun at `start` (CPU s); clear
 * out unless it holds equations. */
static darc_status close_frame(darc_ioeqs_t out, const darc_model *model,
                               double start, const darc_budget *budget,
                               darc_status status, darc_err *err)
{
    if (status == DARC_OK && !out->coupled)
        status = darc_ioeqs_make_independent(out, model, budget, err);
    if (status == DARC_OK && out->count == 0)
        status = darc_fail(err, DARC_DOMAIN,
                           "model '%s' leaves no relation between its "
                           "signals%s",
                           darc_model_name(model),
                           has_outputs(darc_model_names(model))
                               ? ""
                               : ": it has no outputs, what is measured of "
                                 "what it does");
    if (status == DARC_OK) {
        /* Say what each equation cost: most steps work for several of them. */
        double terms = 0, spent = darc_cpu_time() - start;
        for (int i = 0; i < out->count; i++)
            terms += terms_of(out->eq + i);
        for (int i = 0; i < out->count; i++)
            out->eq[i].cpu_s = spent * terms_of(out->eq + i) / terms;
    } else {
        darc_ioeqs_clear(out);
    }
    return status;
}

darc_status darc_ioeqs_init_standing(darc_ioeqs_t out, const darc_model *model,
                                     const darc_ranking_struct *ranking,
                                     const darc_budget *budget, darc_err *err)
{
    double start = darc_cpu_time();
    darc_ranking_t rk;
    darc_err own = {DARC_OK, ""};
    set_ranking(rk, model, ranking);
    bool stands = is_default(rk, darc_model_names(model));
    init_frame(out, model, rk);
    darc_ranking_clear(rk);
    darc_status status =
        stands ? darc_engine_model(out, model, budget, &own) : DARC_DOMAIN;
    if (status == DARC_DOMAIN && stands)
        status = darc_engine_coupled(out, model, budget, &own);
    darc_fail_as(err, status, &own);
    return close_frame(out, model, start, budget, status, err);
}

bool darc_ioeqs_are_coupled(const darc_model *model, const darc_budget *budget)
{
    darc_ioeqs_t io;
    if (darc_ioeqs_init_standing(io, model, NULL, budget, NULL) != DARC_OK)
        return false;
    bool coupled = io->coupled;
    darc_ioeqs_clear(io);
    return coupled;
}

/* Set *status to what comes of that; return whether this is the last word. */
static bool stand(darc_status *status, darc_ioeqs_t out,
                  const darc_model *model, const darc_ranking_struct *ranking,
                  const darc_budget *budget, darc_err *err)
{
    darc_err own = {DARC_OK, ""};
    *status = darc_ioeqs_init_standing(out, model, ranking, budget, &own);
    if (*status != DARC_OK && *status != DARC_DOMAIN)
        darc_fail_as(err, *status, &own);
    return *status != DARC_DOMAIN;
}

darc_status darc_ioeqs_init(darc_ioeqs_t out, const darc_model *model,
                            const darc_ranking_struct *ranking,
                            darc_engine engine, const darc_budget *budget,
                            darc_err *err)
{
    double start = darc_cpu_time();
    darc_status stands;
    if (engine == DARC_ENGINE_AUTO &&
        stand(&stands, out, model, ranking, budget, err))
        return stands;
    open_frame(out, model, ranking, engine, budget);
    darc_status status = run_engines(out, model, engine, budget, err);
    return close_frame(out, model, start, budget, status, err);
}

darc_status darc_ioeqs_init_support(darc_ioeqs_t out, const darc_model *model,
                                    const darc_ranking_struct *ranking,
                                    const darc_budget *budget, darc_err *err)
{
    darc_err own = {DARC_OK, ""};
    double start = darc_cpu_time();
    darc_status stands;
    if (stand(&stands, out, model, ranking, budget, err))
        return stands;
    open_frame(out, model, ranking, DARC_ENGINE_AUTO, budget);
    darc_status status = darc_engine_support(out, model, budget, &own);
    if (status == DARC_DOMAIN)
        status = run_engines(out, model, DARC_ENGINE_AUTO, budget, err);
    else
        darc_fail_as(err, status, &own);
    return close_frame(out, model, start, budget, status, err);
}

darc_status darc_ioeqs_init_within(darc_ioeqs_t out, const darc_model *model,
                                   const darc_ranking_struct *ranking,
                                   double work, const darc_budget *budget,
                                   darc_err *err)
{
    darc_budget within;
    darc_err own = {DARC_OK, ""};
    darc_budget_init(&within);
    if (budget != NULL)
        within = *budget;
    within.work = work;
    darc_status status =
        darc_ioeqs_init(out, model, ranking, DARC_ENGINE_AUTO, &within, &own);
    if (status != DARC_LIMIT)
        return darc_fail_as(err, status, &own);
    DARC_NEED(darc_budget_check(budget, err));
    return darc_ioeqs_init_support(out, model, ranking, budget, err);
}
