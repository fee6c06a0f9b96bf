#include "algebra/modular.h"

#include "base/mem.h"

ulong darc_rng_next(darc_rng *rng)
{
    ulong z = rng->state += 0x9e3779b97f4a7c15UL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}

ulong darc_modular_prime(darc_rng *rng)
{
    ulong n = (1UL << 59) + (darc_rng_next(rng) >> 6);
    return n_nextprime(n, 1);
}

ulong darc_modular_random(darc_rng *rng, nmod_t mod)
{
    return darc_rng_next(rng) % mod.n;
}

ulong darc_modular_eval(const darc_dpoly_t p, const ulong *value, nmod_t mod,
                        const darc_jet_t jet)
{
    ulong *exp = darc_calloc((size_t)jet->vars, sizeof *exp);
    ulong sum = 0;
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, i, jet->ctx);
        ulong term = fmpz_fdiv_ui(p->coeffs + i, mod.n);
        for (slong v = 0; v < jet->vars; v++)
            if (exp[v] != 0)
                term = nmod_mul(term, nmod_pow_ui(value[v], exp[v], mod), mod);
        sum = nmod_add(sum, term, mod);
    }
    darc_free(exp);
    return sum;
}
