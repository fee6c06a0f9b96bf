#include "base/mem.h"
#include "modular/image.h"
#include "modular/ring.h"
#include "modular/thresholds.h"

#include <assert.h>

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

/* Divide f by the remembered factors, as often as they go. */
static void strip_known(darc_mpoly *f, darc_ring_t ring)
{
    darc_toric map;
    nmod_poly_t a, b, q;
    nmod_mpoly_t quotient;
    nmod_mpoly_init(quotient, ring->ctx);
    nmod_poly_init(a, ring->mod.n);
    nmod_poly_init(b, ring->mod.n);
    nmod_poly_init(q, ring->mod.n);
    darc_toric_init(&map, ring);
    darc_toric_image(a, f, &map, ring);
    unshift(a);
    for (slong i = 0; i < ring->count; i++) {
        darc_toric_image(b, ring->factor + i, &map, ring);
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
    darc_toric_clear(&map);
    nmod_poly_clear(a);
    nmod_poly_clear(b);
    nmod_poly_clear(q);
    nmod_mpoly_clear(quotient, ring->ctx);
}

/* Set index to 0 .. s->degree, the shortest coefficients first. */
static void sort_coeffs(slong *index, const darc_split *s)
{
    for (slong d = 0; d <= s->degree; d++) {
        slong i = d;
        for (; i > 0 && s->c[index[i - 1]].length > s->c[d].length; i--)
            index[i] = index[i - 1];
        index[i] = d;
    }
}

/* Return whether the images of the coefficients of s on a random line along w
 * are coprime: then no common factor contains w. */
static bool coprime_in(const darc_split *s, const slong *index, slong w,
                       darc_ring_t ring)
{
    darc_section line;
    nmod_poly_t a, g;
    darc_section_init(&line, -1, w, ring);
    nmod_poly_init(a, ring->mod.n);
    nmod_poly_init(g, ring->mod.n);
    for (slong i = 0; i <= s->degree && nmod_poly_length(g) != 1; i++) {
        darc_line_image(a, s->c + index[i], &line);
        nmod_poly_gcd(g, g, a);
    }
    bool coprime = nmod_poly_length(g) == 1;
    nmod_poly_clear(a);
    nmod_poly_clear(g);
    darc_section_clear(&line);
    return coprime;
}

/* Return whether the coefficients of s are seen to be coprime in images, one
 * for each variable of the shortest. */
static bool coprime_images(const darc_split *s, darc_ring_t ring)
{
    slong *index = darc_calloc((size_t)s->degree + 1, sizeof *index), i = 0;
    bool coprime = true;
    sort_coeffs(index, s);
    while (s->c[index[i]].length == 0)
        i++;
    for (slong v = 0; v < ring->vars && coprime; v++)
        if (darc_ring_degree(s->c + index[i], v, ring) > 0)
            coprime = coprime_in(s, index, v, ring);
    darc_free(index);
    return coprime;
}

/* Set g to the gcd of the coefficients of s, smallest first. */
static darc_status content(darc_mpoly *g, const darc_split *s, darc_ring_t ring,
                           darc_err *err)
{
    nmod_mpoly_zero(g, ring->ctx);
    slong *index = darc_calloc((size_t)s->degree + 1, sizeof *index);
    darc_status status = DARC_OK;
    sort_coeffs(index, s);
    for (slong i = 0; i <= s->degree && status == DARC_OK; i++) {
        if (nmod_mpoly_is_one(g, ring->ctx))
            break;
        if (!nmod_mpoly_gcd(g, g, s->c + index[i], ring->ctx))
            status =
                darc_fail(err, DARC_LIMIT, "a gcd of %ld terms is out of reach",
                          (long)s->c[index[i]].length);
        if (status == DARC_OK)
            status = darc_budget_check(ring->budget, err);
    }
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
    nmod_mpoly_init(g, ring->ctx);
    nmod_mpoly_init(q, ring->ctx);
    if (coprime_images(&s, ring))
        goto done;
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
    nmod_mpoly_clear(g, ring->ctx);
    nmod_mpoly_clear(q, ring->ctx);
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

/* Return whether a random plane image of f, primitive in v, is irreducible
 * of full degree in v: then f is irreducible. */
static bool irreducible_image(const darc_mpoly *f, slong v, slong w,
                              darc_ring_t ring)
{
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_t a;
    nmod_mpoly_factor_t factors;
    darc_section plane;
    darc_section_init(&plane, v, w, ring);
    nmod_mpoly_ctx_init(ctx, 2, ORD_LEX, ring->mod.n);
    nmod_mpoly_init(a, ctx);
    nmod_mpoly_factor_init(factors, ctx);
    darc_plane_image(a, ctx, f, &plane);
    bool irreducible =
        nmod_mpoly_degree_si(a, 0, ctx) == darc_ring_degree(f, v, ring) &&
        nmod_mpoly_factor(factors, a, ctx) && factors->num == 1 &&
        fmpz_is_one(factors->exp);
    nmod_mpoly_factor_clear(factors, ctx);
    nmod_mpoly_clear(a, ctx);
    nmod_mpoly_ctx_clear(ctx);
    darc_section_clear(&plane);
    return irreducible;
}

static bool is_irreducible(const darc_mpoly *f, slong v, const slong *degree,
                           darc_ring_t ring)
{
    if (degree[v] == 1)
        return true;
    int tries = 0;
    for (slong w = 0; w < ring->vars && tries < DARC_SELECT_PLANES; w++)
        if (w != v && degree[w] > 0) {
            tries++;
            if (irreducible_image(f, v, w, ring))
                return true;
        }
    return tries == 0 && darc_ring_degree(f, v, ring) == 1;
}

/* Factor f; keep the factor that vanishes at the point. */
static darc_status factor_out(darc_mpoly *f, darc_ring_t ring, darc_err *err)
{
    nmod_mpoly_factor_t factors;
    nmod_mpoly_factor_init(factors, ring->ctx);
    darc_status status = DARC_OK;
    if (!nmod_mpoly_factor(factors, f, ring->ctx)) {
        status =
            darc_fail(err, DARC_LIMIT, "factoring %ld terms is out of reach",
                      (long)f->length);
        goto done;
    }
    slong kept = -1;
    for (slong i = 0; i < factors->num; i++)
        if (kept < 0 && darc_ring_value(factors->poly + i, ring) == 0)
            kept = i;
        else
            darc_ring_remember(ring, factors->poly + i);
    if (kept < 0)
        status =
            darc_fail(err, DARC_INTERNAL, "no factor vanishes on the model");
    else
        nmod_mpoly_set(f, factors->poly + kept, ring->ctx);
done:
    nmod_mpoly_factor_clear(factors, ring->ctx);
    return status;
}

darc_status darc_ring_select(darc_mpoly *f, darc_ring_t ring, darc_err *err)
{
    slong *degree = darc_calloc((size_t)ring->vars, sizeof *degree);
    darc_status status = DARC_OK;
    if (nmod_mpoly_is_zero(f, ring->ctx)) {
        status = darc_fail(err, DARC_INTERNAL, "a resultant vanishes");
        goto done;
    }
    DARC_TRY(darc_budget_check(ring->budget, err));
    if (strip_monomial(f, ring))
        goto done;
    strip_known(f, ring);
    slong v = best_variable(degree, f, ring);
    if (v < 0) {
        status =
            darc_fail(err, DARC_INTERNAL, "no factor vanishes on the model");
        goto done;
    }
    DARC_TRY(strip_content(f, v, ring, err));
    v = best_variable(degree, f, ring);
    if (!is_irreducible(f, v, degree, ring))
        DARC_TRY(factor_out(f, ring, err));
    nmod_mpoly_make_monic(f, f, ring->ctx);
done:
    darc_free(degree);
    return status;
}

/* ---- factors to remember ------------------------------------------------ */

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
        status =
            darc_fail(err, DARC_LIMIT, "factoring %ld terms is out of reach",
                      (long)f->length);
    else
        for (slong i = 0; i < factors->num; i++)
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
    nmod_mpoly_init(g, ring->ctx);
    nmod_mpoly_init(q, ring->ctx);
    nmod_mpoly_set(q, f, ring->ctx);
    strip_monomial(q, ring);
    strip_known(q, ring);
    slong v = best_variable(degree, q, ring);
    if (v < 0)
        goto done;
    darc_split_init(&s, q, v, ring);
    if (!coprime_images(&s, ring)) {
        DARC_TRY(content(g, &s, ring, err));
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
    nmod_mpoly_clear(g, ring->ctx);
    nmod_mpoly_clear(q, ring->ctx);
    return status;
}
