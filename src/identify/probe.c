#include "identify/field.h"

#include "base/mem.h"
#include "modular/reconstruct.h"

#include <stdlib.h>
#include <string.h>

/* Set value to the coefficients at x, which is drawn again where they have
 * none. */
static darc_status evaluate_coefficients(ulong *value, ulong *x, darc_probe_t s,
                                         nmod_t mod, darc_err *err)
{
    darc_status status = DARC_DOMAIN;
    for (int i = 0; i < DARC_PROBE_DRAWS && status == DARC_DOMAIN; i++) {
        darc_err why = {DARC_OK, ""};
        darc_finite_random_point(x, s->g->vars, mod, s->rand);
        for (slong v = 0; v < s->g->vars; v++)
            x[v] = s->pinned[v] ? s->x[v] : x[v];
        status = darc_blackbox_at(value, s->g, x, mod, &why);
        if (status != DARC_OK &&
            (status != DARC_DOMAIN || i + 1 == DARC_PROBE_DRAWS))
            return darc_fail_as(err, status, &why);
    }
    return status;
}

/* Set beside to the derivatives of polynomials, which tell as well what a ratio
 * depends on. */
static void differentiate(darc_probe_t s)
{
    const darc_coeffs_struct *c = s->g->c;
    ulong *by = darc_calloc((size_t)c->vars + 1, sizeof *by);
    for (slong j = 0; j < s->entries; j++) {
        darc_finite_gradient(by, c->b + j, s->x, s->mod, c->ctx);
        for (slong v = 0; v < s->g->vars; v++)
            s->beside[v * s->entries + j] = by[v];
    }
    darc_free(by);
}

/* Look where parameter v is another, one after the other. */
static darc_status look_beside(darc_probe_t s, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_blackbox_struct *g = s->g;
    slong n = g->vars;
    ulong *x = darc_calloc((size_t)n + 1, sizeof *x);
    if (g->polynomials)
        differentiate(s);
    for (slong v = 0; v < n && !g->polynomials && status == DARC_OK; v++) {
        darc_progress at = {"probing the coefficients", v, n, (long)s->entries};
        darc_budget_progress(g->budget, &at);
        memcpy(x, s->x, (size_t)n * sizeof *x);
        darc_finite_random_point(x + v, 1, s->mod, s->rand);
        status =
            darc_blackbox_at(s->beside + v * s->entries, g, x, s->mod, err);
    }
    darc_free(x);
    return status;
}

static darc_status look_along_line(darc_probe_t s, darc_err *err)
{
    darc_status status = DARC_OK;
    slong n = s->g->vars;
    ulong *x = darc_calloc(2 * (size_t)n + 1, sizeof *x), *to = x + n;
    darc_finite_random_point(to, n, s->mod, s->rand);
    for (int i = 0; i < DARC_LINE_POINTS && status == DARC_OK; i++) {
        for (slong v = 0; v < n; v++) {
            ulong by = s->pinned[v] ? 0 : to[v];
            x[v] =
                nmod_add(s->x[v], nmod_mul((ulong)i + 1, by, s->mod), s->mod);
        }
        status =
            darc_blackbox_at(s->line + i * s->entries, s->g, x, s->mod, err);
    }
    darc_free(x);
    return status;
}

darc_status darc_probe_init(darc_probe_t s, darc_blackbox_t g, int n,
                            darc_err *err)
{
    darc_status status;
    *s = (darc_probe_struct){.g = g, .entries = g->first[g->count]};
    flint_randinit(s->rand);
    for (int i = 0; i <= n; i++)
        nmod_init(&s->mod, darc_finite_random_prime(s->rand));
    size_t rows = (size_t)g->vars + 1 + DARC_LINE_POINTS;
    DARC_CALLOC((size_t)g->vars + 1, s->x, s->pinned);
    s->base = darc_calloc(rows * (size_t)s->entries + 1, sizeof *s->base);
    s->beside = s->base + s->entries;
    s->line = s->beside + g->vars * s->entries;
    DARC_TRY(evaluate_coefficients(s->base, s->x, s, s->mod, err));
    DARC_TRY(look_beside(s, err));
    DARC_TRY(look_along_line(s, err));
    for (int i = 0; i < DARC_POOLS; i++)
        nmod_init(&s->pool[i].mod, darc_finite_random_prime(s->rand));
done:
    if (status != DARC_OK)
        darc_probe_clear(s);
    return status;
}

void darc_probe_clear(darc_probe_t s)
{
    if (s->x == NULL)
        return;
    DARC_FREE(s->x, s->base, s->pinned);
    for (int i = 0; i < DARC_POOLS; i++) {
        DARC_FREE(s->pool[i].x, s->pool[i].value);
    }
    flint_randclear(s->rand);
    *s = (darc_probe_struct){.x = NULL};
}

