#include "identify/observable.h"

#include "base/mem.h"
#include "eliminate/eliminate.h"
#include "identify/field.h"
#include "identify/thresholds.h"
#include "model/model.h"
#include "projection/coeffs.h"

#include <string.h>

/* Set *inside and *along to whether the ratios of the coefficients of equation
 * i are in f, and whether they are algebraic over it. */
static void compare_ratios(bool *inside, bool *along, const darc_field_t f,
                           const darc_ioeqs_t io, int i)
{
    darc_coeffs_t c;
    darc_ratios_t all;
    darc_coeffs_init(c, io, i, NULL);
    darc_ratios_init(all, f->ctx);
    darc_ratios_append_all(all, f->ratio);
    slong rank = darc_ratios_rank(all, 1);
    *inside = true;
    for (slong j = 1; j < c->first[1]; j++) {
        *inside = *inside && darc_field_contains(f, c->b + j, c->b);
        darc_ratios_append(all, c->b + j, c->b);
    }
    *along = darc_ratios_rank(all, 1) == rank;
    darc_ratios_clear(all);
    darc_coeffs_clear(c);
}

/* Return whether these are the parameters of id alone. */
static bool has_parameters(const darc_names_struct *names,
                           const darc_identification_t id)
{
    slong v = 0;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER &&
            (v == id->vars ||
             strcmp(names->symbol[u].name, id->name[v++]) != 0))
            return false;
    return v == id->vars;
}

static darc_identifiability judge_state(const darc_ioeqs_t io, int h,
                                        const darc_identification_t id,
                                        const darc_budget *budget)
{
    int i = 0;
    while (i < io->count && io->eq[i].leader.unknown != h)
        i++;
    if (io->linked || (i < io->count && !io->eq[i].expanded) ||
        !has_parameters(io->jet->names, id))
        return DARC_PERHAPS;
    if (i == io->count || io->eq[i].leader.order > 0)
        return DARC_NOT_IDENTIFIABLE;
    bool inside, along;
    darc_field_t f;
    slong v = darc_jet_var(io->jet, io->eq[i].leader);
    slong degree = darc_dpoly_degree(io->eq[i].poly, v, io->jet);
    double left = DARC_ASKED_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    darc_field_open(f, id->ctx);
    darc_ratios_append_all(f->ratio, id->function);
    bool sure = darc_field_slice(f, &own, NULL) == DARC_OK;
    compare_ratios(&inside, &along, f, io, i);
    darc_field_clear(f);
    return !along                  ? DARC_NOT_IDENTIFIABLE
           : inside && degree == 1 ? DARC_GLOBALLY
           : degree > 1 || sure    ? DARC_LOCALLY
                                   : DARC_PERHAPS;
}

/* Return whether an equation gives h from what is measured and known. */
static bool is_told(const darc_model *model, const char *h,
                    const darc_identification_t id)
{
    const darc_names_struct *names = darc_model_names(model);
    bool *given = darc_calloc((size_t)names->count + 1, sizeof *given);
    for (slong v = 0; v < id->vars; v++) {
        int u = darc_names_find(names, id->name[v], strlen(id->name[v]));
        if (u >= 0)
            given[u] = id->parameter[v] == DARC_GLOBALLY;
    }
    bool told = darc_model_tells(model, given, h);
    darc_free(given);
    return told;
}

darc_identifiability darc_implicit_find(const darc_model *model, const char *h,
                                        const darc_identification_t id,
                                        const darc_budget *budget)
{
    static const char *const label = "asked";
    darc_identifiability found = DARC_PERHAPS;
    darc_model *extended = NULL;
    darc_ioeqs_t io;
    darc_ranking_t rk;
    if (is_told(model, h, id))
        return DARC_GLOBALLY;
    if (!id->complete ||
        darc_model_extend(&extended, model, (const char **)&label, &h, 1,
                          NULL) != DARC_OK)
        return DARC_PERHAPS;
    const darc_names_struct *names = darc_model_names(extended);
    int u = darc_names_find(names, "asked_known", strlen("asked_known"));
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, extended);
    for (int k = 0; k < names->count; k++)
        rk->block[k] += k != u && rk->block[k] >= rk->block[u];
    if (darc_ioeqs_init(io, extended, rk, DARC_ENGINE_AUTO, budget, NULL) ==
        DARC_OK) {
        found = judge_state(io, u, id, budget);
        if (found == DARC_LOCALLY && darc_adjoined_have_branches(extended))
            found = DARC_PERHAPS; /* of a root one branch counts */
        darc_ioeqs_clear(io);
    }
    darc_ranking_clear(rk);
    darc_model_free(extended);
    return found;
}

darc_status darc_single_find(darc_identifiability *is, bool *final,
                             const darc_single *q, const darc_budget *budget,
                             darc_err *err)
{
    darc_model *extended = NULL;
    darc_observable one = {.count = 1};
    const char *label = q->label, *text = q->function;
    DARC_NEED(darc_model_extend(&extended, q->model, &label, &text, 1, err));
    darc_status status =
        darc_observable_init(&one, extended, q->io, q->id, budget, err);
    darc_model_free(extended);
    if (status != DARC_OK)
        return status;
    darc_budget own = darc_budget_with(budget, NULL);
    own.work = q->work;
    if (one.solved || q->io == NULL) {
        *is = one.status[0];
        *final = one.final[0];
    } else {
        darc_identifiability found =
            darc_implicit_find(q->model, q->function, q->id, &own);
        *is = found != DARC_PERHAPS ? found : *is;
        *final = found != DARC_PERHAPS || *final;
    }
    darc_observable_clear(&one);
    return darc_budget_check(budget, err);
}
