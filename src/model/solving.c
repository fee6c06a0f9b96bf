#include "model/solved.h"

#include "base/mem.h"

#include <assert.h>

/* Room in the wide frame: every output and every state may raise orders by
 * its own order when it is replaced. */
static void init_frame(darc_solving *w, const darc_model *model)
{
    int *bound = darc_calloc((size_t)w->names->count, sizeof *bound);
    int extra = 0, highest = 0;
    for (int u = 0; u < w->names->count; u++) {
        darc_kind kind = w->names->symbol[u].kind;
        if (kind == DARC_OUTPUT)
            extra += w->order[u];
        if (kind == DARC_STATE && w->order[u] > highest)
            highest = w->order[u];
    }
    for (int u = 0; u < w->names->count; u++) {
        darc_kind kind = w->names->symbol[u].kind;
        bool raised = kind == DARC_STATE || kind == DARC_INPUT;
        bound[u] = w->order[u] + (raised ? extra + highest : 0);
    }
    darc_ranking_t rk;
    darc_ranking_init(rk, w->names->count);
    darc_model_ranking(rk, model);
    darc_jet_init(w->jet, w->names, rk, bound);
    darc_ranking_clear(rk);
    darc_free(bound);
}

/* Return the highest order of u in the equations left, -1 if none. */
static int order_left(const darc_solving *w, int u)
{
    int order = -1;
    for (slong i = 0; i < w->eq->count; i++)
        order = FLINT_MAX(order, darc_dpoly_order(w->eq->p + i, u, w->jet));
    return order;
}

darc_status darc_solving_init(darc_solving *w, const darc_model *model,
                              bool dynamic, darc_err *err)
{
    size_t n = (size_t)darc_model_names(model)->count;
    *w = (darc_solving){.dynamic = dynamic, .names = darc_model_names(model)};
    w->order = darc_calloc(n, sizeof *w->order);
    darc_model_orders(model, w->order);
    init_frame(w, model);
    DARC_CALLOC(n, w->auxiliary, w->absent, w->defined, w->top, w->value);
    for (int u = 0; u < w->names->count; u++) {
        w->top[u] = -1;
        darc_fraction_init(w->value + u, w->jet);
    }
    darc_status status =
        darc_model_equations(w->eq, w->ineq, model, w->jet, err);
    for (int u = 0; u < w->names->count && status == DARC_OK; u++)
        w->absent[u] =
            w->names->symbol[u].kind == DARC_OUTPUT && order_left(w, u) < 0;
    return status;
}

void darc_solving_clear(darc_solving *w)
{
    DARC_ALL_IN(darc_fraction_clear, w->jet, w->value, w->names->count);
    DARC_FREE(w->value, w->top, w->defined, w->absent, w->auxiliary);
    DARC_EACH_IN(darc_dpolys_clear, w->jet, w->eq, w->ineq);
    darc_jet_clear(w->jet);
    darc_free(w->order);
}

/* Return the highest order of u in equations, inequations and definitions. */
static int highest_order(const darc_solving *w, int u)
{
    int n = w->names->count;
    int *order = darc_calloc((size_t)n, sizeof *order);
    order[u] = -1;
    darc_dpolys_orders(order, w->eq, w->jet);
    darc_dpolys_orders(order, w->ineq, w->jet);
    for (int x = 0; x < n; x++)
        if (w->defined[x]) {
            darc_dpoly_orders(order, w->value[x].num, w->jet);
            darc_dpoly_orders(order, w->value[x].den, w->jet);
        }
    int highest = order[u];
    darc_free(order);
    return highest;
}

/* Replace variable v by r in equations, inequations and definitions.
 * Fails: DARC_DOMAIN when an inequation or a denominator vanishes. */
