#include "identify/probe.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "modular/reconstruct.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ------------------------------------------------------------- */

/* Set value to the coefficients at x, which is drawn again where they have
 * none. */
static darc_status evaluate(ulong *value, ulong *x, darc_probe_t s, nmod_t mod,
                            darc_err *err)
{
    darc_status status = DARC_DOMAIN;
    for (int i = 0; i < DARC_PROBE_DRAWS && status == DARC_DOMAIN; i++) {
        darc_err why;
        darc_err_init(&why);
        darc_finite_random_point(x, s->g->vars, mod, s->rand);
        status = darc_blackbox_at(value, s->g, x, mod, &why);
        if (status != DARC_OK &&
            (status != DARC_DOMAIN || i + 1 == DARC_PROBE_DRAWS))
            return darc_fail(err, status, "%s", why.message);
    }
    return status;
}

static ulong *new_values(const darc_probe_t s)
{
    return darc_calloc((size_t)s->entries + 1, sizeof(ulong));
}

/* Parameter v is another, one after the other. */
static darc_status look_beside(darc_probe_t s, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_blackbox_struct *g = s->g;
    ulong *x = darc_calloc((size_t)g->vars + 1, sizeof *x);
    for (slong v = 0; v < g->vars && status == DARC_OK; v++) {
        darc_progress at = {"probing the coefficients", v, g->vars,
                            (long)s->entries};
        darc_budget_progress(g->budget, &at);
        memcpy(x, s->x, (size_t)g->vars * sizeof *x);
        darc_finite_random_point(x + v, 1, s->mod, s->rand);
        status = darc_blackbox_at(s->beside[v], g, x, s->mod, err);
    }
    darc_free(x);
    return status;
}

static darc_status look_along(darc_probe_t s, darc_err *err)
{
    darc_status status = DARC_OK;
    slong n = s->g->vars;
    ulong *x = darc_calloc(2 * (size_t)n + 1, sizeof *x), *to = x + n;
    darc_finite_random_point(to, n, s->mod, s->rand);
    for (int i = 0; i < DARC_LINE_POINTS && status == DARC_OK; i++) {
        s->t[i] = (ulong)i + 1;
        for (slong v = 0; v < n; v++)
            x[v] = nmod_add(s->x[v], nmod_mul(s->t[i], to[v], s->mod), s->mod);
        status = darc_blackbox_at(s->line[i], s->g, x, s->mod, err);
    }
    darc_free(x);
    return status;
}

darc_status darc_probe_init(darc_probe_t s, darc_blackbox_t g, darc_err *err)
{
    memset(s, 0, sizeof *s);
    s->g = g;
    s->entries = g->first[g->io->count];
    flint_randinit(s->rand);
    nmod_init(&s->mod, darc_finite_random_prime(s->rand));
    s->x = darc_calloc((size_t)g->vars + 1, sizeof *s->x);
    s->base = new_values(s);
    s->beside = darc_calloc((size_t)g->vars + 1, sizeof *s->beside);
    for (slong v = 0; v < g->vars; v++)
        s->beside[v] = new_values(s);
    s->t = darc_calloc(DARC_LINE_POINTS, sizeof *s->t);
    s->line = darc_calloc(DARC_LINE_POINTS, sizeof *s->line);
    for (int i = 0; i < DARC_LINE_POINTS; i++)
        s->line[i] = new_values(s);
    darc_status status = evaluate(s->base, s->x, s, s->mod, err);
    if (status == DARC_OK)
        status = look_beside(s, err);
    if (status == DARC_OK)
        status = look_along(s, err);
    for (int i = 0; i < DARC_POOLS; i++) {
        s->pool[i] = (darc_pool){.vars = g->vars, .entries = s->entries};
        nmod_init(&s->pool[i].mod, darc_finite_random_prime(s->rand));
    }
    if (status != DARC_OK)
        darc_probe_clear(s);
    return status;
}

void darc_probe_clear(darc_probe_t s)
{
    if (s->x == NULL)
        return;
    for (slong v = 0; v < s->g->vars; v++)
        darc_free(s->beside[v]);
    for (int i = 0; i < DARC_LINE_POINTS; i++)
        darc_free(s->line[i]);
    darc_free(s->beside);
    darc_free(s->line);
    darc_free(s->x);
    darc_free(s->base);
    darc_free(s->t);
    for (int i = 0; i < DARC_POOLS; i++) {
        darc_free(s->pool[i].x);
        darc_free(s->pool[i].value);
    }
    flint_randclear(s->rand);
    memset(s, 0, sizeof *s);
}

/* ---- ratios ------------------------------------------------------------- */