darc_status darc_probe_pin(darc_probe_t s, const bool *v, darc_err *err)
{
    for (slong i = 0; i < s->g->vars; i++)
        s->pinned[i] = s->pinned[i] || v[i];
    s->pool->count = 0;
    return look_along_line(s, err);
}

/* Return whether j/k has the same value at a and at b. */
static bool is_same(slong j, slong k, const ulong *a, const ulong *b,
                    nmod_t mod)
{
    return nmod_mul(a[j], b[k], mod) == nmod_mul(b[j], a[k], mod);
}

/* Set the parameters of a ratio, as far as there are no more than `most`. */
static void set_mask(darc_pair *p, const ulong *sign, slong most,
                     const darc_probe_t s)
{
    p->used = 0;
    p->mask = 0;
    for (slong v = 0; v < s->g->vars && p->used <= most; v++) {
        const ulong *row = sign + v * s->entries;
        if (s->pinned[v] || row[p->j] == row[p->k])
            continue;
        p->used++;
        p->mask += darc_finite_mix((ulong)v + 1);
    }
}

static double binomial(double n, double k)
{
    double b = 1;
    for (double i = 1; i <= k; i++)
        b *= (n - k + i) / i;
    return b;
}

/* Find the degrees of a ratio from its values on the line. */
static bool set_degrees(darc_pair *p, const darc_probe_t s)
{
    ulong t[DARC_LINE_POINTS], y[DARC_LINE_POINTS];
    for (int i = 0; i < DARC_LINE_POINTS; i++) {
        const ulong *value = s->line + i * s->entries;
        t[i] = (ulong)i + 1;
        if (value[p->k] == 0)
            return false;
        y[i] = nmod_div(value[p->j], value[p->k], s->mod);
    }
    darc_quotient q;
    darc_quotient_init(&q, t, y, DARC_LINE_POINTS, s->mod);
    p->num = (int)nmod_poly_degree(q.num);
    p->den = (int)nmod_poly_degree(q.den);
    bool known = !nmod_poly_is_zero(q.den) &&
                 p->num + p->den + 1 + DARC_LINE_SPARE <= q.n;
    DARC_EACH(nmod_poly_clear, q.num, q.den);
    double n = (double)p->used;
    p->weight = binomial(n + p->num, p->num) + binomial(n + p->den, p->den);
    return known;
}

/* The ratios kept so far. */
typedef struct {
    darc_pair *pair;
    slong count;
} list;

/* Keep the ratios of equation e that depend on `used` parameters. */
static void look_at_equation(list *l, int e, slong used, const ulong *sign,
                             const darc_probe_t s, ulong *const *differ)
{
    slong from = s->g->first[e], to = s->g->first[e + 1];
    double total = (double)(to - from) * (double)(to - from) / 2;
    slong step = 1 + (slong)(total / DARC_PAIRS_LOOKED);
    for (slong k = from; k < to; k += step)
        for (slong j = step == 1 ? k + 1 : from; j < to; j++) {
            if (j == k || s->base[j] == 0 || s->base[k] == 0)
                continue;
            darc_pair p = {.j = j, .k = k};
            set_mask(&p, sign, used, s);
            if (p.used != used || l->count >= DARC_PAIRS_KEPT ||
                (differ != NULL && is_same(j, k, differ[0], differ[1], s->mod)))
                continue;
            /* the ratio at the first point of the line over that at the base,
             * or its inverse, whichever is less */
            ulong n = nmod_mul(s->line[j], s->base[k], s->mod);
            ulong d = nmod_mul(s->line[k], s->base[j], s->mod);
            ulong up = n != 0 && d != 0 ? nmod_div(n, d, s->mod) : 0;
            ulong down = up != 0 ? nmod_inv(up, s->mod) : 0;
            p.key = up < down ? up : down;
            DARC_ROOM(l->pair, l->count);
            l->pair[l->count++] = p;
        }
}

static int by_parameters(const void *x, const void *y)
{
    const darc_pair *a = x, *b = y;
    if (a->mask != b->mask)
        return a->mask < b->mask ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->j != b->j ? (a->j < b->j ? -1 : 1)
                        : (a->k > b->k) - (a->k < b->k);
}

static int by_weight(const void *x, const void *y)
{
    const darc_pair *a = x, *b = y;
    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight < b->weight ? -1 : 1;
    int da = a->num + a->den, db = b->num + b->den;
    return da != db ? da - db : by_parameters(x, y);
}

/* Keep from l, behind the `before` first, those that differ, have degrees,
 * and are not too many in the same parameters. */
