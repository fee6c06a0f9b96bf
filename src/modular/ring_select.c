#include "base/mem.h"
#include "modular/ring.h"
#include "modular/thresholds.h"

/* Powers of the values as far as f needs them: value^e stands at
 * power[first[v] + e]. */
typedef struct {
    slong *first;
    ulong *power;
    ulong *exp;
} table;

static void table_init(table *t, const darc_mpoly *f, const ulong *value,
                       const darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    slong *degree = darc_calloc(n, sizeof *degree), total = 0;
    nmod_mpoly_degrees_si(degree, f, ring->ctx);
    t->first = darc_calloc(n, sizeof *t->first);
    t->exp = darc_calloc(n, sizeof *t->exp);
    for (size_t v = 0; v < n; v++) {
        t->first[v] = total;
        total += (degree[v] < 0 ? 0 : degree[v]) + 1;
    }
    t->power = darc_calloc((size_t)total, sizeof *t->power);
    for (size_t v = 0; v < n; v++) {
        ulong *p = t->power + t->first[v];
        p[0] = 1;
        for (slong e = 1; e <= degree[v]; e++)
            p[e] = nmod_mul(p[e - 1], value[v], ring->mod);
    }
    darc_free(degree);
}

static void table_clear(table *t)
{
    DARC_FREE(t->first, t->power, t->exp);
}

/* Return the value of term i, and its exponents in t->exp. */
static ulong term_value(table *t, const darc_mpoly *f, slong i,
                        const darc_ring_t ring)
{
    nmod_mpoly_get_term_exp_ui(t->exp, f, i, ring->ctx);
    ulong c = f->coeffs[i];
    for (slong v = 0; v < ring->vars; v++)
        if (t->exp[v] != 0)
            c = nmod_mul(c, t->power[t->first[v] + (slong)t->exp[v]],
                         ring->mod);
    return c;
}

/* A substitution x_v = value[v] * t^weight[v]: cheap images, certain in one
 * direction. */
typedef struct {
    ulong *value;  /* owned */
    slong *weight; /* owned */
} toric;

static void toric_init(toric *map, darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    map->value = darc_calloc(n, sizeof *map->value);
    map->weight = darc_calloc(n, sizeof *map->weight);
    for (size_t v = 0; v < n; v++)
        map->value[v] = 1 + n_randint(ring->rand, ring->mod.n - 1);
}

static void toric_clear(toric *map)
{
    DARC_FREE(map->value, map->weight);
}

/* Set a to the image of f in F_p[t]. */
static void toric_image(nmod_poly_t a, const darc_mpoly *f, const toric *map,
                        const darc_ring_t ring)
{
    table t;
    table_init(&t, f, map->value, ring);
    nmod_poly_zero(a);
    for (slong i = 0; i < f->length; i++) {
        ulong c = term_value(&t, f, i, ring);
        slong d = 0;
        for (slong v = 0; v < ring->vars; v++)
            d += (slong)t.exp[v] * map->weight[v];
        nmod_poly_set_coeff_ui(
            a, d, nmod_add(nmod_poly_get_coeff_ui(a, d), c, ring->mod));
    }
    table_clear(&t);
}

/* Divide f by its monomial content.  When a variable that vanishes at the
 * point is among it, f becomes that variable: return true. */
static bool strip_monomial(darc_mpoly *f, const darc_ring_t ring)
{
    nmod_mpoly_t m;
    nmod_mpoly_init(m, ring->ctx);
    nmod_mpoly_term_content(m, f, ring->ctx);
    bool found = false;
    for (slong v = 0; v < ring->vars && !found; v++)
        if (ring->point[v] == 0 && darc_ring_degree(m, v, ring) > 0) {
            nmod_mpoly_gen(f, v, ring->ctx);
            found = true;
        }
    if (!found && !nmod_mpoly_is_ui(m, ring->ctx))
        nmod_mpoly_divides(f, f, m, ring->ctx);
    nmod_mpoly_clear(m, ring->ctx);
    return found;
}

static void unshift(nmod_poly_t a)
{
    slong k = 0;
    while (k < nmod_poly_length(a) && nmod_poly_get_coeff_ui(a, k) == 0)
        k++;
    nmod_poly_shift_right(a, a, k);
}