static darc_status replace_variable(darc_solving *w, slong v,
                                    const darc_fraction_t r, darc_err *err)
{
    for (slong i = 0; i < w->ineq->count; i++) {
        darc_dpoly_struct *p = w->ineq->p + i;
        darc_dpoly_replace(p, v, r, w->jet);
        if (fmpz_mpoly_is_zero(p, w->jet->ctx))
            return darc_fail(err, DARC_DOMAIN,
                             "no solved form: what must not vanish does so "
                             "when '%s' is replaced",
                             w->names->symbol[w->jet->deriv[v].unknown].name);
    }
    for (slong i = 0; i < w->eq->count; i++) {
        darc_dpoly_replace(w->eq->p + i, v, r, w->jet);
        darc_dpoly_primitive(w->eq->p + i, w->eq->p + i, w->jet);
    }
    for (int u = 0; u < w->names->count; u++)
        if (w->defined[u])
            DARC_NEED(darc_fraction_replace(w->value + u, v, r, w->jet, err));
    return DARC_OK;
}

/* Replace in r every (x, top[x]). */
static darc_status replace_tops(darc_fraction_t r, const darc_solving *w,
                                darc_err *err)
{
    for (int x = 0; x < w->names->count; x++) {
        if (w->top[x] < 0)
            continue;
        slong v = darc_jet_var(w->jet, (darc_deriv){x, w->top[x]});
        DARC_NEED(darc_fraction_replace(r, v, w->value + x, w->jet, err));
    }
    return DARC_OK;
}

/* What replaces highest derivatives contains lower ones only, so that the order
 * in which unknowns are replaced does not matter. */
darc_status darc_solving_eliminate(darc_solving *w, int u, int from,
                                   darc_err *err)
{
    int highest = highest_order(w, u);
    darc_status status = DARC_OK;
    darc_fraction_t r;
    darc_fraction_init(r, w->jet);
    darc_fraction_set(r, w->value + u, w->jet);
    for (int k = from; k <= highest; k++) {
        slong v = darc_jet_var(w->jet, (darc_deriv){u, k});
        DARC_TRY(replace_variable(w, v, r, err));
        if (k == highest)
            break;
        DARC_TRY(darc_fraction_diff(r, w->jet, err));
        darc_fraction_cancel(r, w->jet);
        DARC_TRY(replace_tops(r, w, err));
    }
done:
    darc_fraction_clear(r, w->jet);
    return status;
}

/* Append p to the inequations unless it is a number or one of them. */
static void require(darc_solving *w, const darc_dpoly_t p)
{
    if (!fmpz_mpoly_is_fmpz(p, w->jet->ctx) &&
        !darc_dpolys_contains(w->ineq, p, w->jet))
        darc_dpolys_append(w->ineq, p, w->jet);
}

/* Remove equation i, p*v + q = 0, and set r to v = -q/p; p joins the
 * inequations.  v enters linearly and p is not 0. */
static void clear_variable(darc_fraction_t r, darc_solving *w, slong i, slong v)
{
    darc_dpoly_coeff(r->den, w->eq->p + i, v, 1, w->jet);
    darc_dpoly_coeff(r->num, w->eq->p + i, v, 0, w->jet);
    fmpz_mpoly_neg(r->num, r->num, w->jet->ctx);
    require(w, r->den);
    darc_fraction_cancel(r, w->jet);
    darc_dpolys_remove(w->eq, i, w->jet);
}

/* An equation that defines an auxiliary unknown, and how well: the lower the
 * cost the better. */
typedef struct {
    slong eq;
    int unknown; /* -1: none */
    int cost;
} definition;

enum { COST_DENOMINATOR = 1, COST_HIGHEST = 2 };

/* Return the only pending auxiliary unknown that occurs in p, provided that
 * it is not differentiated; -1 if there is none or there are more. */
static int only_pending(const darc_solving *w, const darc_dpoly_t p)
{
    int found = -1;
    for (int u = 0; u < w->names->count; u++) {
        int k = w->auxiliary[u] && !w->defined[u]
                    ? darc_dpoly_order(p, u, w->jet)
                    : -1;
        if (k < 0)
            continue;
        if (k > 0 || found >= 0)
            return -1;
        found = u;
    }
    return found;
}

/* Return whether the highest derivative of a state occurs in p. */
static bool has_highest(const darc_solving *w, const darc_dpoly_t p)
{
    for (int u = 0; u < w->names->count; u++)
        if (w->names->symbol[u].kind == DARC_STATE && w->order[u] > 0 &&
            darc_dpoly_order(p, u, w->jet) >= w->order[u])
            return true;
    return false;
}

