#include "chain/autored.h"

#include "base/mem.h"

#include <assert.h>

void darc_autored_init(darc_autored_t a, const darc_jet_t jet)
{
    a->unknowns = jet->names->count;
    a->of = darc_calloc((size_t)a->unknowns, sizeof *a->of);
}

void darc_autored_clear(darc_autored_t a, const darc_jet_t jet)
{
    for (int u = 0; a->of != NULL && u < a->unknowns; u++)
        darc_dpolys_clear(a->of + u, jet);
    darc_free(a->of);
    a->of = NULL;
}

darc_dpoly_struct *darc_autored_get(const darc_autored_t a, int u)
{
    assert(u >= 0 && u < a->unknowns);
    return a->of[u].count > 0 ? a->of[u].p : NULL;
}

int darc_autored_order(const darc_autored_t a, int u, const darc_jet_t jet)
{
    const darc_dpoly_struct *p = darc_autored_get(a, u);
    return p == NULL ? -1 : jet->deriv[darc_dpoly_leader(p, jet)].order;
}

void darc_autored_insert(darc_autored_t a, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    assert(v >= 0);
    int u = jet->deriv[v].unknown;
    assert(a->of[u].count == 0);
    darc_dpolys_append(a->of + u, p, jet);
}

void darc_autored_remove(darc_autored_t a, int u, const darc_jet_t jet)
{
    darc_dpolys_clear(a->of + u, jet);
}

darc_status darc_autored_diff(const darc_dpoly_struct **g, darc_autored_t a,
                              int u, int k, const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpolys_struct *d = a->of + u;
    assert(d->count > 0 && k >= 0);
    darc_dpoly_t next;
    darc_dpoly_init(next, jet);
    while (d->count <= k) {
        DARC_TRY(darc_dpoly_diff(next, d->p + d->count - 1, jet, err));
        darc_dpolys_append_take(d, next, jet);
    }
    *g = d->p + k;
done:
    darc_dpoly_clear(next, jet);
    return status;
}

int darc_autored_sorted(int *unknown, const darc_autored_t a,
                        const darc_jet_t jet)
{
    int n = 0;
    for (slong v = jet->vars - 1; v >= 0; v--) {
        darc_deriv d = jet->deriv[v];
        if (d.order == darc_autored_order(a, d.unknown, jet))
            unknown[n++] = d.unknown;
    }
    return n;
}

bool darc_autored_is_canonical(const darc_autored_t a, const darc_jet_t jet)
{
    for (int u = 0; u < a->unknowns; u++) {
        const darc_dpoly_struct *p = darc_autored_get(a, u);
        slong v = p == NULL ? -1 : darc_dpoly_leader(p, jet);
        if (p != NULL && (v < 0 || jet->deriv[v].unknown != u))
            return false;
    }
    return true;
}
