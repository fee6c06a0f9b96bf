#include "algebra/finite.h"

#include "base/mem.h"

#include <string.h>

#define GOLDEN 0x9e3779b97f4a7c15UL

ulong darc_finite_mix(ulong h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9UL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebUL;
    return h ^ (h >> 31);
}

ulong darc_finite_hash(const ulong *e, slong n)
{
    ulong h = GOLDEN;
    for (slong v = 0; v < n; v++)
        if (e[v] != 0)
            h = darc_finite_mix(h + e[v] * GOLDEN +
                                darc_finite_mix((ulong)v + 1));
    return h;
}

ulong darc_finite_functional(ulong h, slong i, nmod_t mod)
{
    return darc_finite_mix(h + (ulong)(i + 1) * 0xd1342543de82ef95UL) % mod.n;
}

ulong darc_rng_next(darc_rng *rng)
{
    return darc_finite_mix(rng->state += GOLDEN);
}

ulong darc_rng_prime(darc_rng *rng)
{
    ulong n = (1UL << 59) + (darc_rng_next(rng) >> 6);
    return n_nextprime(n, 1);
}

ulong darc_rng_residue(darc_rng *rng, nmod_t mod)
{
    return darc_rng_next(rng) % mod.n;
}

ulong darc_finite_prime(int i)
{
    ulong p = UWORD(1) << 62;
    for (int j = 0; j <= i; j++)
        do
            p--;
        while (!n_is_prime(p));
    return p;
}

ulong darc_finite_random_prime(flint_rand_t state)
{
    ulong n = (UWORD(1) << 60) + n_randbits(state, 59);
    return n_nextprime(n, 0);
}

void darc_finite_random_point(ulong *x, slong n, nmod_t mod, flint_rand_t state)
{
    for (slong i = 0; i < n; i++)
        x[i] = 1 + n_randint(state, mod.n - 1);
}

/* Most powers are the first. */
static ulong power(ulong x, ulong e, nmod_t mod)
{
    return e == 1 ? x : nmod_pow_ui(x, e, mod);
}

ulong darc_finite_monomial(const ulong *e, const ulong *x, slong n, nmod_t mod)
{
    ulong a = 1;
    for (slong v = 0; v < n; v++)
        if (e[v] != 0)
            a = nmod_mul(a, power(x[v], e[v], mod), mod);
    return a;
}

ulong darc_finite_eval(const fmpz_mpoly_t p, const ulong *x, nmod_t mod,
                       const fmpz_mpoly_ctx_t ctx)
{
    slong n = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = darc_calloc((size_t)n, sizeof *e), sum = 0;
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, p, t, ctx);
        ulong c = fmpz_fdiv_ui(p->coeffs + t, mod.n);
        ulong m = darc_finite_monomial(e, x, n, mod);
        sum = nmod_add(sum, c == 1 ? m : nmod_mul(c, m, mod), mod);
    }
    darc_free(e);
    return sum;
}

/* The derivative of x^e by x_v is e_v x^e/x_v; where x_v = 0, terms with x_v
 * alone to the power 1 count, divided by it. */
ulong darc_finite_gradient(ulong *by, const fmpz_mpoly_t p, const ulong *x,
                           nmod_t mod, const fmpz_mpoly_ctx_t ctx)
{
    slong n = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = darc_calloc((size_t)n, sizeof *e), sum = 0;
    memset(by, 0, (size_t)n * sizeof *by);
    for (slong t = 0; t < p->length; t++) {
        slong zero = -1, zeros = 0;
        ulong value = fmpz_fdiv_ui(p->coeffs + t, mod.n);
        fmpz_mpoly_get_term_exp_ui(e, p, t, ctx);
        for (slong v = 0; v < n && zeros < 2; v++)
            if (e[v] != 0 && x[v] == 0) {
                zero = v;
                zeros += e[v] == 1 ? 1 : 2;
            } else if (e[v] != 0) {
                value = nmod_mul(value, power(x[v], e[v], mod), mod);
            }
        if (zeros == 1)
            by[zero] = nmod_add(by[zero], value, mod);
        if (zeros > 0)
            continue;
        sum = nmod_add(sum, value, mod);
        for (slong v = 0; v < n; v++)
            if (e[v] == 1)
                by[v] = nmod_add(by[v], value, mod);
            else if (e[v] != 0)
                by[v] = nmod_addmul(by[v], e[v] % mod.n, value, mod);
    }
    for (slong v = 0; v < n; v++)
        if (by[v] != 0 && x[v] != 0)
            by[v] = nmod_div(by[v], x[v], mod);
    darc_free(e);
    return sum;
}

void darc_finite_image(nmod_mpoly_t q, const nmod_mpoly_ctx_t to,
                       const slong *target, const ulong *x,
                       const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    slong n = fmpz_mpoly_ctx_nvars(ctx);
    size_t size = (size_t)nmod_mpoly_ctx_nvars(to) * sizeof(ulong);
    ulong *e = darc_calloc((size_t)n, sizeof *e), *f = darc_malloc(size);
    nmod_t mod = to->mod;
    nmod_mpoly_zero(q, to);
    for (slong t = 0; t < p->length; t++) {
        ulong c = fmpz_fdiv_ui(p->coeffs + t, mod.n);
        fmpz_mpoly_get_term_exp_ui(e, p, t, ctx);
        memset(f, 0, size);
        for (slong v = 0; v < n; v++) {
            slong w = target == NULL ? v : target[v];
            if (e[v] != 0 && w >= 0)
                f[w] += e[v];
            else if (e[v] != 0)
                c = nmod_mul(c, nmod_pow_ui(x[v], e[v], mod), mod);
        }
        if (c != 0)
            nmod_mpoly_push_term_ui_ui(q, c, f, to);
    }
    if (target != NULL || to->minfo->ord != ctx->minfo->ord) {
        nmod_mpoly_sort_terms(q, to);
        nmod_mpoly_combine_like_terms(q, to);
    }
    DARC_FREE(e, f);
}
