#include "algebra/jet.h"

#include "base/mem.h"

#include <assert.h>

void darc_jet_init(darc_jet_t jet, const darc_names_t names,
                   const darc_ranking_t ranking, const int *bound)
{
    assert(names->count > 0 && names->count == ranking->unknowns);
    size_t n = (size_t)names->count;
    darc_names_init(jet->names);
    darc_names_set(jet->names, names);
    darc_ranking_init(jet->ranking, names->count);
    darc_ranking_set(jet->ranking, ranking);
    DARC_CALLOC(n, jet->bound, jet->first);
    jet->vars = 0;
    for (int u = 0; u < names->count; u++) {
        assert(bound[u] >= 0);
        darc_kind kind = names->symbol[u].kind;
        bool zero = kind == DARC_PARAMETER || kind == DARC_TIME;
        jet->bound[u] = zero ? 0 : bound[u];
        jet->first[u] = jet->vars;
        jet->vars += jet->bound[u] + 1;
    }
    DARC_CALLOC((size_t)jet->vars, jet->index, jet->deriv);
    slong count = 0; /* so many are sorted, descending */
    for (int u = 0; u < names->count; u++)
        for (int k = 0; k <= jet->bound[u]; k++) {
            darc_deriv d = {u, k};
            slong i = count++;
            for (; i > 0 && darc_ranking_cmp(jet->deriv[i - 1], d, ranking) < 0;
                 i--)
                jet->deriv[i] = jet->deriv[i - 1];
            jet->deriv[i] = d;
        }
    for (slong v = 0; v < count; v++)
        jet->index[jet->first[jet->deriv[v].unknown] + jet->deriv[v].order] = v;
    fmpz_mpoly_ctx_init(jet->ctx, jet->vars, ORD_LEX);
}

void darc_jet_clear(darc_jet_t jet)
{
    fmpz_mpoly_ctx_clear(jet->ctx);
    DARC_FREE(jet->deriv, jet->index, jet->first, jet->bound);
    darc_ranking_clear(jet->ranking);
    darc_names_clear(jet->names);
}

slong darc_jet_var(const darc_jet_t jet, darc_deriv d)
{
    assert(d.unknown >= 0 && d.unknown < jet->names->count && d.order >= 0);
    if (d.order > jet->bound[d.unknown])
        return -1;
    return jet->index[jet->first[d.unknown] + d.order];
}

int darc_jet_is_constant(const darc_jet_t jet, int u)
{
    return jet->names->symbol[u].kind == DARC_PARAMETER;
}
