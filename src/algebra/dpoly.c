#include "algebra/dpoly.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_dpoly_init(darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_mpoly_init(p, jet->ctx);
}

void darc_dpoly_clear(darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_mpoly_clear(p, jet->ctx);
}

void darc_dpoly_primitive(darc_dpoly_t q, const darc_dpoly_t p,
                          const darc_jet_t jet)
{
    if (fmpz_mpoly_is_zero(p, jet->ctx)) {
        fmpz_mpoly_zero(q, jet->ctx);
        return;
    }
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (fmpz_sgn(p->coeffs) < 0)
        fmpz_neg(content, content);
    fmpz_mpoly_scalar_divexact_fmpz(q, p, content, jet->ctx);
    fmpz_clear(content);
}

void darc_dpoly_set_deriv(darc_dpoly_t p, darc_deriv d, const darc_jet_t jet)
{
    slong v = darc_jet_var(jet, d);
    assert(v >= 0);
    fmpz_mpoly_gen(p, v, jet->ctx);
}

void darc_dpoly_used(int *used, const darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_mpoly_used_vars(used, p, jet->ctx);
}

bool darc_dpoly_is_constant(const darc_dpoly_t p, const darc_jet_t jet)
{
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    bool constant = true;
    for (slong v = 0; v < jet->vars; v++)
        if (used[v] && !darc_jet_is_constant(jet, jet->deriv[v].unknown))
            constant = false;
    darc_free(used);
    return constant;
}

int darc_dpoly_order(const darc_dpoly_t p, int u, const darc_jet_t jet)
{
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    int k = jet->bound[u];
    while (k >= 0 && !used[jet->index[jet->first[u] + k]])
        k--;
    darc_free(used);
    return k;
}

int darc_dpoly_highest_order(const darc_dpoly_t p, const darc_jet_t jet)
{
    int *used = darc_calloc((size_t)jet->vars, sizeof *used), order = 0;
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++)
        if (used[v] && jet->deriv[v].order > order)
            order = jet->deriv[v].order;
    darc_free(used);
    return order;
}

darc_status darc_dpoly_move(darc_dpoly_t q, const darc_jet_t to,
                            const darc_dpoly_t p, const darc_jet_t from,
                            darc_err *err)
{
    int n = from->names->count;
    assert(n == to->names->count);
    int *map = darc_calloc((size_t)n, sizeof *map);
    for (int u = 0; u < n; u++)
        map[u] = u;
    darc_status status = darc_dpoly_map(q, to, p, from, map, err);
    darc_free(map);
    return status;
}

/* Set target[v] to the variable of `to` that stands for variable v of
 * `from`; -1 where there is none. */
static void map_variables(slong *target, const darc_jet_t to,
                          const darc_jet_t from, const int *map)
{
    for (slong v = 0; v < from->vars; v++) {
        darc_deriv d = from->deriv[v];
        target[v] =
            map[d.unknown] < 0
                ? -1
                : darc_jet_var(to, (darc_deriv){map[d.unknown], d.order});
    }
}

static darc_status check_mapped(const darc_dpoly_t p, const darc_jet_t from,
                                const slong *target, darc_err *err)
{
    darc_status status = DARC_OK;
    int *used = darc_calloc((size_t)from->vars, sizeof *used);
    darc_dpoly_used(used, p, from);
    for (slong v = 0; v < from->vars && status == DARC_OK; v++)
        if (used[v] && target[v] < 0)
            status = darc_fail(
                err, DARC_LIMIT, "derivative %d of '%s' lies outside the frame",
                from->deriv[v].order,
                from->names->symbol[from->deriv[v].unknown].name);
    darc_free(used);
    return status;
}