static void thin_out(list *l, slong before, const darc_probe_t s)
{
    slong to = before, same = 0;
    qsort(l->pair + before, (size_t)(l->count - before), sizeof *l->pair,
          by_parameters);
    ulong mask = 0, key = 0;
    for (slong i = before; i < l->count; i++) {
        darc_pair p = l->pair[i];
        bool again = i > before && p.mask == mask;
        if (again && p.key == key)
            continue;
        same = again ? same + 1 : 0;
        mask = p.mask;
        key = p.key;
        if (same < DARC_PAIRS_SAME && set_degrees(&p, s))
            l->pair[to++] = p;
    }
    l->count = to;
}

slong darc_probe_pairs(darc_pair **pair, const darc_probe_t s,
                       ulong *const *differ)
{
    list l = {0};
    /* beside[v][j] / base[j]: j/k does not depend on v iff theirs agree */
    size_t n = (size_t)(s->entries * s->g->vars);
    ulong *sign = darc_calloc(n + 1, sizeof *sign);
    for (slong j = 0; j < s->entries; j++) {
        ulong inverse = s->base[j] != 0 ? nmod_inv(s->base[j], s->mod) : 0;
        for (slong i = j; i < (slong)n; i += s->entries)
            sign[i] = nmod_mul(s->beside[i], inverse, s->mod);
    }
    for (slong used = 1; used <= s->g->vars; used++) {
        slong before = l.count;
        for (int e = 0; e < s->g->count; e++)
            look_at_equation(&l, e, used, sign, s, differ);
        if (l.count > before)
            thin_out(&l, before, s);
    }
    darc_free(sign);
    if (l.count > 0)
        qsort(l.pair, (size_t)l.count, sizeof *l.pair, by_weight);
    *pair = l.pair;
    return l.count;
}

/* Make pool, one of s, hold n points at least. */
static darc_status fill_pool(darc_pool *pool, slong n, darc_probe_t s,
                             darc_err *err)
{
    for (; pool->count < n; pool->count++) {
        size_t k = (size_t)pool->count;
        size_t vars = (size_t)s->g->vars, entries = (size_t)s->entries;
        darc_progress at = {"evaluating the coefficients", pool->count, n,
                            (long)s->entries};
        darc_budget_progress(s->g->budget, &at);
        pool->x = darc_room(pool->x, k, vars * sizeof(ulong) + 1);
        pool->value = darc_room(pool->value, k, entries * sizeof(ulong));
        DARC_NEED(evaluate_coefficients(pool->value + k * entries,
                                        pool->x + k * vars, s, pool->mod, err));
    }
    return DARC_OK;
}

/* The quotient sought: unknown i < num stands at monomial i of the numerator,
 * the others at those of the denominator. */
typedef struct {
    darc_exponents m;
    slong num;
} shape;

static void shape_init(shape *f, const darc_pair *p, const darc_probe_t s)
{
    slong vars = s->g->vars;
    *f = (shape){.m = {.vars = vars}};
    bool *used = darc_calloc((size_t)vars, sizeof *used);
    for (slong v = 0; v < vars; v++)
        used[v] =
            !s->pinned[v] &&
            !is_same(p->j, p->k, s->beside + v * s->entries, s->base, s->mod);
    darc_exponents_append(&f->m, p->num, used, WORD_MAX);
    f->num = f->m.count;
    darc_exponents_append(&f->m, p->den, used, WORD_MAX);
    darc_free(used);
}

/* Set sol to the unknowns modulo the prime of the pool, with entry lead 1 (-1:
 * the first that is not 0, which lead becomes); return whether they are
 * unique. */
static bool solve_shape(ulong *sol, slong *lead, const shape *f,
                        const darc_pair *p, const darc_pool *pool,
                        slong entries)
{
    nmod_mat_t a, kernel;
    slong rows = f->m.count + DARC_FIT_SPARE;
    nmod_mat_init(a, rows, f->m.count, pool->mod.n);
    nmod_mat_init(kernel, f->m.count, f->m.count, pool->mod.n);
    for (slong i = 0; i < rows; i++) {
        ulong n = pool->value[i * entries + p->k];
        ulong d = nmod_neg(pool->value[i * entries + p->j], pool->mod);
        for (slong c = 0; c < f->m.count; c++)
            nmod_mat_entry(a, i, c) =
                nmod_mul(c < f->num ? n : d,
                         darc_exponents_value(&f->m, c, pool->x + i * f->m.vars,
                                              pool->mod),
                         pool->mod);
    }
    bool unique = nmod_mat_nullspace(kernel, a) == 1;
    for (slong c = 0; c < f->m.count && unique && *lead < 0; c++)
        if (nmod_mat_entry(kernel, c, 0) != 0)
            *lead = c;
    unique = unique && nmod_mat_entry(kernel, *lead, 0) != 0;
    if (unique) {
        ulong inverse = nmod_inv(nmod_mat_entry(kernel, *lead, 0), pool->mod);
        for (slong c = 0; c < f->m.count; c++)
            sol[c] = nmod_mul(nmod_mat_entry(kernel, c, 0), inverse, pool->mod);
    }
    DARC_EACH(nmod_mat_clear, a, kernel);
    return unique;
}