static definition examine(const darc_solving *w, slong i)
{
    const darc_dpoly_struct *p = w->eq->p + i;
    definition d = {i, only_pending(w, p), 0};
    if (d.unknown < 0)
        return d;
    slong v = darc_jet_var(w->jet, (darc_deriv){d.unknown, 0});
    bool moves = w->dynamic && w->order[d.unknown] > 0 && has_highest(w, p);
    if (darc_dpoly_degree(p, v, w->jet) != 1 || moves) {
        d.unknown = -1;
        return d;
    }
    darc_dpoly_t c;
    darc_dpoly_init(c, w->jet);
    darc_dpoly_coeff(c, p, v, 1, w->jet);
    d.cost = (has_highest(w, p) ? COST_HIGHEST : 0) +
             (darc_dpoly_is_constant(c, w->jet) ? 0 : COST_DENOMINATOR);
    darc_dpoly_clear(c, w->jet);
    return d;
}

static darc_status define_all(darc_solving *w, darc_err *err)
{
    for (;;) {
        definition best = {0, -1, 0};
        for (slong i = 0; i < w->eq->count; i++) {
            definition d = examine(w, i);
            if (d.unknown >= 0 && (best.unknown < 0 || d.cost < best.cost))
                best = d;
        }
        int u = best.unknown;
        if (u < 0)
            return DARC_OK;
        clear_variable(w->value + u, w, best.eq,
                       darc_jet_var(w->jet, (darc_deriv){u, 0}));
        DARC_NEED(darc_solving_eliminate(w, u, 0, err));
        w->defined[u] = true;
    }
}

static void mark_auxiliary(darc_solving *w, bool with_states)
{
    for (int u = 0; u < w->names->count; u++) {
        darc_kind kind = w->names->symbol[u].kind;
        w->auxiliary[u] =
            kind == DARC_OUTPUT ||
            (with_states && kind == DARC_STATE && w->order[u] == 0);
    }
}

darc_status darc_solving_define(darc_solving *w, darc_err *err)
{
    mark_auxiliary(w, true);
    DARC_NEED(define_all(w, err));
    /* An undifferentiated state may turn out dynamic: y = x, y' = -y. */
    mark_auxiliary(w, false);
    return define_all(w, err);
}

/* The unknowns (u, top[u]) that the equations left are solved for. */
typedef struct {
    slong count;
    slong *var;
    bool *solved;
} unknowns;

static darc_status find_top(darc_solving *w, int u, darc_err *err)
{
    darc_kind kind = w->names->symbol[u].kind;
    if ((kind != DARC_STATE && kind != DARC_OUTPUT) || w->defined[u] ||
        w->absent[u])
        return DARC_OK;
    w->top[u] = order_left(w, u);
    if (w->top[u] < 0)
        return darc_fail(err, DARC_DOMAIN,
                         "no solved form: no equation determines '%s'",
                         w->names->symbol[u].name);
    return DARC_OK;
}

static darc_status collect(unknowns *x, darc_solving *w, darc_err *err)
{
    size_t n = (size_t)w->names->count;
    x->count = 0;
    DARC_CALLOC(n, x->var, x->solved);
    for (int u = 0; u < w->names->count; u++) {
        DARC_NEED(find_top(w, u, err));
        if (w->top[u] >= 0)
            x->var[x->count++] =
                darc_jet_var(w->jet, (darc_deriv){u, w->top[u]});
    }
    if (x->count == w->eq->count)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "no solved form: %ld equations for %ld unknown functions",
                     (long)w->eq->count, (long)x->count);
}

/* Solve equations with one unsolved unknown in it as long as there are
 * any; *again tells whether one was found. */
static darc_status peel(darc_solving *w, unknowns *x, bool *again,
                        darc_err *err)
{
    *again = false;
    for (slong i = 0; i < w->eq->count; i++) {
        const darc_dpoly_struct *p = w->eq->p + i;
        slong only = -1, n = 0; /* of the unsolved unknowns in it */
        for (slong j = 0; j < x->count; j++)
            if (!x->solved[j] && darc_dpoly_degree(p, x->var[j], w->jet) > 0) {
                only = j;
                n++;
            }
        if (n == 0)
            return darc_fail(
                err, DARC_DOMAIN,
                "no solved form: the equations leave a condition on lower "
                "derivatives (a differential-algebraic system)");
        slong v = x->var[only];
        if (n != 1 || darc_dpoly_degree(p, v, w->jet) != 1)
            continue;
        *again = true;
        darc_fraction_struct *value = w->value + w->jet->deriv[v].unknown;
        clear_variable(value, w, i, v);
        x->solved[only] = true;
        return replace_variable(w, v, value, err);
    }
    return DARC_OK;
}

