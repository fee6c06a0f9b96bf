#include "identify/ratios.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void darc_ratios_init(darc_ratios_t f, const fmpz_mpoly_ctx_struct *ctx)
{
    memset(f, 0, sizeof *f);
    f->ctx = ctx;
}

void darc_ratios_clear(darc_ratios_t f)
{
    for (slong k = 0; k < f->count; k++) {
        fmpz_mpoly_clear(f->num + k, f->ctx);
        fmpz_mpoly_clear(f->den + k, f->ctx);
    }
    darc_free(f->num);
    darc_free(f->den);
    memset(f, 0, sizeof *f);
}

bool darc_ratios_have_divisors(const darc_ratios_t f)
{
    for (slong k = 0; k < f->count; k++)
        if (!fmpz_mpoly_is_fmpz(f->den + k, f->ctx))
            return true;
    return false;
}

/* Make the leading coefficients positive and divide by the gcd. */
static void normalize(fmpz_mpoly_t num, fmpz_mpoly_t den,
                      const fmpz_mpoly_ctx_struct *ctx)
{
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ctx);
    if (fmpz_mpoly_gcd(g, num, den, ctx)) {
        fmpz_mpoly_divides(num, num, g, ctx);
        fmpz_mpoly_divides(den, den, g, ctx);
    }
    fmpz_mpoly_clear(g, ctx);
    if (fmpz_sgn(num->coeffs) < 0)
        fmpz_mpoly_neg(num, num, ctx);
    if (fmpz_sgn(den->coeffs) < 0)
        fmpz_mpoly_neg(den, den, ctx);
    fmpz_t c;
    fmpz_init(c);
    _fmpz_vec_content(c, num->coeffs, num->length);
    fmpz_mpoly_scalar_divexact_fmpz(num, num, c, ctx);
    _fmpz_vec_content(c, den->coeffs, den->length);
    fmpz_mpoly_scalar_divexact_fmpz(den, den, c, ctx);
    fmpz_clear(c);
}

static bool is_there(const darc_ratios_t f, const fmpz_mpoly_t num,
                     const fmpz_mpoly_t den)
{
    for (slong k = 0; k < f->count; k++)
        if ((fmpz_mpoly_equal(f->num + k, num, f->ctx) &&
             fmpz_mpoly_equal(f->den + k, den, f->ctx)) ||
            (fmpz_mpoly_equal(f->num + k, den, f->ctx) &&
             fmpz_mpoly_equal(f->den + k, num, f->ctx)))
            return true;
    return false;
}

bool darc_ratios_hold(const darc_ratios_t f, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den)
{
    fmpz_mpoly_t n, d;
    if (fmpz_mpoly_is_zero(num, f->ctx))
        return true;
    fmpz_mpoly_init(n, f->ctx);
    fmpz_mpoly_init(d, f->ctx);
    fmpz_mpoly_set(n, num, f->ctx);
    fmpz_mpoly_set(d, den, f->ctx);
    normalize(n, d, f->ctx);
    bool there = is_there(f, n, d);
    fmpz_mpoly_clear(n, f->ctx);
    fmpz_mpoly_clear(d, f->ctx);
    return there;
}

bool darc_ratios_append(darc_ratios_t f, const fmpz_mpoly_t num,
                        const fmpz_mpoly_t den)
{
    assert(!fmpz_mpoly_is_zero(num, f->ctx));
    assert(!fmpz_mpoly_is_zero(den, f->ctx));
    fmpz_mpoly_t n, d;
    fmpz_mpoly_init(n, f->ctx);
    fmpz_mpoly_init(d, f->ctx);
    fmpz_mpoly_set(n, num, f->ctx);
    fmpz_mpoly_set(d, den, f->ctx);
    normalize(n, d, f->ctx);
    bool number =
        fmpz_mpoly_is_fmpz(n, f->ctx) && fmpz_mpoly_is_fmpz(d, f->ctx);
    bool new = !number && !is_there(f, n, d);
    if (new) {
        size_t k = (size_t)f->count++;
        f->num = darc_grow(f->num, k, &f->alloc, sizeof *f->num);
        f->den = darc_grow(f->den, k, &f->den_alloc, sizeof *f->den);
        fmpz_mpoly_init(f->num + k, f->ctx);
        fmpz_mpoly_init(f->den + k, f->ctx);
        fmpz_mpoly_swap(f->num + k, n, f->ctx);
        fmpz_mpoly_swap(f->den + k, d, f->ctx);
    }
    fmpz_mpoly_clear(n, f->ctx);
    fmpz_mpoly_clear(d, f->ctx);
    return new;
}