static void push_mapped(darc_dpoly_t q, const darc_jet_t to,
                        const darc_dpoly_t p, const darc_jet_t from,
                        const slong *target)
{
    ulong *a = darc_calloc((size_t)from->vars, sizeof *a);
    ulong *b = darc_calloc((size_t)to->vars, sizeof *b);
    fmpz_mpoly_zero(q, to->ctx);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(a, p, i, from->ctx);
        memset(b, 0, (size_t)to->vars * sizeof *b);
        for (slong v = 0; v < from->vars; v++)
            if (a[v] != 0)
                b[target[v]] += a[v];
        fmpz_mpoly_push_term_fmpz_ui(q, p->coeffs + i, b, to->ctx);
    }
    fmpz_mpoly_sort_terms(q, to->ctx);
    fmpz_mpoly_combine_like_terms(q, to->ctx);
    darc_free(a);
    darc_free(b);
}

darc_status darc_dpoly_map(darc_dpoly_t q, const darc_jet_t to,
                           const darc_dpoly_t p, const darc_jet_t from,
                           const int *map, darc_err *err)
{
    assert(q != p);
    slong *target = darc_calloc((size_t)from->vars, sizeof *target);
    map_variables(target, to, from, map);
    darc_status status = check_mapped(p, from, target, err);
    if (status == DARC_OK)
        push_mapped(q, to, p, from, target);
    darc_free(target);
    return status;
}

void darc_dpolys_init(darc_dpolys_t a)
{
    a->count = 0;
    a->alloc = 0;
    a->p = NULL;
}

void darc_dpolys_clear(darc_dpolys_t a, const darc_jet_t jet)
{
    for (slong i = 0; i < a->count; i++)
        darc_dpoly_clear(a->p + i, jet);
    darc_free(a->p);
    darc_dpolys_init(a);
}

void darc_dpolys_set(darc_dpolys_t a, const darc_dpolys_t b,
                     const darc_jet_t jet)
{
    if (a == b)
        return;
    darc_dpolys_clear(a, jet);
    for (slong i = 0; i < b->count; i++)
        darc_dpolys_append(a, b->p + i, jet);
}

void darc_dpolys_append(darc_dpolys_t a, const darc_dpoly_t p,
                        const darc_jet_t jet)
{
    darc_dpoly_t copy; /* p may be an entry of a, which moves */
    darc_dpoly_init(copy, jet);
    fmpz_mpoly_set(copy, p, jet->ctx);
    darc_dpolys_append_take(a, copy, jet);
    darc_dpoly_clear(copy, jet);
}

void darc_dpolys_append_take(darc_dpolys_t a, darc_dpoly_t p,
                             const darc_jet_t jet)
{
    a->p = darc_grow(a->p, (size_t)a->count, &a->alloc, sizeof *a->p);
    darc_dpoly_init(a->p + a->count, jet);
    fmpz_mpoly_swap(a->p + a->count, p, jet->ctx);
    a->count++;
}

void darc_dpolys_remove(darc_dpolys_t a, slong i, const darc_jet_t jet)
{
    assert(i >= 0 && i < a->count);
    a->count--;
    fmpz_mpoly_swap(a->p + i, a->p + a->count, jet->ctx);
    darc_dpoly_clear(a->p + a->count, jet);
}

bool darc_dpolys_contains(const darc_dpolys_t a, const darc_dpoly_t p,
                          const darc_jet_t jet)
{
    for (slong i = 0; i < a->count; i++)
        if (fmpz_mpoly_equal(a->p + i, p, jet->ctx))
            return true;
    return false;
}

void darc_dpolys_combine(darc_dpoly_t q, const fmpz *c, const darc_dpolys_t p,
                         const darc_jet_t jet)
{
    darc_dpoly_t term;
    darc_dpoly_init(term, jet);
    fmpz_mpoly_zero(q, jet->ctx);
    for (slong i = 0; i < p->count; i++) {
        if (fmpz_is_zero(c + i))
            continue;
        fmpz_mpoly_scalar_mul_fmpz(term, p->p + i, c + i, jet->ctx);
        fmpz_mpoly_add(q, q, term, jet->ctx);
    }
    darc_dpoly_clear(term, jet);
}