/* Set row to the coefficients of the unknowns and the right-hand side. */
static darc_status linear_row(darc_dpoly_struct *row, const darc_solving *w,
                              const darc_dpoly_t p, const slong *var, slong n,
                              darc_err *err)
{
    darc_dpoly_t rest;
    darc_dpoly_init(rest, w->jet);
    fmpz_mpoly_set(rest, p, w->jet->ctx);
    darc_status status = DARC_OK;
    for (slong j = 0; j < n; j++) {
        bool linear = darc_dpoly_degree(p, var[j], w->jet) <= 1;
        darc_dpoly_coeff(row + j, p, var[j], 1, w->jet);
        for (slong k = 0; k < n && linear; k++)
            linear = darc_dpoly_degree(row + j, var[k], w->jet) <= 0;
        if (!linear)
            DARC_TRY(darc_fail(
                err, DARC_DOMAIN,
                "no solved form: the highest derivative of '%s' does not enter "
                "linearly",
                w->names->symbol[w->jet->deriv[var[j]].unknown].name));
        darc_dpoly_coeff(rest, rest, var[j], 0, w->jet);
    }
    fmpz_mpoly_neg(row + n, rest, w->jet->ctx);
done:
    darc_dpoly_clear(rest, w->jet);
    return status;
}

static void keep_solution(darc_solving *w, unknowns *x,
                          const darc_fraction_struct *solution)
{
    for (slong j = 0, k = 0; j < x->count; j++) {
        if (x->solved[j])
            continue;
        const darc_fraction_struct *r = solution + k++;
        darc_fraction_set(w->value + w->jet->deriv[x->var[j]].unknown, r,
                          w->jet);
        require(w, r->den);
        x->solved[j] = true;
    }
    darc_dpolys_clear(w->eq, w->jet);
}

/* Solve what is coupled, all at once. */
static darc_status solve_rest(darc_solving *w, unknowns *x, darc_err *err)
{
    slong n = w->eq->count, cells = n * (n + 1), k = 0;
    slong *var = darc_calloc((size_t)n, sizeof *var);
    darc_dpoly_struct *a = darc_calloc((size_t)cells, sizeof *a);
    darc_fraction_struct *solution = darc_calloc((size_t)n, sizeof *solution);
    DARC_ALL_IN(darc_dpoly_init, w->jet, a, cells);
    DARC_ALL_IN(darc_fraction_init, w->jet, solution, n);
    for (slong j = 0; j < x->count; j++)
        if (!x->solved[j])
            var[k++] = x->var[j];
    assert(k == n);

    darc_status status = DARC_OK;
    for (slong i = 0; i < n; i++)
        DARC_TRY(linear_row(a + i * (n + 1), w, w->eq->p + i, var, n, err));
    status = darc_fraction_solve(solution, a, n, w->work, w->jet);
    if (status != DARC_OK)
        DARC_TRY(
            darc_fail(err, status, "no solved form: %s",
                      status == DARC_LIMIT
                          ? "what solves the equations is too long"
                          : "the equations do not determine all highest "
                            "derivatives (a differential-algebraic system)"));
    keep_solution(w, x, solution);
done:
    DARC_ALL_IN(darc_dpoly_clear, w->jet, a, cells);
    DARC_ALL_IN(darc_fraction_clear, w->jet, solution, n);
    DARC_FREE(solution, a, var);
    return status;
}

darc_status darc_solving_highest(darc_solving *w, darc_err *err)
{
    unknowns x;
    darc_status status = DARC_OK;
    DARC_TRY(collect(&x, w, err));
    for (bool again = true; again;)
        DARC_TRY(peel(w, &x, &again, err));
    if (w->eq->count > 0)
        DARC_TRY(solve_rest(w, &x, err));
done:
    DARC_FREE(x.var, x.solved);
    return status;
}
