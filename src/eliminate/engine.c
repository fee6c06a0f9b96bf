#include "eliminate/engine.h"

int darc_engine_core(darc_dpoly_t q, const darc_dpoly_t p, const darc_jet_t jet)
{
    int count = -1;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, jet->ctx);
    if (fmpz_mpoly_factor(f, p, jet->ctx)) {
        count = 0;
        fmpz_mpoly_one(q, jet->ctx);
        for (slong i = 0; i < f->num; i++) {
            if (darc_dpoly_is_constant(f->poly + i, jet))
                continue;
            fmpz_mpoly_mul(q, q, f->poly + i, jet->ctx);
            count++;
        }
    }
    fmpz_mpoly_factor_clear(f, jet->ctx);
    return count;
}

bool darc_engine_has_state(const darc_dpoly_t p, const darc_jet_t jet)
{
    for (int u = 0; u < jet->names->count; u++)
        if (jet->names->symbol[u].kind == DARC_STATE &&
            darc_dpoly_order(p, u, jet) >= 0)
            return true;
    return false;
}

darc_status darc_engine_inequations(darc_ioeqs_t out, const darc_dpolys_t ineq,
                                    const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t q;
    darc_dpoly_init(q, out->jet);
    for (slong i = 0; i < ineq->count; i++) {
        if (darc_engine_has_state(ineq->p + i, jet))
            continue;
        DARC_TRY(darc_dpoly_move(q, out->jet, ineq->p + i, jet, err));
        if (!darc_dpolys_contains(out->inequations, q, out->jet))
            darc_dpolys_append(out->inequations, q, out->jet);
    }
done:
    darc_dpoly_clear(q, out->jet);
    return status;
}

/* Return whether a is reduced by b, of another leader: it holds the leader
 * of b in a lower degree and none of its derivatives. */
static bool is_reduced(const darc_dpoly_t a, const darc_dpoly_t b,
                       const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(b, jet);
    darc_deriv d = jet->deriv[v];
    int order = darc_dpoly_order(a, d.unknown, jet);
    return order < d.order ||
           (order == d.order &&
            darc_dpoly_degree(a, v, jet) < darc_dpoly_degree(b, v, jet));
}

darc_status darc_engine_model(darc_ioeqs_t out, const darc_model *model,
                              const darc_budget *budget, darc_err *err)
{
    darc_status status;
    const darc_jet_struct *jet = out->jet;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_dpoly_t core;
    darc_dpoly_init(core, jet);
    DARC_TRY(darc_budget_check(budget, err));
    DARC_TRY(darc_model_equations(eq, ineq, model, jet, err));
    bool final = eq->count > 0;
    for (slong i = 0; i < eq->count; i++)
        final = final && !darc_engine_has_state(eq->p + i, jet);
    for (slong i = 0; i < eq->count && final; i++) {
        final = darc_engine_core(core, eq->p + i, jet) == 1;
        fmpz_mpoly_swap(eq->p + i, core, jet->ctx);
    }
    for (slong i = 0; i < eq->count; i++)
        for (slong j = 0; j < eq->count && final; j++)
            final = i == j || is_reduced(eq->p + i, eq->p + j, jet);
    if (!final)
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "the equations hold states or are not reduced by "
                           "one another"));
    for (slong i = 0; i < eq->count; i++)
        darc_ioeqs_append(out, eq->p + i, "model");
    DARC_TRY(darc_engine_inequations(out, ineq, jet, err));
done:
    darc_dpoly_clear(core, jet);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    return status;
}