/* Return whether g has no higher degree than f in any variable; of, degree:
 * those of f, and room for those of g. */
static bool may_go_into(const darc_mpoly *g, const slong *of, slong *degree,
                        const darc_ring_t ring)
{
    nmod_mpoly_degrees_si(degree, g, ring->ctx);
    for (slong v = 0; v < ring->vars; v++)
        if (degree[v] > of[v])
            return false;
    return true;
}

/* Divide f by the remembered factors, as often as they go. */
static void strip_known(darc_mpoly *f, darc_ring_t ring)
{
    toric map;
    slong *of = darc_calloc(2 * (size_t)ring->vars + 1, sizeof *of);
    nmod_mpoly_degrees_si(of, f, ring->ctx);
    nmod_poly_t a, b, q;
    nmod_mpoly_t quotient;
    nmod_mpoly_init(quotient, ring->ctx);
    nmod_poly_init(a, ring->mod.n);
    nmod_poly_init(b, ring->mod.n);
    nmod_poly_init(q, ring->mod.n);
    toric_init(&map, ring);
    slong degree = nmod_mpoly_total_degree_si(f, ring->ctx) + 1;
    slong weights =
        FLINT_MAX(DARC_TORIC_WEIGHTS_LEAST,
                  FLINT_MIN(DARC_TORIC_WEIGHTS, DARC_TORIC_DEGREE / degree));
    for (slong v = 0; v < ring->vars; v++)
        map.weight[v] = 1 + (slong)n_randint(ring->rand, (ulong)weights);
    toric_image(a, f, &map, ring);
    unshift(a);
    for (slong i = 0; i < ring->count; i++) {
        if (!may_go_into(ring->factor + i, of, of + ring->vars, ring))
            continue;
        toric_image(b, ring->factor + i, &map, ring);
        unshift(b);
        while (nmod_poly_length(a) >= nmod_poly_length(b)) {
            nmod_poly_rem(q, a, b);
            if (!nmod_poly_is_zero(q) ||
                !nmod_mpoly_divides(quotient, f, ring->factor + i, ring->ctx))
                break;
            nmod_mpoly_swap(f, quotient, ring->ctx);
            nmod_poly_div(a, a, b);
        }
    }
    toric_clear(&map);
    darc_free(of);
    nmod_poly_clear(a);
    nmod_poly_clear(b);
    nmod_poly_clear(q);
    nmod_mpoly_clear(quotient, ring->ctx);
}

/* Return whether the images of the coefficients of s on a random line along w
 * are coprime: then no common factor contains w. */
static bool coprime_in(const darc_split *s, const slong *index, slong w,
                       darc_ring_t ring)
{
    toric line;
    nmod_poly_t a, g;
    toric_init(&line, ring);
    line.value[w] = 1;
    line.weight[w] = 1;
    nmod_poly_init(a, ring->mod.n);
    nmod_poly_init(g, ring->mod.n);
    for (slong i = 0; i <= s->degree && nmod_poly_length(g) != 1; i++) {
        toric_image(a, s->c + index[i], &line, ring);
        nmod_poly_gcd(g, g, a);
    }
    bool coprime = nmod_poly_length(g) == 1;
    nmod_poly_clear(a);
    nmod_poly_clear(g);
    toric_clear(&line);
    return coprime;
}

/* Set g to the gcd of the coefficients of s, shortest first: 1 at once where
 * they are seen to be coprime in images, one for each variable of the
 * shortest. */
static darc_status content(darc_mpoly *g, const darc_split *s, darc_ring_t ring,
                           darc_err *err)
{
    darc_status status = DARC_OK;
    slong *index = darc_calloc((size_t)s->degree + 1, sizeof *index), least = 0;
    bool coprime = true;
    for (slong d = 0; d <= s->degree; d++) {
        slong i = d;
        for (; i > 0 && s->c[index[i - 1]].length > s->c[d].length; i--)
            index[i] = index[i - 1];
        index[i] = d;
    }
    while (s->c[index[least]].length == 0)
        least++;
    for (slong v = 0; v < ring->vars && coprime; v++)
        if (darc_ring_degree(s->c + index[least], v, ring) > 0)
            coprime = coprime_in(s, index, v, ring);
    nmod_mpoly_set_ui(g, coprime, ring->ctx);
    for (slong i = 0; i <= s->degree && !nmod_mpoly_is_one(g, ring->ctx); i++) {
        if (!nmod_mpoly_gcd(g, g, s->c + index[i], ring->ctx))
            DARC_TRY(darc_fail(err, DARC_LIMIT,
                               "a gcd of %ld terms is out of reach",
                               (long)s->c[index[i]].length));
        DARC_TRY(darc_budget_check(ring->budget, err));
    }
done:
    darc_free(index);
    return status;
}

