#include "model/solving.h"

#include "base/mem.h"

#include <string.h>

/* Room in the wide frame: every output and every state may raise orders by
 * its own order when it is replaced. */
static int extra_orders(const darc_names_struct *names, const int *order)
{
    int extra = 0, highest = 0;
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind == DARC_OUTPUT)
            extra += order[u];
        if (names->symbol[u].kind == DARC_STATE && order[u] > highest)
            highest = order[u];
    }
    return extra + highest;
}

static void init_frame(darc_solving *w, const darc_model *model)
{
    size_t n = (size_t)w->names->count;
    int *bound = darc_calloc(n, sizeof *bound);
    int extra = extra_orders(w->names, w->order);
    for (int u = 0; u < w->names->count; u++) {
        darc_kind kind = w->names->symbol[u].kind;
        bound[u] = w->order[u];
        if (kind == DARC_STATE || kind == DARC_INPUT)
            bound[u] += extra;
    }
    darc_ranking_t rk;
    darc_ranking_init(rk, w->names->count);
    darc_model_ranking(rk, model);
    darc_jet_init(w->jet, w->names, rk, bound);
    darc_ranking_clear(rk);
    darc_free(bound);
}

static int order_in(const darc_solving *w, const darc_dpolys_t p, int u)
{
    int highest = -1;
    for (slong i = 0; i < p->count; i++) {
        int k = darc_dpoly_order(p->p + i, u, w->jet);
        highest = k > highest ? k : highest;
    }
    return highest;
}

int darc_solving_order(const darc_solving *w, int u)
{
    return order_in(w, w->eq, u);
}

darc_status darc_solving_init(darc_solving *w, const darc_model *model,
                              bool dynamic, darc_err *err)
{
    size_t n = (size_t)darc_model_names(model)->count;
    w->dynamic = dynamic;
    w->names = darc_model_names(model);
    w->order = darc_calloc(n, sizeof *w->order);
    darc_model_orders(model, w->order);
    init_frame(w, model);
    darc_dpolys_init(w->eq);
    darc_dpolys_init(w->ineq);
    w->auxiliary = darc_calloc(n, sizeof *w->auxiliary);
    w->absent = darc_calloc(n, sizeof *w->absent);
    w->defined = darc_calloc(n, sizeof *w->defined);
    w->top = darc_calloc(n, sizeof *w->top);
    w->value = darc_calloc(n, sizeof *w->value);
    for (int u = 0; u < w->names->count; u++) {
        w->top[u] = -1;
        darc_fraction_init(w->value + u, w->jet);
    }
    darc_status status =
        darc_model_equations(w->eq, w->ineq, model, w->jet, err);
    for (int u = 0; u < w->names->count && status == DARC_OK; u++)
        w->absent[u] = w->names->symbol[u].kind == DARC_OUTPUT &&
                       darc_solving_order(w, u) < 0;
    return status;
}

void darc_solving_clear(darc_solving *w)
{
    for (int u = 0; u < w->names->count; u++)
        darc_fraction_clear(w->value + u, w->jet);
    darc_free(w->value);
    darc_free(w->top);
    darc_free(w->defined);
    darc_free(w->absent);
    darc_free(w->auxiliary);
    darc_dpolys_clear(w->eq, w->jet);
    darc_dpolys_clear(w->ineq, w->jet);
    darc_jet_clear(w->jet);
    darc_free(w->order);
}

/* Return the highest order of u in equations, inequations and definitions. */
static int highest_order(const darc_solving *w, int u)
{
    int highest = order_in(w, w->eq, u), k = order_in(w, w->ineq, u);
    highest = k > highest ? k : highest;
    for (int x = 0; x < w->names->count; x++) {
        if (!w->defined[x])
            continue;
        k = darc_dpoly_order(w->value[x].num, u, w->jet);
        highest = k > highest ? k : highest;
        k = darc_dpoly_order(w->value[x].den, u, w->jet);
        highest = k > highest ? k : highest;
    }
    return highest;
}

static darc_status replace_in_inequations(darc_solving *w, slong v,
                                          const darc_fraction_t r,
                                          darc_err *err)
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
    return DARC_OK;
}

darc_status darc_solving_replace(darc_solving *w, slong v,
                                 const darc_fraction_t r, darc_err *err)
{
    darc_status status = replace_in_inequations(w, v, r, err);
    for (slong i = 0; i < w->eq->count && status == DARC_OK; i++) {
        darc_dpoly_replace(w->eq->p + i, v, r, w->jet);
        darc_dpoly_primitive(w->eq->p + i, w->eq->p + i, w->jet);
    }
    for (int u = 0; u < w->names->count && status == DARC_OK; u++)
        if (w->defined[u])
            status = darc_fraction_replace(w->value + u, v, r, w->jet, err);
    return status;
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
        DARC_TRY(darc_solving_replace(w, v, r, err));
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

void darc_solving_require(darc_solving *w, const darc_dpoly_t p)
{
    if (!fmpz_mpoly_is_fmpz(p, w->jet->ctx) &&
        !darc_dpolys_contains(w->ineq, p, w->jet))
        darc_dpolys_append(w->ineq, p, w->jet);
}

void darc_solving_take(darc_fraction_t r, darc_solving *w, slong i, slong v)
{
    darc_dpoly_coeff(r->den, w->eq->p + i, v, 1, w->jet);
    darc_dpoly_coeff(r->num, w->eq->p + i, v, 0, w->jet);
    fmpz_mpoly_neg(r->num, r->num, w->jet->ctx);
    darc_solving_require(w, r->den);
    darc_fraction_cancel(r, w->jet);
    darc_dpolys_remove(w->eq, i, w->jet);
}