static void swap_entries(darc_ratios_t f, slong i, slong j)
{
    fmpz_mpoly_swap(f->num + i, f->num + j, f->ctx);
    fmpz_mpoly_swap(f->den + i, f->den + j, f->ctx);
}

void darc_ratios_remove(darc_ratios_t f, slong k)
{
    for (; k + 1 < f->count; k++)
        swap_entries(f, k, k + 1);
    f->count--;
    fmpz_mpoly_clear(f->num + f->count, f->ctx);
    fmpz_mpoly_clear(f->den + f->count, f->ctx);
}

static slong weight(const darc_ratios_t f, slong k)
{
    slong degree = fmpz_mpoly_total_degree_si(f->num + k, f->ctx) +
                   fmpz_mpoly_total_degree_si(f->den + k, f->ctx);
    return f->num[k].length + f->den[k].length + 2 * degree;
}

/* Return whether entry i comes before entry j: lighter, or of parameters
 * declared earlier. */
static bool is_before(const darc_ratios_t f, slong i, slong j)
{
    slong a = weight(f, i), b = weight(f, j);
    return a < b ||
           (a == b && fmpz_mpoly_cmp(f->num + i, f->num + j, f->ctx) > 0);
}

void darc_ratios_sort(darc_ratios_t f, slong k)
{
    for (slong i = k + 1; i < f->count; i++)
        for (slong j = i; j > k && is_before(f, j, j - 1); j--)
            swap_entries(f, j, j - 1);
}

/* Set row k of m to the gradient of num/den, times den^2; by has a place for
 * each variable. */
static void gradient(nmod_mat_t m, slong k, const darc_ratios_t f,
                     const ulong *x, ulong *by)
{
    nmod_t mod = m->mod;
    ulong *row = nmod_mat_entry_ptr(m, k, 0);
    ulong num = darc_finite_gradient(row, f->num + k, x, mod, f->ctx);
    ulong den = darc_finite_gradient(by, f->den + k, x, mod, f->ctx);
    _nmod_vec_scalar_mul_nmod(row, row, m->c, den, mod);
    _nmod_vec_scalar_addmul_nmod(row, by, m->c, nmod_neg(num, mod), mod);
}

/* Set m to the gradients of all, at a random point that is that of the seed. */
static void gradients(nmod_mat_t m, const darc_ratios_t f, ulong seed)
{
    flint_rand_t state;
    flint_randinit(state);
    for (ulong i = 0; i < seed; i++)
        n_randlimb(state);
    slong vars = fmpz_mpoly_ctx_nvars(f->ctx);
    nmod_mat_init(m, f->count, vars, darc_finite_random_prime(state));
    ulong *x = darc_calloc((size_t)(2 * vars), sizeof *x);
    darc_finite_random_point(x, vars, m->mod, state);
    for (slong k = 0; k < f->count; k++)
        gradient(m, k, f, x, x + vars);
    darc_free(x);
    flint_randclear(state);
}

slong darc_ratios_rank(const darc_ratios_t f, ulong seed)
{
    nmod_mat_t m;
    gradients(m, f, seed);
    slong rank = nmod_mat_rank(m);
    nmod_mat_clear(m);
    return rank;
}

void darc_ratios_independent(bool *marked, const darc_ratios_t f)
{
    slong vars = fmpz_mpoly_ctx_nvars(f->ctx);
    nmod_mat_t m, all;
    gradients(m, f, 3);
    slong rank = nmod_mat_rref(m);
    for (slong v = 0; v < vars; v++) {
        nmod_mat_init(all, rank + 1, vars, m->mod.n);
        for (slong i = 0; i < rank; i++)
            _nmod_vec_set(nmod_mat_entry_ptr(all, i, 0),
                          nmod_mat_entry_ptr(m, i, 0), vars);
        nmod_mat_entry(all, rank, v) = 1;
        marked[v] = nmod_mat_rref(all) > rank;
        if (marked[v]) {
            rank++;
            nmod_mat_swap(m, all);
        }
        nmod_mat_clear(all);
    }
    nmod_mat_clear(m);
}
