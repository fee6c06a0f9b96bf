/* ioeq_numbers.c - sqrt(2) in io-equations as a fraction. */
#include "projection/ioeq.h"

#include <math.h>

/* The value of what stands for a number; NAN of another unknown. */
static double value_of(void *user, darc_deriv d)
{
    const darc_model *model = user;
    int i = darc_adjoined_find(model, d.unknown);
    return i < 0 ? NAN
                 : darc_expr_eval(darc_adjoined_expr(model, i), value_of, user);
}

/* Put num/den in the place of v, times a power of den. */
static void put_fraction(darc_dpoly_t p, slong v, const fmpq_t x,
                         const darc_jet_t jet)
{
    slong degree = darc_dpoly_degree(p, v, jet);
    darc_dpoly_t sum, c;
    fmpz_t factor, power;
    DARC_EACH(fmpz_init, factor, power);
    darc_dpoly_inits(jet->ctx, sum, c, NULL);
    for (slong k = 0; k <= degree; k++) {
        darc_dpoly_coeff(c, p, v, k, jet);
        fmpz_pow_ui(factor, fmpq_numref(x), (ulong)k);
        fmpz_pow_ui(power, fmpq_denref(x), (ulong)(degree - k));
        fmpz_mul(factor, factor, power);
        fmpz_mpoly_scalar_mul_fmpz(c, c, factor, jet->ctx);
        fmpz_mpoly_add(sum, sum, c, jet->ctx);
    }
    darc_dpoly_primitive(p, sum, jet);
    darc_dpoly_clears(jet->ctx, sum, c, NULL);
    DARC_EACH(fmpz_clear, factor, power);
}

static void replace_by_fraction(darc_ioeqs_t e, int u, double value)
{
    const double scale = 0x1p50;
    slong v = darc_jet_var(e->jet, (darc_deriv){u, 0});
    fmpq_t x;
    fmpq_init(x);
    if (v >= 0 && fabs(value) < scale && fabs(value) > 1 / scale) {
        int exponent;
        double mantissa = frexp(value, &exponent);
        fmpz_set_d(fmpq_numref(x), mantissa * scale);
        fmpz_one(fmpq_denref(x));
        fmpz_mul_2exp(fmpq_denref(x), fmpq_denref(x), 50);
        fmpq_canonicalise(x);
        if (exponent > 0)
            fmpq_mul_2exp(x, x, (flint_bitcnt_t)exponent);
        else
            fmpq_div_2exp(x, x, (flint_bitcnt_t)-exponent);
        for (int i = 0; i < e->count; i++) {
            darc_ioeq *eq = e->eq + i;
            if (!eq->expanded || darc_dpoly_degree(eq->poly, v, e->jet) <= 0)
                continue;
            put_fraction(eq->poly, v, x, e->jet);
            DARC_EACH_IN(darc_dpolys_clear, e->jet, eq->coeff, eq->part);
            darc_ioeq_group(eq, e->jet);
        }
    }
    fmpq_clear(x);
}

void darc_ioeqs_put_numbers(darc_ioeqs_t e, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].number)
            replace_by_fraction(e, u,
                                value_of((void *)model, (darc_deriv){u, 0}));
}
