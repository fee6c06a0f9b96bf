/* replace.c - states that an equation gives go by substitution. */
#include "base/mem.h"
#include "eliminate/engine.h"

/* Return the only derivative of a state in p, a variable, where p is linear in
 * it with a number in front; -1: p is not of that form. */
static slong given_by(const darc_dpoly_t p, const darc_jet_t jet)
{
    slong given = -1, states = 0;
    darc_dpoly_t c;
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_init(c, jet);
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++) {
        int u = jet->deriv[v].unknown;
        if (!used[v] || jet->names->symbol[u].kind != DARC_STATE)
            continue;
        given = v;
        states++;
    }
    if (states == 1 && darc_dpoly_degree(p, given, jet) == 1)
        darc_dpoly_coeff(c, p, given, 1, jet);
    bool good =
        !fmpz_mpoly_is_zero(c, jet->ctx) && fmpz_mpoly_is_fmpz(c, jet->ctx);
    darc_dpoly_clear(c, jet);
    darc_free(used);
    return good ? given : -1;
}

/* Return whether equations other than number i hold d in a lower order. */
static bool is_below(const darc_dpolys_t eq, slong i, darc_deriv d,
                     const darc_jet_t jet)
{
    for (slong j = 0; j < eq->count; j++)
        for (int k = 0; k < d.order && j != i; k++)
            if (darc_dpoly_degree(eq->p + j,
                                  darc_jet_var(jet, (darc_deriv){d.unknown, k}),
                                  jet) > 0)
                return true;
    return false;
}

/* Carry all to a frame in which p has so many derivatives more. */
static darc_status widen(darc_dpolys_t eq, darc_dpolys_t ineq, darc_jet_t jet,
                         const darc_dpoly_t p, int more, darc_err *err)
{
    darc_status status;
    darc_jet_t to;
    darc_dpolys_t a = {{0}}, b = {{0}};
    int *bound = darc_calloc((size_t)jet->names->count, sizeof *bound);
    darc_dpoly_orders(bound, p, jet);
    for (int u = 0; u < jet->names->count; u++)
        bound[u] = FLINT_MAX(bound[u] + more, jet->bound[u]);
    darc_jet_init(to, jet->names, jet->ranking, bound);
    darc_free(bound);
    DARC_TRY(darc_dpolys_move(a, to, eq, jet, err));
    DARC_TRY(darc_dpolys_move(b, to, ineq, jet, err));
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    darc_jet_clear(jet);
    *eq = *a;
    *ineq = *b;
    *jet = *to;
    return DARC_OK;
done:
    DARC_EACH_IN(darc_dpolys_clear, to, a, b);
    darc_jet_clear(to);
    return status;
}

/* Set p, times a number, to its value where c*v + e = 0. */
static void put(darc_dpoly_t p, slong v, const darc_dpoly_t e,
                const darc_dpoly_t c, const darc_jet_t jet)
{
    slong degree = darc_dpoly_degree(p, v, jet);
    darc_dpoly_t sum, part, power;
    DARC_EACH_IN(darc_dpoly_init, jet, sum, part, power);
    fmpz_mpoly_one(power, jet->ctx);
    for (slong d = degree; d >= 0 && degree > 0; d--) { /* by Horner's rule */
        darc_dpoly_coeff(part, p, v, d, jet);
        fmpz_mpoly_mul(part, part, power, jet->ctx);
        fmpz_mpoly_mul(sum, sum, e, jet->ctx);
        fmpz_mpoly_sub(sum, part, sum, jet->ctx);
        fmpz_mpoly_mul(power, power, c, jet->ctx);
    }
    if (degree > 0)
        darc_dpoly_primitive(p, sum, jet);
    DARC_EACH_IN(darc_dpoly_clear, jet, sum, part, power);
}

/* Let the state go that equation i gives as variable v, and its derivatives;
 * remove the equation. */
static darc_status replace(darc_dpolys_t eq, darc_dpolys_t ineq, darc_jet_t jet,
                           slong i, slong v, darc_err *err)
{
    darc_status status;
    darc_dpoly_t e, c;
    darc_deriv d = jet->deriv[v];
    DARC_NEED(
        widen(eq, ineq, jet, eq->p + i, jet->bound[d.unknown] - d.order, err));
    DARC_EACH_IN(darc_dpoly_init, jet, e, c);
    v = darc_jet_var(jet, d);
    darc_dpoly_coeff(c, eq->p + i, v, 1, jet);
    darc_dpoly_coeff(e, eq->p + i, v, 0, jet);
    darc_dpolys_remove(eq, i, jet);
    for (int k = d.order; k <= jet->bound[d.unknown]; k++) {
        v = darc_jet_var(jet, (darc_deriv){d.unknown, k});
        for (slong j = 0; j < eq->count; j++)
            put(eq->p + j, v, e, c, jet);
        for (slong j = 0; j < ineq->count; j++)
            put(ineq->p + j, v, e, c, jet);
        if (k < jet->bound[d.unknown])
            DARC_TRY(darc_dpoly_diff(e, e, jet, err));
    }
    status = DARC_OK;
done:
    DARC_EACH_IN(darc_dpoly_clear, jet, e, c);
    return status;
}

/* Return which equation gives a state, *v, in the lowest derivatives; -1:
 * none. */
static slong best_given(slong *v, const darc_dpolys_t eq, const darc_jet_t jet)
{
    slong best = -1;
    int least = 0;
    for (slong i = 0; i < eq->count; i++) {
        slong w = given_by(eq->p + i, jet);
        int order = darc_dpoly_highest_order(eq->p + i, jet);
        if (w < 0 || (best >= 0 && order >= least) ||
            is_below(eq, i, jet->deriv[w], jet))
            continue;
        best = i;
        least = order;
        *v = w;
    }
    return best;
}

darc_status darc_engine_replace(darc_dpolys_t eq, darc_dpolys_t ineq,
                                darc_jet_t jet, const darc_budget *budget,
                                darc_err *err)
{
    slong v = -1;
    for (slong i; (i = best_given(&v, eq, jet)) >= 0;) {
        DARC_NEED(darc_budget_check(budget, err));
        DARC_NEED(replace(eq, ineq, jet, i, v, err));
    }
    return DARC_OK;
}
