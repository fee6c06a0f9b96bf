#include "algebra/jet.h"

#include "base/mem.h"

#include <assert.h>

static bool has_no_derivatives(darc_kind kind)
{
    return kind == DARC_PARAMETER || kind == DARC_TIME;
}

static slong copy_bounds(darc_jet_t jet, const int *bound)
{
    int n = jet->names->count;
    slong vars = 0;
    for (int u = 0; u < n; u++) {
        assert(bound[u] >= 0);
        bool zero = has_no_derivatives(jet->names->symbol[u].kind);
        jet->bound[u] = zero ? 0 : bound[u];
        jet->first[u] = vars;
        vars += jet->bound[u] + 1;
    }
    return vars;
}

/* Insert d into the descending array deriv of n derivatives. */
static void insert_sorted(darc_deriv *deriv, slong n, darc_deriv d,
                          const darc_ranking_t rk)
{
    slong i = n;
    for (; i > 0 && darc_ranking_cmp(deriv[i - 1], d, rk) < 0; i--)
        deriv[i] = deriv[i - 1];
    deriv[i] = d;
}

static void sort_derivs(darc_jet_t jet)
{
    slong n = 0;
    for (int u = 0; u < jet->names->count; u++)
        for (int k = 0; k <= jet->bound[u]; k++)
            insert_sorted(jet->deriv, n++, (darc_deriv){u, k}, jet->ranking);
    for (slong v = 0; v < n; v++)
        jet->index[jet->first[jet->deriv[v].unknown] + jet->deriv[v].order] = v;
}

void darc_jet_init(darc_jet_t jet, const darc_names_t names,
                   const darc_ranking_t ranking, const int *bound)
{
    assert(names->count > 0 && names->count == ranking->unknowns);
    size_t n = (size_t)names->count;
    darc_names_init(jet->names);
    darc_names_set(jet->names, names);
    darc_ranking_init(jet->ranking, names->count);
    darc_ranking_set(jet->ranking, ranking);
    jet->bound = darc_calloc(n, sizeof *jet->bound);
    jet->first = darc_calloc(n, sizeof *jet->first);
    jet->vars = copy_bounds(jet, bound);
    jet->index = darc_calloc((size_t)jet->vars, sizeof *jet->index);
    jet->deriv = darc_calloc((size_t)jet->vars, sizeof *jet->deriv);
    sort_derivs(jet);
    fmpz_mpoly_ctx_init(jet->ctx, jet->vars, ORD_LEX);
}

void darc_jet_clear(darc_jet_t jet)
{
    fmpz_mpoly_ctx_clear(jet->ctx);
    darc_free(jet->deriv);
    darc_free(jet->index);
    darc_free(jet->first);
    darc_free(jet->bound);
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