/* Split f into content and primitive part with respect to v; keep the one
 * that vanishes at the point, remember the other. */
static darc_status strip_content(darc_mpoly *f, slong v, darc_ring_t ring,
                                 darc_err *err)
{
    darc_split s;
    nmod_mpoly_t g, q;
    darc_status status = DARC_OK;
    darc_split_init(&s, f, v, ring);
    darc_mpoly_inits(ring->ctx, g, q, NULL);
    DARC_TRY(content(g, &s, ring, err));
    if (nmod_mpoly_is_ui(g, ring->ctx))
        goto done;
    nmod_mpoly_divides(q, f, g, ring->ctx);
    if (darc_ring_value(g, ring) == 0) {
        nmod_mpoly_swap(f, g, ring->ctx);
        DARC_TRY(darc_ring_select(f, ring, err));
        goto done;
    }
    DARC_TRY(darc_ring_remember_factors(ring, g, err));
    nmod_mpoly_swap(f, q, ring->ctx);
done:
    darc_mpoly_clears(ring->ctx, g, q, NULL);
    darc_split_clear(&s, ring);
    return status;
}

/* Return the variable of lowest positive degree in f, with the shortest
 * leading coefficient among equals. */
static slong best_variable(slong *degree, const darc_mpoly *f,
                           const darc_ring_t ring)
{
    slong best = -1;
    nmod_mpoly_degrees_si(degree, f, ring->ctx);
    for (slong v = 0; v < ring->vars; v++)
        if (degree[v] > 0 && (best < 0 || degree[v] < degree[best]))
            best = v;
    return best;
}

/* Return whether the image of f, primitive in v, on a random plane of x_v and
 * x_w is irreducible of full degree in v: then f is irreducible. */
static bool irreducible_image(const darc_mpoly *f, slong v, slong w,
                              darc_ring_t ring)
{
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_t a;
    nmod_mpoly_factor_t factors;
    toric plane;
    table t;
    toric_init(&plane, ring);
    plane.value[v] = plane.value[w] = 1;
    table_init(&t, f, plane.value, ring);
    nmod_mpoly_ctx_init(ctx, 2, ORD_LEX, ring->mod.n);
    nmod_mpoly_init(a, ctx);
    nmod_mpoly_factor_init(factors, ctx);
    for (slong i = 0; i < f->length; i++) {
        ulong c = term_value(&t, f, i, ring);
        ulong exp[2] = {t.exp[v], t.exp[w]};
        nmod_mpoly_push_term_ui_ui(a, c, exp, ctx);
    }
    nmod_mpoly_sort_terms(a, ctx);
    nmod_mpoly_combine_like_terms(a, ctx);
    bool irreducible =
        nmod_mpoly_degree_si(a, 0, ctx) == darc_ring_degree(f, v, ring) &&
        nmod_mpoly_factor(factors, a, ctx) && factors->num == 1 &&
        fmpz_is_one(factors->exp);
    nmod_mpoly_factor_clear(factors, ctx);
    nmod_mpoly_clear(a, ctx);
    nmod_mpoly_ctx_clear(ctx);
    table_clear(&t);
    toric_clear(&plane);
    return irreducible;
}

static bool is_irreducible(const darc_mpoly *f, slong v, const slong *degree,
                           darc_ring_t ring)
{
    int tries = 0;
    if (degree[v] == 1)
        return true;
    for (slong w = 0; w < ring->vars && tries < DARC_SELECT_PLANES; w++) {
        if (w == v || degree[w] <= 0)
            continue;
        tries++;
        if (irreducible_image(f, v, w, ring))
            return true;
    }
    return false;
}

