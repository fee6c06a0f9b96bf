#include "modular/groebner.h"

#include "base/mem.h"
#include "modular/thresholds.h"

#include <math.h>
#include <string.h>

void darc_groebner_init(darc_groebner_t b, const nmod_mpoly_ctx_struct *ctx)
{
    *b = (darc_groebner_struct){.ctx = ctx, .vars = nmod_mpoly_ctx_nvars(ctx)};
}

static bool divides(const ulong *a, const ulong *b, slong n)
{
    for (slong v = 0; v < n; v++)
        if (a[v] > b[v])
            return false;
    return true;
}

static bool coprime(const ulong *a, const ulong *b, slong n)
{
    for (slong v = 0; v < n; v++)
        if (a[v] != 0 && b[v] != 0)
            return false;
    return true;
}

/* Set m to the lcm of a and b; return its degree. */
static slong set_lcm(ulong *m, const ulong *a, const ulong *b, slong n)
{
    slong degree = 0;
    for (slong v = 0; v < n; v++) {
        m[v] = FLINT_MAX(a[v], b[v]);
        degree += (slong)m[v];
    }
    return degree;
}

static void drop_pair(darc_groebner_t b, slong k)
{
    darc_free(b->pair[k].lcm);
    b->pair[k] = b->pair[--b->pairs];
}

/* Remove old pairs that go through the new element h, but for those with the
 * lcm of one of their sides and h. */
static void filter_old(darc_groebner_t b, const ulong *h)
{
    size_t size = (size_t)b->vars * sizeof(ulong);
    ulong *m = darc_malloc(size);
    for (slong k = b->pairs - 1; k >= 0; k--) {
        const darc_basis_pair *p = b->pair + k;
        bool drop = divides(h, p->lcm, b->vars);
        for (int side = 0; side < 2 && drop; side++) {
            set_lcm(m, b->g[side == 0 ? p->i : p->j].lead, h, b->vars);
            drop = memcmp(m, p->lcm, size) != 0;
        }
        if (drop)
            drop_pair(b, k);
    }
    darc_free(m);
}

/* Append the pairs (i, h) that no other of them makes superfluous. */
static void add_new(darc_groebner_t b, slong h)
{
    slong begin = b->pairs, n = b->vars;
    const ulong *lead = b->g[h].lead;
    for (slong i = 0; i < h; i++) {
        if (!b->g[i].active)
            continue;
        b->pair = darc_grow(b->pair, (size_t)b->pairs, &b->pair_alloc,
                            sizeof *b->pair);
        darc_basis_pair *p = b->pair + b->pairs++;
        *p = (darc_basis_pair){.i = i, .j = h};
        p->lcm = darc_calloc((size_t)n, sizeof *p->lcm);
        p->degree = set_lcm(p->lcm, b->g[i].lead, lead, n);
    }
    for (slong k = b->pairs - 1; k >= begin; k--) {
        const ulong *m = b->pair[k].lcm;
        bool drop = false;
        for (slong l = begin; l < b->pairs && !drop; l++)
            drop = l != k && divides(b->pair[l].lcm, m, n) &&
                   (l < k || !divides(m, b->pair[l].lcm, n)) &&
                   !coprime(b->g[b->pair[k].i].lead, lead, n);
        if (drop)
            drop_pair(b, k);
    }
    for (slong k = b->pairs - 1; k >= begin; k--)
        if (coprime(b->g[b->pair[k].i].lead, lead, n))
            drop_pair(b, k);
}

double darc_groebner_reduce(nmod_mpoly_t r, const nmod_mpoly_t f,
                            const darc_groebner_t b)
{
    size_t n = (size_t)b->count + 1;
    nmod_mpoly_struct **q = darc_calloc(2 * n, sizeof *q), **g = q + n;
    slong m = 0;
    double products = (double)f->length;
    for (slong i = 0; i < b->count; i++) {
        if (!b->g[i].active)
            continue;
        g[m] = b->g[i].p;
        q[m] = darc_malloc(sizeof **q);
        nmod_mpoly_init(q[m++], b->ctx);
    }
    if (m > 0)
        nmod_mpoly_divrem_ideal(q, r, f, g, m, b->ctx);
    else
        nmod_mpoly_set(r, f, b->ctx);
    for (slong i = 0; i < m; i++) {
        products += (double)q[i]->length * (double)g[i]->length;
        nmod_mpoly_clear(q[i], b->ctx);
        darc_free(q[i]);
    }
    darc_free(q);
    return products + DARC_BASIS_STEP * (double)m;
}

