#include "model/fraction.h"

void darc_dpoly_replace(darc_dpoly_t p, slong v, const darc_fraction_t r,
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

darc_status darc_fraction_replace(darc_fraction_t f, slong v,
                                  const darc_fraction_t r, const darc_jet_t jet,
                                  darc_err *err)
{
    slong dn = darc_dpoly_degree(f->num, v, jet);
    slong dd = darc_dpoly_degree(f->den, v, jet);
    dn = dn < 0 ? 0 : dn;
    if (dn == 0 && dd == 0)
        return DARC_OK;

    darc_status status = DARC_OK;
    darc_fraction_t t;
    darc_fraction_init(t, jet);
    darc_fraction_set(t, f, jet);
    darc_dpoly_replace(t->num, v, r, jet);
    darc_dpoly_replace(t->den, v, r, jet);
    if (fmpz_mpoly_is_zero(t->den, jet->ctx)) {
        status = darc_fail(err, DARC_DOMAIN,
                           "a denominator vanishes when '%s' is substituted",
                           jet->names->symbol[jet->deriv[v].unknown].name);
        goto done;
    }
    mul_power(t->num, r->den, dd - dn, jet);
    mul_power(t->den, r->den, dn - dd, jet);
    darc_fraction_cancel(t, jet);
    darc_fraction_set(f, t, jet);
done:
    darc_fraction_clear(t, jet);
    return status;
}