/* Set num and den from residues; return whether all could be reconstructed. */
static bool lift(fmpz_mpoly_t num, fmpz_mpoly_t den,
                 const fmpz_mpoly_ctx_struct *ctx, const shape *f,
                 const darc_residues *r)
{
    fmpz *a = _fmpz_vec_init(f->m.count);
    bool ok = darc_reconstruct(a, r->residue, f->m.count, r->modulus,
                               DARC_ANY_HEIGHT);
    DARC_EACH_IN(fmpz_mpoly_zero, ctx, num, den);
    for (slong c = 0; c < f->m.count && ok; c++)
        if (!fmpz_is_zero(a + c))
            fmpz_mpoly_push_term_fmpz_ui(c < f->num ? num : den, a + c,
                                         f->m.exp + c * f->m.vars, ctx);
    DARC_EACH_IN(fmpz_mpoly_sort_terms, ctx, num, den);
    _fmpz_vec_clear(a, f->m.count);
    return ok && num->length > 0 && den->length > 0;
}

/* Return whether num/den is the ratio at the points of another prime. */
static bool agrees(const fmpz_mpoly_t num, const fmpz_mpoly_t den,
                   const fmpz_mpoly_ctx_struct *ctx, const darc_pair *p,
                   const darc_probe_t s)
{
    const darc_pool *pool = s->pool + DARC_POOLS - 1;
    for (slong i = 0; i < DARC_FIT_CHECKS; i++) {
        const ulong *x = pool->x + i * s->g->vars;
        const ulong *value = pool->value + i * s->entries;
        ulong n = darc_finite_eval(num, x, pool->mod, ctx);
        ulong d = darc_finite_eval(den, x, pool->mod, ctx);
        if (nmod_mul(n, value[p->k], pool->mod) !=
            nmod_mul(d, value[p->j], pool->mod))
            return false;
    }
    return true;
}

darc_status darc_probe_fit(darc_ratios_t f, bool *found, const darc_pair *p,
                           darc_probe_t s, darc_err *err)
{
    darc_status status;
    shape q;
    darc_residues r;
    fmpz_mpoly_t num, den;
    shape_init(&q, p, s);
    darc_residues_init(&r, q.m.count);
    darc_dpoly_inits(f->ctx, num, den, NULL);
    ulong *sol = darc_calloc((size_t)q.m.count, sizeof *sol);
    slong lead = -1;
    bool unique = true;
    *found = false;
    DARC_TRY(fill_pool(s->pool + DARC_POOLS - 1, DARC_FIT_CHECKS, s, err));
    for (int i = 0; i + 1 < DARC_POOLS && unique && !*found; i++) {
        darc_pool *pool = s->pool + i;
        DARC_TRY(fill_pool(pool, q.m.count + DARC_FIT_SPARE, s, err));
        unique = solve_shape(sol, &lead, &q, p, pool, s->entries);
        if (unique)
            darc_residues_add(&r, sol, pool->mod.n);
        *found = unique && lift(num, den, f->ctx, &q, &r) &&
                 agrees(num, den, f->ctx, p, s);
    }
    if (*found)
        *found = darc_ratios_append(f, num, den);
done:
    darc_residues_clear(&r);
    darc_dpoly_clears(f->ctx, num, den, NULL);
    DARC_FREE(sol, q.m.exp);
    return status;
}

darc_status darc_probe_equation(nmod_mpoly_t q, bool *found, const darc_pair *p,
                                darc_probe_t s, const nmod_mpoly_ctx_t ctx,
                                darc_err *err)
{
    shape f;
    shape_init(&f, p, s);
    slong lead = -1;
    ulong *sol = darc_calloc((size_t)f.m.count, sizeof *sol);
    darc_status status = fill_pool(s->pool, f.m.count + DARC_FIT_SPARE, s, err);
    *found = status == DARC_OK &&
             solve_shape(sol, &lead, &f, p, s->pool, s->entries);
    nmod_mpoly_zero(q, ctx);
    for (slong c = 0; c < f.m.count && *found; c++) {
        ulong by = c < f.num ? s->base[p->k] : nmod_neg(s->base[p->j], s->mod);
        by = nmod_mul(by, sol[c], s->mod);
        if (by != 0)
            nmod_mpoly_push_term_ui_ui(q, by, f.m.exp + c * f.m.vars, ctx);
    }
    nmod_mpoly_sort_terms(q, ctx);
    nmod_mpoly_combine_like_terms(q, ctx);
    DARC_FREE(sol, f.m.exp);
    return status;
}
