#include "modular/groebner.h"

#include "base/mem.h"
#include "modular/thresholds.h"

#include <math.h>
#include <string.h>

void darc_groebner_init(darc_groebner_t b, const nmod_mpoly_ctx_struct *ctx)
{
    *b = (darc_groebner_struct){.ctx = ctx, .vars = nmod_mpoly_ctx_nvars(ctx)};
    DARC_CALLOC((size_t)b->vars + 1, b->fixed, b->at);
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
        DARC_ROOM(b->pair, b->pairs);
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

/* Return whether f says the value of a variable, and nothing else. */
static bool is_value(const nmod_mpoly_t f, const darc_groebner_t b)
{
    if (f->length != 2 || nmod_mpoly_total_degree_si(f, b->ctx) != 1)
        return false;
    nmod_mpoly_t m;
    nmod_mpoly_init(m, b->ctx);
    nmod_mpoly_get_term(m, f, 1, b->ctx);
    bool constant = nmod_mpoly_is_ui(m, b->ctx);
    nmod_mpoly_clear(m, b->ctx);
    return constant;
}

/* Set r to f with the values of variables put in. */
static void put_values(nmod_mpoly_t r, const nmod_mpoly_t f,
                       const darc_groebner_t b)
{
    nmod_t mod = b->ctx->mod;
    bool moved = false;
    if (b->values == 0) {
        nmod_mpoly_set(r, f, b->ctx);
        return;
    }
    ulong *e = darc_calloc((size_t)b->vars + 1, sizeof *e);
    nmod_mpoly_t q;
    nmod_mpoly_init3(q, f->length, f->bits, b->ctx);
    for (slong t = 0; t < f->length; t++) {
        ulong c = f->coeffs[t];
        nmod_mpoly_get_term_exp_ui(e, f, t, b->ctx);
        for (slong v = 0; v < b->vars; v++)
            if (b->fixed[v] && e[v] != 0) {
                moved = true;
                c = nmod_mul(c, nmod_pow_ui(b->at[v], e[v], mod), mod);
                e[v] = 0;
            }
        if (c != 0)
            nmod_mpoly_push_term_ui_ui(q, c, e, b->ctx);
    }
    if (moved) {
        nmod_mpoly_sort_terms(q, b->ctx);
        nmod_mpoly_combine_like_terms(q, b->ctx);
    }
    nmod_mpoly_swap(r, q, b->ctx);
    nmod_mpoly_clear(q, b->ctx);
    darc_free(e);
}

/* Return whether a multiple of the lead of g may come up in the reduction of
 * what has this degree, which no step raises where the order is by degrees. */
static bool may_divide(const darc_basis_element *g, slong degree,
                       const darc_groebner_t b)
{
    ulong sum = 0;
    for (slong v = 0; v < b->vars; v++)
        sum += g->lead[v];
    return g->active && !g->value &&
           ((slong)sum <= degree || b->ctx->minfo->ord == ORD_LEX);
}

double darc_groebner_reduce(nmod_mpoly_t r, const nmod_mpoly_t f,
                            const darc_groebner_t b)
{
    size_t n = (size_t)b->count + 1;
    nmod_mpoly_struct **q = darc_calloc(2 * n, sizeof *q), **g = q + n;
    slong m = 0;
    double products = (double)f->length;
    put_values(r, f, b);
    slong degree = nmod_mpoly_total_degree_si(r, b->ctx);
    for (slong i = 0; i < b->count; i++) {
        if (!may_divide(b->g + i, degree, b))
            continue;
        g[m] = b->g[i].p;
        q[m] = darc_malloc(sizeof **q);
        nmod_mpoly_init(q[m++], b->ctx);
    }
    if (m > 0)
        nmod_mpoly_divrem_ideal(q, r, r, g, m, b->ctx);
    for (slong i = 0; i < m; i++) {
        products += (double)q[i]->length * (double)g[i]->length;
        nmod_mpoly_clear(q[i], b->ctx);
        darc_free(q[i]);
    }
    darc_free(q);
    return products + DARC_BASIS_STEP * (double)m;
}

/* Divide f by its monomial factors, and by what variables are by linear
 * elements of the basis, and make it monic; return whether there was anything.
 */
static bool strip(nmod_mpoly_t f, const darc_groebner_t b)
{
    if (nmod_mpoly_is_zero(f, b->ctx))
        return false;
    nmod_mpoly_t m, q;
    darc_mpoly_inits(b->ctx, m, q, NULL);
    nmod_mpoly_term_content(m, f, b->ctx);
    bool found = !nmod_mpoly_is_ui(m, b->ctx);
    if (found)
        nmod_mpoly_divides(f, f, m, b->ctx);
    for (slong i = 0; i < b->count; i++) {
        const darc_basis_element *g = b->g + i;
        if (!g->active || g->value || g->p->length == 1 ||
            nmod_mpoly_total_degree_si(g->p, b->ctx) != 1)
            continue;
        nmod_mpoly_get_term(m, g->p, 0, b->ctx);
        nmod_mpoly_sub(m, g->p, m, b->ctx);
        while (nmod_mpoly_divides(q, f, m, b->ctx)) {
            nmod_mpoly_swap(f, q, b->ctx);
            found = true;
        }
    }
    darc_mpoly_clears(b->ctx, m, q, NULL);
    nmod_mpoly_make_monic(f, f, b->ctx);
    return found;
}

/* Put the value that element n says into all others, and what these then
 * say; return whether one became a monomial: no variable vanishes, so that
 * there are no points. */
static bool fix(darc_groebner_t b, slong n)
{
    slong v = 0;
    bool none = false;
    while (b->g[n].lead[v] == 0)
        v++;
    b->fixed[v] = b->g[n].value = true;
    b->at[v] = nmod_neg(b->g[n].p->coeffs[1], b->ctx->mod);
    b->values++;
    for (slong i = 0; i < b->count; i++) {
        if (!b->g[i].active || b->g[i].value)
            continue;
        put_values(b->g[i].p, b->g[i].p, b);
        none = none || b->g[i].p->length == 1;
        if (is_value(b->g[i].p, b))
            none = fix(b, i) || none;
    }
    return none;
}

/* Take f into the basis; it becomes 0. */
static void insert(darc_groebner_t b, nmod_mpoly_t f)
{
    b->products += darc_groebner_reduce(f, f, b);
    if (strip(f, b)) {
        b->products += darc_groebner_reduce(f, f, b);
        strip(f, b);
    }
    if (nmod_mpoly_is_zero(f, b->ctx))
        return;
    slong n = b->count++;
    DARC_ROOM(b->g, n);
    darc_basis_element *g = b->g + n;
    *g = (darc_basis_element){.active = true};
    nmod_mpoly_init(g->p, b->ctx);
    nmod_mpoly_swap(g->p, f, b->ctx);
    g->lead = darc_calloc((size_t)b->vars, sizeof *g->lead);
    nmod_mpoly_get_term_exp_ui(g->lead, g->p, 0, b->ctx);
    filter_old(b, g->lead);
    add_new(b, n);
    for (slong i = 0; i < n; i++)
        b->g[i].active =
            b->g[i].active && !divides(g->lead, b->g[i].lead, b->vars);
    if (is_value(g->p, b) && fix(b, n)) {
        nmod_mpoly_one(f, b->ctx);
        insert(b, f);
    }
}

void darc_groebner_add(darc_groebner_t b, nmod_mpoly_t f)
{
    DARC_ROOM(b->fresh, b->waiting);
    nmod_mpoly_init(b->fresh + b->waiting, b->ctx);
    nmod_mpoly_swap(b->fresh + b->waiting++, f, b->ctx);
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

/* Drop what waits. */
static void forget(darc_groebner_t b)
{
    while (b->waiting > 0)
        nmod_mpoly_clear(b->fresh + --b->waiting, b->ctx);
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

/* Take the products so far from the budget. */
static darc_status pay(darc_groebner_t b, const darc_budget *budget,
                       darc_err *err)
{
    darc_budget_take(budget, b->products);
    b->products = 0;
    return darc_budget_check(budget, err);
}

/* Treat all pairs.  Elements are not reduced by those that came later: that may
 * take longer than all else. */
static darc_status treat_pairs(darc_groebner_t b, const darc_budget *budget,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mpoly_t f;
    nmod_mpoly_init(f, b->ctx);
    while (b->pairs > 0) {
        darc_progress at = {"computing a Groebner basis", b->count,
                            b->count + b->pairs, 0};
        darc_budget_progress(budget, &at);
        slong k = select_pair(b);
        if (b->pair[k].degree > DARC_BASIS_DEGREE)
            darc_budget_take(budget, HUGE_VAL);
        DARC_TRY(pay(b, budget, err));
        s_polynomial(f, b, b->pair + k);
        drop_pair(b, k);
        insert(b, f);
    }
    status = pay(b, budget, err);
done:
    nmod_mpoly_clear(f, b->ctx);
    return status;
}

/* Take what waits and is short into the basis. */
static void insert_short(darc_groebner_t b)
{
    nmod_mpoly_t f;
    nmod_mpoly_init(f, b->ctx);
    for (slong k = 0; k < b->waiting; k++) {
        nmod_mpoly_set(f, b->fresh + k, b->ctx);
        strip(f, b);
        if (f->length <= DARC_BASIS_SHORT)
            insert(b, f);
    }
    nmod_mpoly_clear(f, b->ctx);
}

/* Take the short ones among linear combinations of what waits into the basis,
 * and reduce the others by it, as long as there are such. */
static darc_status take_short(darc_groebner_t b, bool stripped,
                              const darc_budget *budget, darc_err *err)
{
    for (bool again = b->waiting > 0; again;) {
        slong n = b->count;
        bool changed = !stripped;
        for (slong k = 0; k < b->waiting; k++) {
            nmod_mpoly_struct *g = b->fresh + k;
            b->products += darc_groebner_reduce(g, g, b);
            DARC_NEED(pay(b, budget, err));
            if (stripped)
                changed = strip(g, b) || changed;
        }
        if (!changed)
            break;
        insert_short(b);
        if (b->count == n) {
            b->waiting =
                darc_echelon(b->fresh, b->waiting, &b->products, b->ctx);
            insert_short(b);
        }
        again = b->count > n;
        DARC_NEED(treat_pairs(b, budget, err));
    }
    return DARC_OK;
}

darc_status darc_groebner_find_short(darc_groebner_t b,
                                     const darc_budget *budget, darc_err *err)
{
    DARC_NEED(take_short(b, false, budget, err));
    return take_short(b, true, budget, err);
}

/* What is short comes first; the rest as it was added, which is shorter than
 * combinations that led to nothing. */
darc_status darc_groebner_find(darc_groebner_t b, const darc_budget *budget,
                               darc_err *err)
{
    slong n = b->waiting;
    nmod_mpoly_struct *f = darc_calloc((size_t)n + 1, sizeof *f);
    for (slong k = 0; k < n; k++) {
        nmod_mpoly_init(f + k, b->ctx);
        nmod_mpoly_set(f + k, b->fresh + k, b->ctx);
    }
    darc_status status = darc_groebner_find_short(b, budget, err);
    for (slong k = 0; k < n; k++) {
        if (b->waiting > 0 && status == DARC_OK)
            insert(b, f + k);
        nmod_mpoly_clear(f + k, b->ctx);
    }
    darc_free(f);
    forget(b);
    return status == DARC_OK ? treat_pairs(b, budget, err) : status;
}

void darc_groebner_clear(darc_groebner_t b)
{
    while (b->pairs > 0)
        drop_pair(b, b->pairs - 1);
    for (slong i = 0; i < b->count; i++) {
        nmod_mpoly_clear(b->g[i].p, b->ctx);
        darc_free(b->g[i].lead);
    }
    forget(b);
    DARC_FREE(b->pair, b->g, b->fresh, b->fixed, b->at);
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
