#include "model/rational.h"

#include <assert.h>

void darc_rational_init(darc_rational_t r, const darc_jet_t jet)
{
    darc_dpoly_init(r->num, jet);
    darc_dpoly_init(r->den, jet);
    fmpz_mpoly_one(r->den, jet->ctx);
}

void darc_rational_clear(darc_rational_t r, const darc_jet_t jet)
{
    darc_dpoly_clear(r->num, jet);
    darc_dpoly_clear(r->den, jet);
}

void darc_rational_set(darc_rational_t q, const darc_rational_t r,
                       const darc_jet_t jet)
{
    fmpz_mpoly_set(q->num, r->num, jet->ctx);
    fmpz_mpoly_set(q->den, r->den, jet->ctx);
}

void darc_rational_set_var(darc_rational_t r, slong v, const darc_jet_t jet)
{
    fmpz_mpoly_gen(r->num, v, jet->ctx);
    fmpz_mpoly_one(r->den, jet->ctx);
}

static void swap(darc_rational_t q, darc_rational_t r, const darc_jet_t jet)
{
    fmpz_mpoly_swap(q->num, r->num, jet->ctx);
    fmpz_mpoly_swap(q->den, r->den, jet->ctx);
}

void darc_rational_cancel(darc_rational_t r, const darc_jet_t jet)
{
    assert(!fmpz_mpoly_is_zero(r->den, jet->ctx));
    darc_dpoly_t g;
    darc_dpoly_init(g, jet);
    /* A gcd that FLINT gives up on leaves a fraction that is right, if not
     * in lowest terms. */
    if (fmpz_mpoly_gcd(g, r->num, r->den, jet->ctx) &&
        !fmpz_mpoly_is_one(g, jet->ctx)) {
        fmpz_mpoly_divides(r->num, r->num, g, jet->ctx);
        fmpz_mpoly_divides(r->den, r->den, g, jet->ctx);
    }
    if (fmpz_sgn(r->den->coeffs) < 0) {
        fmpz_mpoly_neg(r->num, r->num, jet->ctx);
        fmpz_mpoly_neg(r->den, r->den, jet->ctx);
    }
    darc_dpoly_clear(g, jet);
}

void darc_dpoly_substitute(darc_dpoly_t p, slong v, const darc_rational_t r,
                           const darc_jet_t jet)
{
    slong d = darc_dpoly_degree(p, v, jet);
    if (d <= 0)
        return;
    darc_dpoly_t sum, c, power;
    darc_dpoly_init(sum, jet);
    darc_dpoly_init(c, jet);
    darc_dpoly_init(power, jet);
    fmpz_mpoly_one(power, jet->ctx);
    darc_dpoly_coeff(sum, p, v, d, jet);
    for (slong k = d - 1; k >= 0; k--) { /* power = den^(d-k) */
        fmpz_mpoly_mul(power, power, r->den, jet->ctx);
        fmpz_mpoly_mul(sum, sum, r->num, jet->ctx);
        darc_dpoly_coeff(c, p, v, k, jet);
        fmpz_mpoly_mul(c, c, power, jet->ctx);
        fmpz_mpoly_add(sum, sum, c, jet->ctx);
    }
    fmpz_mpoly_swap(p, sum, jet->ctx);
    darc_dpoly_clear(sum, jet);
    darc_dpoly_clear(c, jet);
    darc_dpoly_clear(power, jet);
}

/* Multiply p by a^n, n >= 0. */
static void mul_power(darc_dpoly_t p, const darc_dpoly_t a, slong n,
                      const darc_jet_t jet)
{
    for (; n > 0; n--)
        fmpz_mpoly_mul(p, p, a, jet->ctx);
}

darc_status darc_rational_substitute(darc_rational_t q, slong v,
                                     const darc_rational_t r,
                                     const darc_jet_t jet, darc_err *err)
{
    slong dn = darc_dpoly_degree(q->num, v, jet);
    slong dd = darc_dpoly_degree(q->den, v, jet);
    dn = dn < 0 ? 0 : dn;
    if (dn == 0 && dd == 0)
        return DARC_OK;

    darc_status status = DARC_OK;
    darc_rational_t t;
    darc_rational_init(t, jet);
    darc_rational_set(t, q, jet);
    darc_dpoly_substitute(t->num, v, r, jet);
    darc_dpoly_substitute(t->den, v, r, jet);
    if (fmpz_mpoly_is_zero(t->den, jet->ctx)) {
        status = darc_fail(err, DARC_DOMAIN,
                           "a denominator vanishes when '%s' is substituted",
                           jet->names->symbol[jet->deriv[v].unknown].name);
        goto done;
    }
    mul_power(t->num, r->den, dd - dn, jet);
    mul_power(t->den, r->den, dn - dd, jet);
    darc_rational_cancel(t, jet);
    swap(q, t, jet);
done:
    darc_rational_clear(t, jet);
    return status;
}

darc_status darc_rational_diff(darc_rational_t q, const darc_rational_t r,
                               const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_rational_t t;
    darc_dpoly_t dd;
    darc_rational_init(t, jet);
    darc_dpoly_init(dd, jet);
    DARC_TRY(darc_dpoly_diff(t->num, r->num, jet, err));
    DARC_TRY(darc_dpoly_diff(dd, r->den, jet, err));
    fmpz_mpoly_mul(t->num, t->num, r->den, jet->ctx);
    fmpz_mpoly_mul(dd, dd, r->num, jet->ctx);
    fmpz_mpoly_sub(t->num, t->num, dd, jet->ctx);
    fmpz_mpoly_mul(t->den, r->den, r->den, jet->ctx);
    darc_rational_cancel(t, jet);
    swap(q, t, jet);
done:
    darc_rational_clear(t, jet);
    darc_dpoly_clear(dd, jet);
    return status;
}
