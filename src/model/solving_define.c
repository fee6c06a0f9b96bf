#include "model/solving.h"

#include "base/mem.h"

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

static definition best_definition(const darc_solving *w)
{
    definition best = {0, -1, 0};
    for (slong i = 0; i < w->eq->count; i++) {
        definition d = examine(w, i);
        if (d.unknown >= 0 && (best.unknown < 0 || d.cost < best.cost))
            best = d;
    }
    return best;
}

static darc_status define_all(darc_solving *w, darc_err *err)
{
    for (;;) {
        definition d = best_definition(w);
        if (d.unknown < 0)
            return DARC_OK;
        slong v = darc_jet_var(w->jet, (darc_deriv){d.unknown, 0});
        darc_solving_take(w->value + d.unknown, w, d.eq, v);
        DARC_NEED(darc_solving_eliminate(w, d.unknown, 0, err));
        w->defined[d.unknown] = true;
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
