#include "modular/groebner.h"

#include "base/mem.h"
#include "modular/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct {
    slong i, j;
    slong degree; /* of the lcm of the leading monomials */
    ulong *lcm;   /* owned */
} pair;

/* The state of the main loop. */
typedef struct {
    const nmod_mpoly_ctx_struct *ctx;
    slong vars;
    slong count;
    size_t alloc;
    nmod_mpoly_struct *g;
    size_t lead_alloc, active_alloc;
    ulong **lead; /* lead[i]: exponents of the leading monomial; owned */
    bool *active; /* whether g[i] still divides: no later lead divides its */
    slong pairs;
    size_t pair_alloc;
    pair *pair;
    double products; /* of terms, so far */
} state;

static bool divides(const ulong *a, const ulong *b, slong n)
{
    for (slong v = 0; v < n; v++)
        if (a[v] > b[v])
            return false;
    return true;
}

static bool equal(const ulong *a, const ulong *b, slong n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool coprime(const ulong *a, const ulong *b, slong n)
{
    for (slong v = 0; v < n; v++)
        if (a[v] != 0 && b[v] != 0)
            return false;
    return true;
}

/* Return the lcm of the leads of i and j, owned by the caller. */
static ulong *lcm_of(const state *s, slong i, slong j, slong *degree)
{
    ulong *m = darc_calloc((size_t)s->vars, sizeof *m);
    *degree = 0;
    for (slong v = 0; v < s->vars; v++) {
        ulong a = s->lead[i][v], b = s->lead[j][v];
        m[v] = a > b ? a : b;
        *degree += (slong)m[v];
    }
    return m;
}

static void drop_pair(state *s, slong k)
{
    darc_free(s->pair[k].lcm);
    s->pair[k] = s->pair[--s->pairs];
}

/* Remove old pairs that go through the new element h. */
static void filter_old(state *s, slong h)
{
    for (slong k = s->pairs - 1; k >= 0; k--) {
        pair *p = s->pair + k;
        if (!divides(s->lead[h], p->lcm, s->vars))
            continue;
        slong d;
        ulong *a = lcm_of(s, p->i, h, &d), *b = lcm_of(s, p->j, h, &d);
        bool keep = equal(a, p->lcm, s->vars) || equal(b, p->lcm, s->vars);
        darc_free(a);
        darc_free(b);
        if (!keep)
            drop_pair(s, k);
    }
}

/* Append the pairs (i, h) that no other of them makes superfluous. */
static void add_new(state *s, slong h)
{
    slong begin = s->pairs;
    for (slong i = 0; i < h; i++) {
        if (!s->active[i])
            continue;
        s->pair = darc_grow(s->pair, (size_t)s->pairs, &s->pair_alloc,
                            sizeof *s->pair);
        pair *p = s->pair + s->pairs++;
        p->i = i;
        p->j = h;
        p->lcm = lcm_of(s, i, h, &p->degree);
    }
    for (slong k = s->pairs - 1; k >= begin; k--) {
        bool drop = false;
        for (slong l = begin; l < s->pairs && !drop; l++)
            drop = l != k && divides(s->pair[l].lcm, s->pair[k].lcm, s->vars) &&
                   (l < k || !equal(s->pair[l].lcm, s->pair[k].lcm, s->vars)) &&
                   !coprime(s->lead[s->pair[k].i], s->lead[h], s->vars);
        if (drop)
            drop_pair(s, k);
    }
    for (slong k = s->pairs - 1; k >= begin; k--)
        if (coprime(s->lead[s->pair[k].i], s->lead[h], s->vars))
            drop_pair(s, k);
}

/* Divide f by its largest monomial factor. */
static void drop_monomial(nmod_mpoly_t f, const state *s)
{
    if (nmod_mpoly_is_ui(f, s->ctx))
        return;
    size_t size = (size_t)s->vars * sizeof(ulong);
    ulong *least = darc_malloc(size), *e = darc_malloc(size);
    nmod_mpoly_get_term_exp_ui(least, f, 0, s->ctx);
    for (slong t = 1; t < f->length; t++) {
        nmod_mpoly_get_term_exp_ui(e, f, t, s->ctx);
        for (slong v = 0; v < s->vars; v++)
            least[v] = e[v] < least[v] ? e[v] : least[v];
    }
    memset(e, 0, size);
    if (!equal(least, e, s->vars)) {
        nmod_mpoly_t m;
        nmod_mpoly_init(m, s->ctx);
        nmod_mpoly_set_coeff_ui_ui(m, 1, least, s->ctx);
        int exact = nmod_mpoly_divides(f, f, m, s->ctx);
        assert(exact);
        (void)exact;
        nmod_mpoly_clear(m, s->ctx);
    }
    darc_free(least);
    darc_free(e);
}

/* Set r to the remainder of f by the active elements. */
static void reduce(nmod_mpoly_t r, const nmod_mpoly_t f, state *s)
{
    size_t n = (size_t)s->count + 1;
    nmod_mpoly_struct **q = darc_calloc(n, sizeof *q);
    nmod_mpoly_struct **b = darc_calloc(n, sizeof *b);
    slong m = 0;
    for (slong i = 0; i < s->count; i++) {
        if (!s->active[i])
            continue;
        b[m] = s->g + i;
        q[m] = darc_malloc(sizeof **q);
        nmod_mpoly_init(q[m], s->ctx);
        m++;
    }
    if (m > 0)
        nmod_mpoly_divrem_ideal(q, r, f, b, m, s->ctx);
    else
        nmod_mpoly_set(r, f, s->ctx);
    s->products += (double)f->length + DARC_BASIS_STEP * (double)m;
    for (slong i = 0; i < m; i++) {
        s->products += (double)q[i]->length * (double)b[i]->length;
        nmod_mpoly_clear(q[i], s->ctx);
        darc_free(q[i]);
    }
    darc_free(q);
    darc_free(b);
}

/* Append h, which becomes 0, with its pairs. */
static void append(state *s, nmod_mpoly_t h)
{
    slong n = s->count;
    s->g = darc_grow(s->g, (size_t)n, &s->alloc, sizeof *s->g);
    s->lead = darc_grow(s->lead, (size_t)n, &s->lead_alloc, sizeof *s->lead);
    s->active =
        darc_grow(s->active, (size_t)n, &s->active_alloc, sizeof *s->active);
    nmod_mpoly_init(s->g + n, s->ctx);
    nmod_mpoly_make_monic(s->g + n, h, s->ctx);
    nmod_mpoly_zero(h, s->ctx);
    s->lead[n] = darc_calloc((size_t)s->vars, sizeof **s->lead);
    nmod_mpoly_get_term_exp_ui(s->lead[n], s->g + n, 0, s->ctx);
    s->active[n] = true;
    s->count++;
    filter_old(s, n);
    add_new(s, n);
    for (slong i = 0; i < n; i++)
        if (s->active[i] && divides(s->lead[n], s->lead[i], s->vars))
            s->active[i] = false;
}

/* Reduce f and append what is left. */
static void insert(state *s, nmod_mpoly_t f)
{
    reduce(f, f, s);
    if (nmod_mpoly_is_zero(f, s->ctx))
        return;
    drop_monomial(f, s);
    reduce(f, f, s);
    if (!nmod_mpoly_is_zero(f, s->ctx))
        append(s, f);
}

/* Set f to the S-polynomial of the pair. */
static void s_polynomial(nmod_mpoly_t f, const state *s, const pair *p)
{
    ulong *e = darc_calloc((size_t)s->vars, sizeof *e);
    nmod_mpoly_t m, h;
    nmod_mpoly_init(m, s->ctx);
    nmod_mpoly_init(h, s->ctx);
    for (int side = 0; side < 2; side++) {
        slong i = side == 0 ? p->i : p->j;
        for (slong v = 0; v < s->vars; v++)
            e[v] = p->lcm[v] - s->lead[i][v];
        nmod_mpoly_zero(m, s->ctx);
        nmod_mpoly_set_coeff_ui_ui(m, 1, e, s->ctx);
        nmod_mpoly_mul(side == 0 ? f : h, s->g + i, m, s->ctx);
    }
    nmod_mpoly_sub(f, f, h, s->ctx);
    nmod_mpoly_clear(m, s->ctx);
    nmod_mpoly_clear(h, s->ctx);
    darc_free(e);
}

/* Return the pair of the lowest degree, the oldest of these. */
static slong select_pair(const state *s)
{
    slong best = 0;
    for (slong k = 1; k < s->pairs; k++) {
        const pair *a = s->pair + k, *b = s->pair + best;
        if (a->degree < b->degree ||
            (a->degree == b->degree &&
             (a->j < b->j || (a->j == b->j && a->i < b->i))))
            best = k;
    }
    return best;
}

static darc_status treat_pairs(state *s, const darc_budget *budget,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mpoly_t f;
    nmod_mpoly_init(f, s->ctx);
    while (s->pairs > 0) {
        darc_budget_take(budget, s->products);
        s->products = 0;
        DARC_TRY(darc_budget_check(budget, err));
        darc_progress at = {"comparing the points of a fibre", s->count,
                            s->count + s->pairs, 0};
        darc_budget_progress(budget, &at);
        slong k = select_pair(s);
        if (s->pair[k].degree > DARC_BASIS_DEGREE)
            darc_budget_take(budget, HUGE_VAL);
        DARC_TRY(darc_budget_check(budget, err));
        s_polynomial(f, s, s->pair + k);
        drop_pair(s, k);
        insert(s, f);
    }
done:
    nmod_mpoly_clear(f, s->ctx);
    return status;
}

/* Move the active elements to b.  They are not reduced by those that came
 * later: that may take longer than all else. */
static void deliver(darc_groebner_t b, state *s)
{
    for (slong i = 0; i < s->count; i++) {
        if (!s->active[i])
            continue;
        b->g = darc_grow(b->g, (size_t)b->count, &b->alloc, sizeof *b->g);
        nmod_mpoly_init(b->g + b->count, s->ctx);
        nmod_mpoly_swap(b->g + b->count++, s->g + i, s->ctx);
    }
}

static void state_clear(state *s)
{
    while (s->pairs > 0)
        drop_pair(s, s->pairs - 1);
    for (slong i = 0; i < s->count; i++) {
        nmod_mpoly_clear(s->g + i, s->ctx);
        darc_free(s->lead[i]);
    }
    darc_free(s->pair);
    darc_free(s->g);
    darc_free(s->lead);
    darc_free(s->active);
}

darc_status darc_groebner_init(darc_groebner_t b, const nmod_mpoly_struct *f,
                               slong n, const nmod_mpoly_ctx_struct *ctx,
                               const darc_budget *budget, darc_err *err)
{
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    state s = {.ctx = ctx, .vars = nmod_mpoly_ctx_nvars(ctx)};
    nmod_mpoly_t h;
    nmod_mpoly_init(h, ctx);
    for (slong i = 0; i < n; i++) {
        nmod_mpoly_set(h, f + i, ctx);
        insert(&s, h);
    }
    nmod_mpoly_clear(h, ctx);
    darc_status status = treat_pairs(&s, budget, err);
    if (status == DARC_OK)
        deliver(b, &s);
    darc_budget_take(budget, s.products);
    state_clear(&s);
    return status;
}

void darc_groebner_clear(darc_groebner_t b)
{
    for (slong i = 0; i < b->count; i++)
        nmod_mpoly_clear(b->g + i, b->ctx);
    darc_free(b->g);
    memset(b, 0, sizeof *b);
}

void darc_groebner_reduce(nmod_mpoly_t r, const nmod_mpoly_t f,
                          const darc_groebner_t b)
{
    size_t n = (size_t)b->count + 1;
    nmod_mpoly_struct **q = darc_calloc(n, sizeof *q);
    nmod_mpoly_struct **g = darc_calloc(n, sizeof *g);
    for (slong i = 0; i < b->count; i++) {
        g[i] = b->g + i;
        q[i] = darc_malloc(sizeof **q);
        nmod_mpoly_init(q[i], b->ctx);
    }
    if (b->count > 0)
        nmod_mpoly_divrem_ideal(q, r, f, g, b->count, b->ctx);
    else
        nmod_mpoly_set(r, f, b->ctx);
    for (slong i = 0; i < b->count; i++) {
        nmod_mpoly_clear(q[i], b->ctx);
        darc_free(q[i]);
    }
    darc_free(q);
    darc_free(g);
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
    return b->count == 1 && nmod_mpoly_is_ui(b->g, b->ctx);
}