void darc_groebner_add(darc_groebner_t b, nmod_mpoly_t f)
{
    b->products += darc_groebner_reduce(f, f, b);
    if (nmod_mpoly_is_zero(f, b->ctx))
        return;
    nmod_mpoly_t m; /* the largest monomial factor */
    nmod_mpoly_init(m, b->ctx);
    nmod_mpoly_term_content(m, f, b->ctx);
    if (!nmod_mpoly_is_ui(m, b->ctx))
        nmod_mpoly_divides(f, f, m, b->ctx);
    nmod_mpoly_clear(m, b->ctx);
    b->products += darc_groebner_reduce(f, f, b);
    if (nmod_mpoly_is_zero(f, b->ctx))
        return;
    slong n = b->count++;
    b->g = darc_grow(b->g, (size_t)n, &b->alloc, sizeof *b->g);
    darc_basis_element *g = b->g + n;
    nmod_mpoly_init(g->p, b->ctx);
    nmod_mpoly_make_monic(g->p, f, b->ctx);
    nmod_mpoly_zero(f, b->ctx);
    g->lead = darc_calloc((size_t)b->vars, sizeof *g->lead);
    nmod_mpoly_get_term_exp_ui(g->lead, g->p, 0, b->ctx);
    g->active = true;
    filter_old(b, g->lead);
    add_new(b, n);
    for (slong i = 0; i < n; i++)
        b->g[i].active =
            b->g[i].active && !divides(g->lead, b->g[i].lead, b->vars);
}

void darc_groebner_add_value(darc_groebner_t b, slong v, ulong value)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, b->ctx);
    nmod_mpoly_gen(q, v, b->ctx);
    nmod_mpoly_sub_ui(q, q, value, b->ctx);
    darc_groebner_add(b, q);
    nmod_mpoly_clear(q, b->ctx);
}

void darc_groebner_init_at(darc_groebner_t b, const darc_groebner_t a, slong v,
                           ulong value)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, a->ctx);
    darc_groebner_init(b, a->ctx);
    darc_groebner_add_value(b, v, value);
    for (slong i = 0; i < a->count; i++) {
        nmod_mpoly_set(q, a->g[i].p, a->ctx);
        if (a->g[i].active)
            darc_groebner_add(b, q);
    }
    nmod_mpoly_clear(q, a->ctx);
}

/* Set f to the S-polynomial of the pair. */
static void s_polynomial(nmod_mpoly_t f, const darc_groebner_t b,
                         const darc_basis_pair *p)
{
    ulong *e = darc_calloc((size_t)b->vars, sizeof *e);
    nmod_mpoly_t m, h;
    darc_mpoly_inits(b->ctx, m, h, NULL);
    for (int side = 0; side < 2; side++) {
        const darc_basis_element *g = b->g + (side == 0 ? p->i : p->j);
        for (slong v = 0; v < b->vars; v++)
            e[v] = p->lcm[v] - g->lead[v];
        nmod_mpoly_zero(m, b->ctx);
        nmod_mpoly_set_coeff_ui_ui(m, 1, e, b->ctx);
        nmod_mpoly_mul(side == 0 ? f : h, g->p, m, b->ctx);
    }
    nmod_mpoly_sub(f, f, h, b->ctx);
    darc_mpoly_clears(b->ctx, m, h, NULL);
    darc_free(e);
}

/* Return the pair of the lowest degree, the oldest of these. */
static slong select_pair(const darc_groebner_t b)
{
    slong best = 0;
    for (slong k = 1; k < b->pairs; k++) {
        const darc_basis_pair *p = b->pair + k, *q = b->pair + best;
        if (p->degree < q->degree ||
            (p->degree == q->degree &&
             (p->j < q->j || (p->j == q->j && p->i < q->i))))
            best = k;
    }
    return best;
}

/* Elements are not reduced by those that came later: that may take longer than
 * all else. */
darc_status darc_groebner_find(darc_groebner_t b, const darc_budget *budget,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mpoly_t f;
    nmod_mpoly_init(f, b->ctx);
    while (b->pairs > 0) {
        darc_budget_take(budget, b->products);
        b->products = 0;
        DARC_TRY(darc_budget_check(budget, err));
        darc_progress at = {"comparing the points of a fibre", b->count,
                            b->count + b->pairs, 0};
        darc_budget_progress(budget, &at);
        slong k = select_pair(b);
        if (b->pair[k].degree > DARC_BASIS_DEGREE)
            darc_budget_take(budget, HUGE_VAL);
        DARC_TRY(darc_budget_check(budget, err));
        s_polynomial(f, b, b->pair + k);
        drop_pair(b, k);
        darc_groebner_add(b, f);
    }
done:
    darc_budget_take(budget, b->products);
    nmod_mpoly_clear(f, b->ctx);
    return status;
}

void darc_groebner_clear(darc_groebner_t b)
{
    while (b->pairs > 0)
        drop_pair(b, b->pairs - 1);
    for (slong i = 0; i < b->count; i++) {
        nmod_mpoly_clear(b->g[i].p, b->ctx);
        darc_free(b->g[i].lead);
    }
    DARC_FREE(b->pair, b->g);
    *b = (darc_groebner_struct){0};
}

bool darc_groebner_contains(const darc_groebner_t b, const nmod_mpoly_t f)
{
    nmod_mpoly_t r;
    nmod_mpoly_init(r, b->ctx);
    darc_groebner_reduce(r, f, b);
    bool zero = nmod_mpoly_is_zero(r, b->ctx);
    nmod_mpoly_clear(r, b->ctx);
    return zero;
}

bool darc_groebner_is_one(const darc_groebner_t b)
{
    return b->count > 0 && nmod_mpoly_is_ui(b->g[b->count - 1].p, b->ctx);
}