static darc_status fail_to_factor(const darc_mpoly *f, darc_err *err)
{
    return darc_fail(err, DARC_LIMIT, "factoring %ld terms is out of reach",
                     (long)f->length);
}

static darc_status fail_to_vanish(darc_err *err)
{
    return darc_fail(err, DARC_INTERNAL, "no factor vanishes on the model");
}

/* Factor f; keep the factor that vanishes at the point. */
static darc_status factor_out(darc_mpoly *f, darc_ring_t ring, darc_err *err)
{
    nmod_mpoly_factor_t factors;
    nmod_mpoly_factor_init(factors, ring->ctx);
    darc_status status = DARC_OK;
    slong kept = -1;
    if (!nmod_mpoly_factor(factors, f, ring->ctx))
        DARC_TRY(fail_to_factor(f, err));
    for (slong i = 0; i < factors->num; i++)
        if (kept < 0 && darc_ring_value(factors->poly + i, ring) == 0)
            kept = i;
        else
            darc_ring_remember(ring, factors->poly + i);
    if (kept < 0)
        DARC_TRY(fail_to_vanish(err));
    nmod_mpoly_set(f, factors->poly + kept, ring->ctx);
done:
    nmod_mpoly_factor_clear(factors, ring->ctx);
    return status;
}

darc_status darc_ring_select(darc_mpoly *f, darc_ring_t ring, darc_err *err)
{
    slong *degree = darc_calloc((size_t)ring->vars, sizeof *degree);
    darc_status status = DARC_OK;
    if (nmod_mpoly_is_zero(f, ring->ctx))
        DARC_TRY(darc_fail(err, DARC_INTERNAL, "a resultant vanishes"));
    DARC_TRY(darc_budget_check(ring->budget, err));
    if (strip_monomial(f, ring))
        goto done;
    strip_known(f, ring);
    slong v = best_variable(degree, f, ring);
    if (v < 0)
        DARC_TRY(fail_to_vanish(err));
    DARC_TRY(strip_content(f, v, ring, err));
    v = best_variable(degree, f, ring);
    if (!is_irreducible(f, v, degree, ring))
        DARC_TRY(factor_out(f, ring, err));
    nmod_mpoly_make_monic(f, f, ring->ctx);
done:
    darc_free(degree);
    return status;
}

/* Remember the squarefree factors of f, primitive in every variable. */
static darc_status remember_squarefree(darc_ring_t ring, const darc_mpoly *f,
                                       darc_err *err)
{
    nmod_mpoly_factor_t factors;
    nmod_mpoly_factor_init(factors, ring->ctx);
    darc_status status = DARC_OK;
    int found = f->length <= DARC_FACTOR_TERMS
                    ? nmod_mpoly_factor(factors, f, ring->ctx)
                    : nmod_mpoly_factor_squarefree(factors, f, ring->ctx);
    if (!found)
        status = fail_to_factor(f, err);
    for (slong i = 0; i < factors->num && found; i++)
        darc_ring_remember(ring, factors->poly + i);
    nmod_mpoly_factor_clear(factors, ring->ctx);
    return status;
}

darc_status darc_ring_remember_factors(darc_ring_t ring, const darc_mpoly *f,
                                       darc_err *err)
{
    slong *degree = darc_calloc((size_t)ring->vars, sizeof *degree);
    darc_split s = {-1, NULL};
    nmod_mpoly_t g, q;
    darc_status status = DARC_OK;
    darc_mpoly_inits(ring->ctx, g, q, NULL);
    nmod_mpoly_set(q, f, ring->ctx);
    strip_monomial(q, ring);
    strip_known(q, ring);
    slong v = best_variable(degree, q, ring);
    if (v < 0)
        goto done;
    darc_split_init(&s, q, v, ring);
    DARC_TRY(content(g, &s, ring, err));
    if (!nmod_mpoly_is_ui(g, ring->ctx)) {
        nmod_mpoly_divides(q, q, g, ring->ctx);
        DARC_TRY(darc_ring_remember_factors(ring, g, err));
    }
    if (degree[v] == 1)
        darc_ring_remember(ring, q);
    else
        DARC_TRY(remember_squarefree(ring, q, err));
done:
    darc_split_clear(&s, ring);
    darc_free(degree);
    darc_mpoly_clears(ring->ctx, g, q, NULL);
    return status;
}
