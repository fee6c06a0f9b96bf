#include "algebra/factors.h"

#include "algebra/finite.h"
#include "algebra/thresholds.h"
#include "base/mem.h"

#include <assert.h>

static void append_new(darc_dpolys_t out, const darc_dpoly_t p,
                       const darc_jet_t jet)
{
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    darc_dpoly_primitive(q, p, jet);
    if (!fmpz_mpoly_is_fmpz(q, jet->ctx) && !darc_dpolys_contains(out, q, jet))
        darc_dpolys_append_take(out, q, jet);
    darc_dpoly_clear(q, jet);
}

/* Return the variable of least degree in p, which is no number. */
static slong best_variable(const darc_dpoly_t p, const darc_jet_t jet)
{
    slong *degree = darc_calloc((size_t)jet->vars, sizeof *degree);
    fmpz_mpoly_degrees_si(degree, p, jet->ctx);
    slong best = -1;
    for (slong v = 0; v < jet->vars; v++)
        if (degree[v] > 0 && (best < 0 || degree[v] < degree[best]))
            best = v;
    darc_free(degree);
    return best;
}

bool darc_is_one_factor(const nmod_mpoly_t f, slong v,
                        const nmod_mpoly_ctx_t ctx)
{
    slong with = 0;
    nmod_mpoly_factor_t factors;
    nmod_mpoly_factor_init(factors, ctx);
    bool known = nmod_mpoly_factor(factors, f, ctx);
    for (slong i = 0; known && i < factors->num; i++)
        if (nmod_mpoly_degree_si(factors->poly + i, v, ctx) > 0)
            with += fmpz_get_si(factors->exp + i);
    nmod_mpoly_factor_clear(factors, ctx);
    return with == 1;
}

/* Return whether the image of p, primitive in v, on a random plane of x_v and
 * x_w modulo the i-th prime is of full degree in v and one factor: then so is
 * p, since every factor has x_v and keeps its degree there. */
static bool is_one_on_plane(const darc_dpoly_t p, slong v, slong w, int i,
                            const darc_jet_t jet)
{
    nmod_t mod;
    nmod_mpoly_t image;
    nmod_mpoly_ctx_t plane;
    darc_rng rng = {(ulong)i};
    slong *target = darc_calloc((size_t)jet->vars, sizeof *target);
    ulong *x = darc_calloc((size_t)jet->vars, sizeof *x);
    nmod_init(&mod, darc_finite_prime(i));
    nmod_mpoly_ctx_init(plane, 2, ORD_LEX, mod.n);
    nmod_mpoly_init(image, plane);
    for (slong k = 0; k < jet->vars; k++) {
        target[k] = k == v ? 0 : k == w ? 1 : -1;
        x[k] = darc_rng_residue(&rng, mod);
    }
    darc_finite_image(image, plane, target, x, p, jet->ctx);
    bool one =
        nmod_mpoly_degree_si(image, 0, plane) == darc_dpoly_degree(p, v, jet) &&
        darc_is_one_factor(image, 0, plane);
    nmod_mpoly_clear(image, plane);
    nmod_mpoly_ctx_clear(plane);
    DARC_FREE(target, x);
    return one;
}

/* Return whether planes show that p, primitive in v, is irreducible. */
static bool is_seen_irreducible(const darc_dpoly_t p, slong v,
                                const darc_jet_t jet)
{
    int tried = 0;
    bool seen = false;
    for (slong w = 0; w < jet->vars && tried < DARC_FACTOR_PLANES && !seen; w++)
        if (w != v && darc_dpoly_degree(p, w, jet) > 0)
            seen = is_one_on_plane(p, v, w, tried++, jet);
    return seen;
}

static void factor_completely(darc_dpolys_t out, const darc_dpoly_t p,
                              const darc_jet_t jet)
{
    fmpz_mpoly_factor_t fac;
    fmpz_mpoly_factor_init(fac, jet->ctx);
    if (fmpz_mpoly_factor(fac, p, jet->ctx) ||
        fmpz_mpoly_factor_squarefree(fac, p, jet->ctx)) {
        for (slong i = 0; i < fac->num; i++)
            append_new(out, fac->poly + i, jet);
    } else {
        append_new(out, p, jet);
    }
    fmpz_mpoly_factor_clear(fac, jet->ctx);
}

void darc_factors(darc_dpolys_t out, const darc_dpoly_t p, const darc_jet_t jet)
{
    assert(!fmpz_mpoly_is_zero(p, jet->ctx));
    darc_dpoly_t q, c;
    darc_dpoly_inits(jet->ctx, q, c, NULL);
    fmpz_mpoly_set(q, p, jet->ctx);
    if (fmpz_mpoly_is_fmpz(q, jet->ctx))
        goto done;
    slong v = best_variable(q, jet);
    bool linear = darc_dpoly_degree(q, v, jet) == 1;
    if (!darc_content(c, q, v, jet)) {
        factor_completely(out, q, jet);
        goto done;
    }
    int exact = fmpz_mpoly_divides(q, q, c, jet->ctx);
    assert(exact);
    (void)exact;
    if (linear || is_seen_irreducible(q, v, jet))
        append_new(out, q, jet);
    else
        factor_completely(out, q, jet);
    if (!fmpz_mpoly_is_fmpz(c, jet->ctx))
        darc_factors(out, c, jet);
done:
    darc_dpoly_clears(jet->ctx, q, c, NULL);
}

bool darc_content(darc_dpoly_t c, const darc_dpoly_t p, slong v,
                  const darc_jet_t jet)
{
    darc_dpoly_t a, sum;
    darc_dpoly_inits(jet->ctx, a, sum, NULL);
    slong degree = darc_dpoly_degree(p, v, jet);
    assert(degree >= 0);
    bool known = true;
    for (slong e = degree; e >= 0; e--) {
        darc_dpoly_coeff(a, p, v, e, jet);
        known = known && fmpz_mpoly_gcd(sum, sum, a, jet->ctx);
        if (!known || fmpz_mpoly_is_one(sum, jet->ctx))
            break;
    }
    if (known)
        fmpz_mpoly_swap(c, sum, jet->ctx);
    else
        fmpz_mpoly_one(c, jet->ctx);
    darc_dpoly_clears(jet->ctx, a, sum, NULL);
    return known;
}

void darc_cancel_factors(darc_dpoly_t p, darc_dpoly_struct *c,
                         const darc_dpolys_t known, const darc_jet_t jet)
{
    assert(!fmpz_mpoly_is_zero(p, jet->ctx));
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    for (slong i = 0; i < known->count; i++)
        while (fmpz_mpoly_divides(q, p, known->p + i, jet->ctx)) {
            fmpz_mpoly_swap(p, q, jet->ctx);
            if (c != NULL)
                fmpz_mpoly_mul(c, c, known->p + i, jet->ctx);
        }
    darc_dpoly_primitive(q, p, jet);
    if (c != NULL) {
        fmpz_mpoly_divides(p, p, q, jet->ctx);
        fmpz_mpoly_mul(c, c, p, jet->ctx);
    }
    fmpz_mpoly_swap(p, q, jet->ctx);
    darc_dpoly_clear(q, jet);
}
