#include "identify/identify.h"

#include "base/mem.h"
#include "eliminate/transfer.h"
#include "identify/thresholds.h"

/* Return whether the functions of r have no factor that holds s in common: with
 * random numbers for the parameters, modulo a prime, they have none. */
static bool are_coprime(const darc_transfer *r)
{
    nmod_t mod;
    nmod_poly_t g, p;
    flint_rand_t rand;
    flint_randinit(rand);
    nmod_init(&mod, darc_finite_random_prime(rand));
    DARC_EACH_IN(nmod_poly_init, mod.n, g, p);
    size_t n = (size_t)r->parameters + 1;
    ulong *x = darc_calloc(2 * n, sizeof *x), *exp = x + n;
    darc_finite_random_point(x, (slong)n, mod, rand);
    x[0] = 1;
    for (int i = 0; i < r->functions; i++) {
        nmod_poly_zero(p);
        for (slong t = 0; t < r->f[i].length; t++) {
            fmpz_mpoly_get_term_exp_ui(exp, r->f + i, t, r->ctx);
            ulong c =
                nmod_mul(fmpz_fdiv_ui(r->f[i].coeffs + t, mod.n),
                         darc_finite_monomial(exp, x, (slong)n, mod), mod);
            c = nmod_add(c, nmod_poly_get_coeff_ui(p, (slong)exp[0]), mod);
            nmod_poly_set_coeff_ui(p, (slong)exp[0], c);
        }
        nmod_poly_gcd(g, g, p);
    }
    bool coprime = nmod_poly_degree(g) == 0;
    DARC_EACH(nmod_poly_clear, g, p);
    flint_randclear(rand);
    darc_free(x);
    return coprime;
}

/* Set c to the coefficients of r, which is in the same parameters. */
static void set_coeffs(darc_coeffs_t c, const darc_transfer *r)
{
    slong width = r->degree + 1, best = 0;
    ulong *exp = darc_calloc((size_t)r->parameters + 1, sizeof *exp);
    darc_coeffs_init_vector(c, r->jet->names, r->functions * width);
    for (int i = 0; i < r->functions; i++)
        for (slong t = 0; t < r->f[i].length; t++) {
            fmpz_mpoly_get_term_exp_ui(exp, r->f + i, t, r->ctx);
            fmpz_mpoly_push_term_fmpz_ui(c->b + i * width + (slong)exp[0],
                                         r->f[i].coeffs + t, exp + 1, c->ctx);
        }
    slong n = 0;
    for (slong j = 0; j < c->first[1]; j++) {
        fmpz_mpoly_sort_terms(c->b + j, c->ctx);
        if (c->b[j].length > 0)
            fmpz_mpoly_swap(c->b + n++, c->b + j, c->ctx);
    }
    while (c->first[1] > n)
        fmpz_mpoly_clear(c->b + --c->first[1], c->ctx);
    for (slong j = 0; j < n; j++)
        best = c->b[j].length < c->b[best].length ? j : best;
    fmpz_mpoly_swap(c->b, c->b + best, c->ctx);
    darc_free(exp);
}

bool darc_response_coeffs(darc_coeffs_t c, const darc_model *model,
                          const darc_budget *budget)
{
    double left = DARC_RESPONSE_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    darc_transfer r;
    if (darc_transfer_init(&r, model, NULL, &own, NULL) != DARC_OK)
        return false;
    bool suits = r.outputs > 1 && !r.constants && are_coprime(&r);
    if (suits)
        set_coeffs(c, &r);
    darc_transfer_clear(&r);
    return suits;
}
