#include "model/solving.h"

#include "base/mem.h"

#include <assert.h>

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
    w->top[u] = darc_solving_order(w, u);
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
    x->var = darc_calloc(n, sizeof *x->var);
    x->solved = darc_calloc(n, sizeof *x->solved);
    for (int u = 0; u < w->names->count; u++) {
        DARC_NEED(find_top(w, u, err));
        if (w->top[u] >= 0)
            x->var[x->count++] =
                darc_jet_var(w->jet, (darc_deriv){u, w->top[u]});
    }
    if (x->count == w->eq->count)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "no solved form: %ld equations for %ld unknown "
                     "functions",
                     (long)w->eq->count, (long)x->count);
}

/* Set *only to the only unsolved unknown in p (-1: none) and return how many
 * there are. */
static slong count_unsolved(const darc_solving *w, const unknowns *x,
                            const darc_dpoly_t p, slong *only)
{
    slong found = 0;
    *only = -1;
    for (slong j = 0; j < x->count; j++)
        if (!x->solved[j] && darc_dpoly_degree(p, x->var[j], w->jet) > 0) {
            *only = j;
            found++;
        }
    return found;
}

/* Solve equations with one unsolved unknown in it as long as there are
 * any; *again tells whether one was found. */
static darc_status peel(darc_solving *w, unknowns *x, bool *again,
                        darc_err *err)
{
    *again = false;
    for (slong i = 0; i < w->eq->count; i++) {
        slong j, n = count_unsolved(w, x, w->eq->p + i, &j);
        if (n == 0)
            return darc_fail(err, DARC_DOMAIN,
                             "no solved form: the equations leave a "
                             "condition on lower derivatives (a "
                             "differential-algebraic system)");
        if (n != 1 || darc_dpoly_degree(w->eq->p + i, x->var[j], w->jet) != 1)
            continue;
        *again = true;
        slong v = x->var[j];
        darc_fraction_struct *value = w->value + w->jet->deriv[v].unknown;
        darc_solving_take(value, w, i, v);
        x->solved[j] = true;
        return darc_solving_replace(w, v, value, err);
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
        if (darc_dpoly_degree(p, var[j], w->jet) > 1)
            goto nonlinear;
        darc_dpoly_coeff(row + j, p, var[j], 1, w->jet);
        for (slong k = 0; k < n; k++)
            if (darc_dpoly_degree(row + j, var[k], w->jet) > 0)
                goto nonlinear;
        darc_dpoly_coeff(rest, rest, var[j], 0, w->jet);
        continue;
    nonlinear:
        status =
            darc_fail(err, DARC_DOMAIN,
                      "no solved form: the highest derivative of '%s' "
                      "does not enter linearly",
                      w->names->symbol[w->jet->deriv[var[j]].unknown].name);
        goto done;
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
        darc_solving_require(w, r->den);
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
    for (slong i = 0; i < cells; i++)
        darc_dpoly_init(a + i, w->jet);
    for (slong i = 0; i < n; i++)
        darc_fraction_init(solution + i, w->jet);
    for (slong j = 0; j < x->count; j++)
        if (!x->solved[j])
            var[k++] = x->var[j];
    assert(k == n);

    darc_status status = DARC_OK;
    for (slong i = 0; i < n; i++)
        DARC_TRY(linear_row(a + i * (n + 1), w, w->eq->p + i, var, n, err));
    status = darc_fraction_solve(solution, a, n, w->jet, NULL);
    if (status != DARC_OK) {
        darc_fail(err, status,
                  "no solved form: the equations do not determine all "
                  "highest derivatives (a differential-algebraic system)");
        goto done;
    }
    keep_solution(w, x, solution);
done:
    for (slong i = 0; i < cells; i++)
        darc_dpoly_clear(a + i, w->jet);
    for (slong i = 0; i < n; i++)
        darc_fraction_clear(solution + i, w->jet);
    darc_free(solution);
    darc_free(a);
    darc_free(var);
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
    darc_free(x.var);
    darc_free(x.solved);
    return status;
}
