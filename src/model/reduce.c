#include "model/solving.h"

/* Return the highest order of u in definitions and inequations. */
static int highest_order(const darc_solving *w, int u)
{
    int highest = -1;
    for (slong i = 0; i < w->ineq->count; i++) {
        int k = darc_dpoly_order(w->ineq->p + i, u, w->jet);
        highest = k > highest ? k : highest;
    }
    for (int x = 0; x < w->names->count; x++) {
        if (!w->defined[x])
            continue;
        int k = darc_dpoly_order(w->value[x].num, u, w->jet);
        int l = darc_dpoly_order(w->value[x].den, u, w->jet);
        k = l > k ? l : k;
        highest = k > highest ? k : highest;
    }
    return highest;
}

/* Replace in r every (u, top[u]). */
static darc_status replace_tops(darc_rational_t r, const darc_solving *w,
                                darc_err *err)
{
    for (int u = 0; u < w->names->count; u++) {
        if (w->top[u] < 0)
            continue;
        slong v = darc_jet_var(w->jet, (darc_deriv){u, w->top[u]});
        DARC_NEED(darc_rational_substitute(r, v, w->value + u, w->jet, err));
    }
    return DARC_OK;
}

/* Replace (u, top[u]), (u, top[u] + 1), ... wherever they occur.  What
 * replaces them contains lower derivatives only, so that the order in which
 * unknowns are replaced does not matter. */
static darc_status reduce_unknown(darc_solving *w, int u, darc_err *err)
{
    int highest = highest_order(w, u);
    darc_status status = DARC_OK;
    darc_rational_t r;
    darc_rational_init(r, w->jet);
    darc_rational_set(r, w->value + u, w->jet);
    for (int k = w->top[u]; k <= highest; k++) {
        slong v = darc_jet_var(w->jet, (darc_deriv){u, k});
        DARC_TRY(darc_solving_replace(w, v, r, err));
        if (k == highest)
            break;
        DARC_TRY(darc_rational_diff(r, r, w->jet, err));
        DARC_TRY(replace_tops(r, w, err));
    }
done:
    darc_rational_clear(r, w->jet);
    return status;
}

darc_status darc_solving_reduce(darc_solving *w, darc_err *err)
{
    for (int u = 0; u < w->names->count; u++) {
        DARC_NEED(w->top[u] < 0 ? DARC_OK : reduce_unknown(w, u, err));
    }
    return DARC_OK;
}
