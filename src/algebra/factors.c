#include "algebra/factors.h"

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
    if (linear)
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
