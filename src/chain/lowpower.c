#include "chain/lowpower.h"

#include <assert.h>
#include <limits.h>

/* Degrees of the terms met so far; LONG_MAX: none. */
typedef struct {
    const darc_dpoly_struct *a;
    const darc_jet_struct *jet;
    const darc_budget *budget;
    long pure;  /* least degree of a power of A alone */
    long mixed; /* least degree of a term with proper derivatives */
} expansion;

/* c is the coefficient of a product of `degree` proper derivatives of A: its
 * lowest term has that degree plus the multiplicity of A in c. */
static void record(expansion *x, const darc_dpoly_t c, long degree)
{
    darc_dpoly_t q;
    darc_dpoly_init(q, x->jet);
    fmpz_mpoly_set(q, c, x->jet->ctx);
    long power = degree;
    while (fmpz_mpoly_divides(q, q, x->a, x->jet->ctx))
        power++;
    long *least = degree == 0 ? &x->pure : &x->mixed;
    if (power < *least)
        *least = power;
    darc_dpoly_clear(q, x->jet);
}

/* z = s*v + t. */
typedef struct {
    slong v;
    darc_dpoly_t s, t;
} leading;

/* Set e to the coefficient of z^j in s^d * p(v = (z - t)/s), d = deg_v p. */
static void substitute(darc_dpoly_t e, const darc_dpoly_t p, slong j,
                       const leading *z, const darc_jet_t jet)
{
    slong v = z->v;
    slong d = darc_dpoly_degree(p, v, jet);
    darc_dpoly_t c, power;
    darc_dpoly_init(c, jet);
    darc_dpoly_init(power, jet);
    fmpz_t binomial;
    fmpz_init(binomial);
    fmpz_mpoly_zero(e, jet->ctx);
    for (slong i = j; i <= d; i++) {
        darc_dpoly_coeff(c, p, v, i, jet);
        fmpz_mpoly_pow_ui(power, z->s, (ulong)(d - i), jet->ctx);
        fmpz_mpoly_mul(c, c, power, jet->ctx);
        fmpz_mpoly_pow_ui(power, z->t, (ulong)(i - j), jet->ctx);
        fmpz_mpoly_mul(c, c, power, jet->ctx);
        fmpz_bin_uiui(binomial, (ulong)i, (ulong)j);
        if ((i - j) % 2 != 0)
            fmpz_neg(binomial, binomial);
        fmpz_mpoly_scalar_mul_fmpz(c, c, binomial, jet->ctx);
        fmpz_mpoly_add(e, e, c, jet->ctx);
    }
    fmpz_clear(binomial);
    darc_dpoly_clear(c, jet);
    darc_dpoly_clear(power, jet);
}

/* Expand p, a coefficient of a product of `degree` derivatives of order over
 * k, in the derivatives of A of orders k, ..., 1. */
static darc_status expand(expansion *x, const darc_dpoly_t p, int k,
                          long degree, darc_err *err)
{
    const darc_jet_struct *jet = x->jet;
    if (fmpz_mpoly_is_zero(p, jet->ctx))
        return DARC_OK;
    if (k == 0) {
        record(x, p, degree);
        return DARC_OK;
    }
    darc_status status;
    leading z;
    darc_dpoly_t g;
    darc_dpoly_init(g, jet);
    darc_dpoly_init(z.s, jet);
    darc_dpoly_init(z.t, jet);
    DARC_TRY(darc_budget_check(x->budget, err));
    DARC_TRY(darc_dpoly_diff_n(g, x->a, k, jet, err));
    z.v = darc_dpoly_leader(g, jet);
    darc_dpoly_coeff(z.s, g, z.v, 1, jet);
    darc_dpoly_coeff(z.t, g, z.v, 0, jet);
    for (slong j = darc_dpoly_degree(p, z.v, jet); j >= 0; j--) {
        substitute(g, p, j, &z, jet);
        DARC_TRY(expand(x, g, k - 1, degree + j, err));
    }
done:
    darc_dpoly_clear(g, jet);
    darc_dpoly_clear(z.s, jet);
    darc_dpoly_clear(z.t, jet);
    return status;
}

darc_status darc_lowpower(bool *essential, const darc_dpoly_t f,
                          const darc_dpoly_t a, const darc_jet_t jet,
                          const darc_budget *budget, darc_err *err)
{
    darc_deriv df = jet->deriv[darc_dpoly_leader(f, jet)];
    darc_deriv da = jet->deriv[darc_dpoly_leader(a, jet)];
    assert(df.unknown == da.unknown && df.order >= da.order);
    expansion x = {a, jet, budget, LONG_MAX, LONG_MAX};
    darc_status status = expand(&x, f, df.order - da.order, 0, err);
    if (status == DARC_OK)
        *essential = x.pure < x.mixed;
    return status;
}
