#include "algebra/dpoly.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void darc_dpoly_init(darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_mpoly_init(p, jet->ctx);
}

void darc_dpoly_clear(darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_mpoly_clear(p, jet->ctx);
}

void darc_dpoly_inits(const fmpz_mpoly_ctx_t ctx, ...)
{
    va_list list;
    va_start(list, ctx);
    for (darc_dpoly_struct *p; (p = va_arg(list, darc_dpoly_struct *)) != NULL;)
        fmpz_mpoly_init(p, ctx);
    va_end(list);
}

void darc_dpoly_clears(const fmpz_mpoly_ctx_t ctx, ...)
{
    va_list list;
    va_start(list, ctx);
    for (darc_dpoly_struct *p; (p = va_arg(list, darc_dpoly_struct *)) != NULL;)
        fmpz_mpoly_clear(p, ctx);
    va_end(list);
}

void darc_dpoly_primitive(darc_dpoly_t q, const darc_dpoly_t p,
                          const darc_jet_t jet)
{
    darc_dpoly_cut_content(q, p, jet->ctx);
}

void darc_dpoly_cut_content(fmpz_mpoly_t q, const fmpz_mpoly_t p,
                            const fmpz_mpoly_ctx_t ctx)
{
    if (fmpz_mpoly_is_zero(p, ctx)) {
        fmpz_mpoly_zero(q, ctx);
        return;
    }
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (fmpz_sgn(p->coeffs) < 0)
        fmpz_neg(content, content);
    fmpz_mpoly_scalar_divexact_fmpz(q, p, content, ctx);
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

void darc_dpoly_orders(int *order, const darc_dpoly_t p, const darc_jet_t jet)
{
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        if (used[v] && d.order > order[d.unknown])
            order[d.unknown] = d.order;
    }
    darc_free(used);
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

darc_status darc_dpoly_map(darc_dpoly_t q, const darc_jet_t to,
                           const darc_dpoly_t p, const darc_jet_t from,
                           const int *map, darc_err *err)
{
    assert(q != p);
    size_t n = (size_t)from->vars, m = (size_t)to->vars;
    darc_status status = DARC_OK;
    slong *target = darc_calloc(n, sizeof *target);
    int *used = darc_calloc(n, sizeof *used);
    ulong *a = darc_calloc(n + m, sizeof *a), *b = a + n;
    darc_dpoly_used(used, p, from);
    for (size_t v = 0; v < n; v++) {
        darc_deriv d = from->deriv[v], e = {map[d.unknown], d.order};
        target[v] = e.unknown < 0 ? -1 : darc_jet_var(to, e);
        if (used[v] && target[v] < 0)
            DARC_TRY(darc_fail(err, DARC_LIMIT,
                               "derivative %d of '%s' lies outside the frame",
                               d.order, from->names->symbol[d.unknown].name));
    }
    fmpz_mpoly_zero(q, to->ctx);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(a, p, i, from->ctx);
        memset(b, 0, m * sizeof *b);
        for (size_t v = 0; v < n; v++)
            if (a[v] != 0)
                b[target[v]] += a[v];
        fmpz_mpoly_push_term_fmpz_ui(q, p->coeffs + i, b, to->ctx);
    }
    fmpz_mpoly_sort_terms(q, to->ctx);
    fmpz_mpoly_combine_like_terms(q, to->ctx);
done:
    DARC_FREE(target, used, a);
    return status;
}

