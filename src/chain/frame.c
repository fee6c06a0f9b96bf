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

slong darc_frame_max_order(const darc_jet_t jet)
{
    slong order = 0;
    for (int u = 0; u < jet->names->count; u++)
        if (jet->bound[u] > order)
            order = jet->bound[u];
    return order;
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
