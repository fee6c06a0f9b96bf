#include "algebra/factors.h"
#include "base/mem.h"
#include "modular/ring.h"
#include "modular/thresholds.h"

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

/* Set g to the gcd of the coefficients of s. */
static darc_status content(darc_mpoly *g, const darc_split *s, darc_ring_t ring,
                           darc_err *err)
{
    slong n = s->degree + 1;
    const darc_mpoly **list = darc_calloc((size_t)n, sizeof(void *));
    for (slong d = 0; d < n; d++)
        list[d] = s->c + d;
    darc_status status = darc_ring_gcd(g, list, n, ring, err);
    darc_free(list);
    return status;
}

/* Split f into content and primitive part with respect to v; keep the one
 * that vanishes at the point. */
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
        DARC_TRY(darc_ring_factor(f, ring, err));
        goto done;
    }
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
    nmod_mpoly_t a;
    bool *kept = darc_calloc((size_t)ring->vars, sizeof *kept);
    nmod_mpoly_init(a, ring->ctx);
    kept[v] = kept[w] = true;
    darc_ring_image(a, f, kept, ring);
    bool irreducible =
        darc_ring_degree(a, v, ring) == darc_ring_degree(f, v, ring) &&
        darc_is_one_factor(a, v, ring->ctx);
    nmod_mpoly_clear(a, ring->ctx);
    darc_free(kept);
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

static darc_status fail_to_vanish(darc_err *err)
{
    return darc_fail(err, DARC_INTERNAL, "no factor vanishes on the model");
}

/* Factor f, which is monic; keep the factor that vanishes at the point. */
static darc_status factor_out(darc_mpoly *f, darc_ring_t ring, darc_err *err)
{
    nmod_mpoly_t root;
    nmod_mpoly_factor_t factors;
    nmod_mpoly_init(root, ring->ctx);
    nmod_mpoly_factor_init(factors, ring->ctx);
    darc_status status = DARC_OK;
    slong kept = -1;
    /* where what is eliminated enters squared alone, so is the resultant */
    if (nmod_mpoly_sqrt(root, f, ring->ctx)) {
        nmod_mpoly_swap(f, root, ring->ctx);
        DARC_TRY(darc_ring_factor(f, ring, err));
        goto done;
    }
    if (!nmod_mpoly_factor(factors, f, ring->ctx))
        DARC_TRY(darc_fail(err, DARC_LIMIT,
                           "factoring %ld terms is out of reach",
                           (long)f->length));
    for (slong i = 0; i < factors->num; i++)
        if (kept < 0 && darc_ring_value(factors->poly + i, ring) == 0)
            kept = i;
    if (kept < 0)
        DARC_TRY(fail_to_vanish(err));
    nmod_mpoly_make_monic(f, factors->poly + kept, ring->ctx);
done:
    nmod_mpoly_factor_clear(factors, ring->ctx);
    nmod_mpoly_clear(root, ring->ctx);
    return status;
}

darc_status darc_ring_factor(darc_mpoly *f, darc_ring_t ring, darc_err *err)
{
    slong *degree = darc_calloc((size_t)ring->vars, sizeof *degree);
    darc_status status = DARC_OK;
    if (nmod_mpoly_is_zero(f, ring->ctx))
        DARC_TRY(darc_fail(err, DARC_INTERNAL, "a resultant vanishes"));
    DARC_TRY(darc_budget_check(ring->budget, err));
    if (strip_monomial(f, ring))
        goto done;
    slong v = best_variable(degree, f, ring);
    if (v < 0)
        DARC_TRY(fail_to_vanish(err));
    DARC_TRY(strip_content(f, v, ring, err));
    v = best_variable(degree, f, ring);
    nmod_mpoly_make_monic(f, f, ring->ctx);
    if (!is_irreducible(f, v, degree, ring))
        DARC_TRY(factor_out(f, ring, err));
done:
    darc_free(degree);
    return status;
}