darc_status darc_dpolys_move(darc_dpolys_t q, const darc_jet_t to,
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

void darc_dpolys_orders(int *order, const darc_dpolys_t p, const darc_jet_t jet)
{
    for (slong i = 0; i < p->count; i++)
        darc_dpoly_orders(order, p->p + i, jet);
}

void darc_dpolys_init(darc_dpolys_t a)
{
    *a = (darc_dpolys_struct){0};
}

void darc_dpolys_clear(darc_dpolys_t a, const darc_jet_t jet)
{
    DARC_ALL_IN(darc_dpoly_clear, jet, a->p, a->count);
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
    DARC_ROOM(a->p, a->count);
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

slong darc_dpoly_leader(const darc_dpoly_t p, const darc_jet_t jet)
{
    if (fmpz_mpoly_is_fmpz(p, jet->ctx))
        return -1;
    /* The order is lexicographic: the first term holds the leader. */
    ulong *exp = darc_calloc((size_t)jet->vars, sizeof *exp);
    fmpz_mpoly_get_term_exp_ui(exp, p, 0, jet->ctx);
    slong v = 0;
    while (exp[v] == 0)
        v++;
    darc_free(exp);
    return v;
}

slong darc_dpoly_degree(const darc_dpoly_t p, slong v, const darc_jet_t jet)
{
    assert(v >= 0 && v < jet->vars);
    return fmpz_mpoly_degree_si(p, v, jet->ctx);
}

void darc_dpoly_coeff(darc_dpoly_t q, const darc_dpoly_t p, slong v, slong d,
                      const darc_jet_t jet)
{
    assert(v >= 0 && v < jet->vars && d >= 0);
    ulong exp = (ulong)d;
    fmpz_mpoly_get_coeff_vars_ui(q, p, &v, &exp, 1, jet->ctx);
}

void darc_dpoly_initial(darc_dpoly_t q, const darc_dpoly_t p,
                        const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    assert(v >= 0);
    darc_dpoly_coeff(q, p, v, darc_dpoly_degree(p, v, jet), jet);
}

void darc_dpoly_separant(darc_dpoly_t q, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    assert(v >= 0);
    fmpz_mpoly_derivative(q, p, v, jet->ctx);
}

int darc_dpoly_cmp_rank(const darc_dpoly_t p, const darc_dpoly_t q,
                        const darc_jet_t jet)
{
    slong a = darc_dpoly_leader(p, jet), b = darc_dpoly_leader(q, jet);
    if (a < 0 || b < 0)
        return (a >= 0) - (b >= 0);
    if (a != b)
        return a < b ? 1 : -1; /* variable 0 is the highest */
    slong m = darc_dpoly_degree(p, a, jet), n = darc_dpoly_degree(q, b, jet);
    return (m > n) - (m < n);
}

darc_status darc_dpoly_diff(darc_dpoly_t q, const darc_dpoly_t p,
                            const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t sum, partial, factor;
    darc_dpoly_inits(jet->ctx, sum, partial, factor, NULL);
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v], next = {d.unknown, d.order + 1};
        const darc_symbol *x = jet->names->symbol + d.unknown;
        if (!used[v] || x->kind == DARC_PARAMETER)
            continue;
        fmpz_mpoly_derivative(partial, p, v, jet->ctx);
        if (x->kind != DARC_TIME) {
            slong w = darc_jet_var(jet, next);
            if (w < 0)
                DARC_TRY(
                    darc_fail(err, DARC_LIMIT,
                              "derivative %d of '%s' lies outside the frame",
                              next.order, x->name));
            fmpz_mpoly_gen(factor, w, jet->ctx);
            fmpz_mpoly_mul(partial, partial, factor, jet->ctx);
        }
        fmpz_mpoly_add(sum, sum, partial, jet->ctx);
    }
    fmpz_mpoly_swap(q, sum, jet->ctx);
done:
    darc_free(used);
    darc_dpoly_clears(jet->ctx, sum, partial, factor, NULL);
    return status;
}

darc_status darc_dpoly_diff_n(darc_dpoly_t q, const darc_dpoly_t p, int n,
                              const darc_jet_t jet, darc_err *err)
{
    assert(n >= 0);
    darc_status status = DARC_OK;
    darc_dpoly_t r;
    darc_dpoly_init(r, jet);
    fmpz_mpoly_set(r, p, jet->ctx);
    for (int k = 0; k < n; k++)
        DARC_TRY(darc_dpoly_diff(r, r, jet, err));
    fmpz_mpoly_swap(q, r, jet->ctx);
done:
    darc_dpoly_clear(r, jet);
    return status;
}
