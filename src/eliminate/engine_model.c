#include "base/mem.h"
#include "eliminate/engine.h"

#include <string.h>

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

/* Return whether the equations, each irreducible, are free of states and
 * reduced by one another: then they are io-equations. */
static bool are_final(const darc_dpolys_t eq, const darc_jet_t jet)
{
    for (slong i = 0; i < eq->count; i++) {
        if (darc_engine_has_state(eq->p + i, jet))
            return false;
        for (slong j = 0; j < eq->count; j++)
            if (i != j && !is_reduced(eq->p + i, eq->p + j, jet))
                return false;
    }
    return eq->count > 0;
}

/* Reduce every equation to its core; return whether each is one factor. */
static bool make_irreducible(darc_dpolys_t eq, const darc_jet_t jet)
{
    bool ok = true;
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    for (slong i = 0; i < eq->count && ok; i++) {
        ok = darc_engine_core(q, eq->p + i, jet) == 1;
        fmpz_mpoly_swap(eq->p + i, q, jet->ctx);
    }
    darc_dpoly_clear(q, jet);
    return ok;
}

static const char *const not_final =
    "the equations hold states or are not reduced by one another";

darc_status darc_engine_model(darc_ioeqs_t out, const darc_model *model,
                              const darc_ranking_t ranking,
                              const darc_budget *budget, darc_err *err)
{
    (void)ranking;
    darc_status status;
    darc_dpolys_t eq, ineq;
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    DARC_TRY(darc_budget_check(budget, err));
    DARC_TRY(darc_model_equations(eq, ineq, model, out->jet, err));
    for (slong i = 0; i < eq->count; i++)
        if (darc_engine_has_state(eq->p + i, out->jet))
            DARC_TRY(darc_fail(err, DARC_DOMAIN, "%s", not_final));
    if (!make_irreducible(eq, out->jet) || !are_final(eq, out->jet))
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "%s", not_final));
    for (slong i = 0; i < eq->count; i++)
        darc_ioeqs_append(out, eq->p + i, "model");
    DARC_TRY(darc_engine_inequations(out, ineq, out->jet, err));
done:
    darc_dpolys_clear(eq, out->jet);
    darc_dpolys_clear(ineq, out->jet);
    return status;
}