/* Return whether j/k has the same value at a and at b. */
static bool is_same(slong j, slong k, const ulong *a, const ulong *b,
                    nmod_t mod)
{
    ulong ja = nmod_mul(a[j], b[k], mod), jb = nmod_mul(b[j], a[k], mod);
    return ja == jb;
}

bool darc_probe_depends(const darc_probe_t s, slong j, slong k, slong v)
{
    return !is_same(j, k, s->beside[v], s->base, s->mod);
}

/* Set sign[v * entries + j] to beside[v][j] / base[j]: j/k does not depend on
 * v iff their signs agree. */
static ulong *signatures(const darc_probe_t s)
{
    size_t n = (size_t)s->entries;
    ulong *sign = darc_calloc(n * (size_t)s->g->vars + 1, sizeof *sign);
    for (slong j = 0; j < s->entries; j++) {
        ulong inverse = s->base[j] != 0 ? nmod_inv(s->base[j], s->mod) : 0;
        for (slong v = 0; v < s->g->vars; v++)
            sign[v * s->entries + j] =
                nmod_mul(s->beside[v][j], inverse, s->mod);
    }
    return sign;
}

/* Set the parameters of a ratio. */
static void set_mask(darc_pair *p, const ulong *sign, const darc_probe_t s)
{
    p->used = 0;
    p->mask = 0;
    for (slong v = 0; v < s->g->vars; v++) {
        const ulong *row = sign + v * s->entries;
        if (row[p->j] == row[p->k])
            continue;
        p->used++;
        p->mask += darc_finite_mix((ulong)v + 1);
    }
}

/* Set key to the ratio at the first point of the line over that at the base,
 * or its inverse, whichever is less. */
static void set_key(darc_pair *p, const darc_probe_t s)
{
    const ulong *a = s->line[0], *b = s->base;
    ulong n = nmod_mul(a[p->j], b[p->k], s->mod);
    ulong d = nmod_mul(a[p->k], b[p->j], s->mod);
    ulong up = n != 0 && d != 0 ? nmod_div(n, d, s->mod) : 0;
    ulong down = up != 0 ? nmod_inv(up, s->mod) : 0;
    p->key = up < down ? up : down;
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
    ulong y[DARC_LINE_POINTS];
    for (int i = 0; i < DARC_LINE_POINTS; i++) {
        if (s->line[i][p->k] == 0)
            return false;
        y[i] = nmod_div(s->line[i][p->j], s->line[i][p->k], s->mod);
    }
    darc_quotient q;
    darc_quotient_init(&q, s->t, y, DARC_LINE_POINTS, s->mod);
    p->num = (int)nmod_poly_degree(q.num);
    p->den = (int)nmod_poly_degree(q.den);
    bool known = darc_quotient_is_known(&q, DARC_LINE_SPARE);
    darc_quotient_clear(&q);
    double n = (double)p->used;
    p->weight = binomial(n + p->num, p->num) + binomial(n + p->den, p->den);
    return known;
}

/* The ratios kept so far. */
typedef struct {
    darc_pair *pair;
    slong count;
    size_t alloc;
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
            set_mask(&p, sign, s);
            if (p.used != used || l->count >= DARC_PAIRS_KEPT ||
                (differ != NULL && is_same(j, k, differ[0], differ[1], s->mod)))
                continue;
            set_key(&p, s);
            l->pair = darc_grow(l->pair, (size_t)l->count, &l->alloc,
                                sizeof *l->pair);
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
    ulong *sign = signatures(s);
    for (slong used = 1; used <= s->g->vars; used++) {
        slong before = l.count;
        for (int e = 0; e < s->g->io->count; e++)
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

/* ---- pools -------------------------------------------------------------- */

darc_status darc_pool_fill(darc_pool *pool, slong n, darc_probe_t s,
                           darc_err *err)
{
    darc_status status = DARC_OK;
    for (; pool->count < n && status == DARC_OK; pool->count++) {
        size_t k = (size_t)pool->count;
        darc_progress at = {"evaluating the coefficients", pool->count, n,
                            (long)s->entries};
        darc_budget_progress(s->g->budget, &at);
        pool->x = darc_grow(pool->x, k, &pool->alloc,
                            (size_t)pool->vars * sizeof *pool->x + 1);
        pool->value = darc_grow(pool->value, k, &pool->value_alloc,
                                (size_t)pool->entries * sizeof *pool->value);
        status =
            evaluate(pool->value + pool->count * pool->entries,
                     pool->x + pool->count * pool->vars, s, pool->mod, err);
        if (status != DARC_OK)
            break;
    }
    return status;
}
