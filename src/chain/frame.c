#include "chain/frame.h"

#include "base/limits.h"

static darc_kind kind_of(const darc_jet_t jet, int u)
{
    return jet->names->symbol[u].kind;
}

static bool has_derivatives(const darc_jet_t jet, int u)
{
    return kind_of(jet, u) != DARC_PARAMETER && kind_of(jet, u) != DARC_TIME;
}

void darc_frame_add_orders(int *order, const darc_dpolys_t p,
                           const darc_jet_t jet)
{
    for (slong i = 0; i < p->count; i++)
        for (int u = 0; u < jet->names->count; u++) {
            int k = darc_dpoly_order(p->p + i, u, jet);
            if (k > order[u])
                order[u] = k;
        }
}

slong darc_frame_max_order(const darc_jet_t jet)
{
    slong order = 0;
    for (int u = 0; u < jet->names->count; u++)
        if (jet->bound[u] > order)
            order = jet->bound[u];
    return order;
}

darc_status darc_frame_move_all(darc_dpolys_t q, const darc_jet_t to,
                                const darc_dpolys_t p, const darc_jet_t from,
                                darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t m;
    darc_dpoly_init(m, to);
    for (slong i = 0; i < p->count; i++) {
        DARC_TRY(darc_dpoly_move(m, to, p->p + i, from, err));
        darc_dpolys_append_take(q, m, to);
    }
done:
    darc_dpoly_clear(m, to);
    return status;
}

void darc_frame_guess(int *bound, const int *order, const darc_jet_t jet)
{
    const darc_ranking_struct *rk = jet->ranking;
    int n = jet->names->count, states = 0;
    for (int u = 0; u < n; u++)
        if (kind_of(jet, u) == DARC_STATE)
            states += order[u];
    for (int u = 0; u < n; u++) {
        bound[u] = 0;
        if (!has_derivatives(jet, u))
            continue;
        bound[u] = order[u] + 2;
        if (kind_of(jet, u) != DARC_STATE)
            bound[u] += states;
        for (int w = 0; w < n; w++)
            bound[u] += kind_of(jet, w) == DARC_PARAMETER &&
                        kind_of(jet, u) != DARC_STATE &&
                        darc_ranking_cmp((darc_deriv){w, 0},
                                         (darc_deriv){u, bound[u]}, rk) > 0;
        if (bound[u] > DARC_MAX_FRAME_ORDER)
            bound[u] = DARC_MAX_FRAME_ORDER;
    }
}

bool darc_frame_grow(int *bound, const darc_jet_t jet)
{
    int n = jet->names->count;
    for (int u = 0; u < n; u++)
        if (has_derivatives(jet, u) &&
            bound[u] + bound[u] / 2 + 2 > DARC_MAX_FRAME_ORDER)
            return false;
    for (int u = 0; u < n; u++)
        if (has_derivatives(jet, u))
            bound[u] += bound[u] / 2 + 2;
    return true;
}
