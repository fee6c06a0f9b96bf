#include "algebra/ratios.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_ratios_init(darc_ratios_t f, const fmpz_mpoly_ctx_struct *ctx)
{
    memset(f, 0, sizeof *f);
    f->ctx = ctx;
}

void darc_ratios_clear(darc_ratios_t f)
{
    for (slong k = 0; k < f->count; k++)
        darc_dpoly_clears(f->ctx, f->num + k, f->den + k, NULL);
    DARC_FREE(f->num, f->den);
    memset(f, 0, sizeof *f);
}

/* Set n and d (initialised by the call) to num and den in lowest terms. */
static void init_lowest(fmpz_mpoly_t n, fmpz_mpoly_t d, const fmpz_mpoly_t num,
                        const fmpz_mpoly_t den,
                        const fmpz_mpoly_ctx_struct *ctx)
{
    fmpz_mpoly_t g;
    darc_dpoly_inits(ctx, g, n, d, NULL);
    if (!fmpz_mpoly_gcd_cofactors(g, n, d, num, den, ctx)) {
        fmpz_mpoly_set(n, num, ctx);
        fmpz_mpoly_set(d, den, ctx);
    }
    fmpz_mpoly_clear(g, ctx);
    darc_dpoly_cut_content(n, n, ctx);
    darc_dpoly_cut_content(d, d, ctx);
}

static bool is_ratio_there(const darc_ratios_t f, const fmpz_mpoly_t n,
                           const fmpz_mpoly_t d)
{
    for (slong k = 0; k < f->count; k++)
        if ((fmpz_mpoly_equal(f->num + k, n, f->ctx) &&
             fmpz_mpoly_equal(f->den + k, d, f->ctx)) ||
            (fmpz_mpoly_equal(f->num + k, d, f->ctx) &&
             fmpz_mpoly_equal(f->den + k, n, f->ctx)))
            return true;
    return false;
}

bool darc_ratios_hold(const darc_ratios_t f, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den)
{
    fmpz_mpoly_t n, d;
    if (fmpz_mpoly_is_zero(num, f->ctx))
        return true;
    init_lowest(n, d, num, den, f->ctx);
    bool there = is_ratio_there(f, n, d);
    darc_dpoly_clears(f->ctx, n, d, NULL);
    return there;
}

bool darc_ratios_append(darc_ratios_t f, const fmpz_mpoly_t num,
                        const fmpz_mpoly_t den)
{
    assert(!fmpz_mpoly_is_zero(num, f->ctx));
    assert(!fmpz_mpoly_is_zero(den, f->ctx));
    fmpz_mpoly_t n, d;
    init_lowest(n, d, num, den, f->ctx);
    bool number =
        fmpz_mpoly_is_fmpz(n, f->ctx) && fmpz_mpoly_is_fmpz(d, f->ctx);
    bool new = !number && !is_ratio_there(f, n, d);
    if (new) {
        size_t k = (size_t)f->count++;
        DARC_ROOM(f->num, k);
        DARC_ROOM(f->den, k);
        f->num[k] = n[0];
        f->den[k] = d[0];
    } else {
        darc_dpoly_clears(f->ctx, n, d, NULL);
    }
    return new;
}

bool darc_ratios_append_variable(darc_ratios_t f, slong v)
{
    fmpz_mpoly_t x, one;
    darc_dpoly_inits(f->ctx, x, one, NULL);
    fmpz_mpoly_gen(x, v, f->ctx);
    fmpz_mpoly_one(one, f->ctx);
    bool new = darc_ratios_append(f, x, one);
    darc_dpoly_clears(f->ctx, x, one, NULL);
    return new;
}

void darc_ratios_append_all(darc_ratios_t f, const darc_ratios_t from)
{
    for (slong k = 0; k < from->count; k++)
        darc_ratios_append(f, from->num + k, from->den + k);
}

void darc_ratios_swap(darc_ratios_t f, darc_ratios_t g)
{
    darc_ratios_struct old = *f;
    *f = *g;
    *g = old;
    g->ctx = f->ctx;
    f->ctx = old.ctx;
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
    darc_dpoly_clears(f->ctx, f->num + f->count, f->den + f->count, NULL);
}

static slong weight(const darc_ratios_t f, slong k)
{
    slong degree = fmpz_mpoly_total_degree_si(f->num + k, f->ctx) +
                   fmpz_mpoly_total_degree_si(f->den + k, f->ctx);
    return f->num[k].length + f->den[k].length + 2 * degree;
}

/* Return how many variables are squared somewhere in f->num[k]. */
static slong squares(const darc_ratios_t f, slong k)
{
    slong n = fmpz_mpoly_ctx_nvars(f->ctx), count = 0;
    slong *degree = darc_calloc((size_t)n, sizeof *degree);
    fmpz_mpoly_degrees_si(degree, f->num + k, f->ctx);
    for (slong v = 0; v < n; v++)
        count += degree[v] > 1;
    darc_free(degree);
    return count;
}

/* Return whether entry j comes before i. */
static bool comes_before(const darc_ratios_t f, slong j, slong i)
{
    slong a = weight(f, j), b = weight(f, i);
    if (a == b) {
        a = squares(f, j);
        b = squares(f, i);
    }
    return a < b ||
           (a == b && fmpz_mpoly_cmp(f->num + j, f->num + i, f->ctx) > 0);
}

void darc_ratios_sort(darc_ratios_t f, slong k)
{
    for (slong i = k + 1; i < f->count; i++)
        for (slong j = i; j > k && comes_before(f, j, j - 1); j--)
            swap_entries(f, j, j - 1);
}

void darc_ratios_gradients(nmod_mat_t m, const darc_ratios_t f, const ulong *x)
{
    slong vars = fmpz_mpoly_ctx_nvars(f->ctx);
    ulong *by = darc_calloc((size_t)vars, sizeof *by);
    for (slong k = 0; k < f->count; k++) {
        ulong *row = nmod_mat_entry_ptr(m, k, 0);
        ulong num = darc_finite_gradient(row, f->num + k, x, m->mod, f->ctx);
        ulong den = darc_finite_gradient(by, f->den + k, x, m->mod, f->ctx);
        _nmod_vec_scalar_mul_nmod(row, row, vars, den, m->mod);
        _nmod_vec_scalar_addmul_nmod(row, by, vars, nmod_neg(num, m->mod),
                                     m->mod);
    }
    darc_free(by);
}

/* Set m to the gradients at a random point that is that of the seed. */
static void gradients(nmod_mat_t m, const darc_ratios_t f, ulong seed)
{
    flint_rand_t state;
    flint_randinit(state);
    for (ulong i = 0; i < seed; i++)
        n_randlimb(state);
    slong vars = fmpz_mpoly_ctx_nvars(f->ctx);
    nmod_mat_init(m, f->count, vars, darc_finite_random_prime(state));
    ulong *x = darc_calloc((size_t)vars, sizeof *x);
    darc_finite_random_point(x, vars, m->mod, state);
    darc_ratios_gradients(m, f, x);
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

void darc_ratios_raise(darc_ratios_t f, const darc_ratios_t from)
{
    slong n = f->count, pivot = 0;
    nmod_mat_t m, t;
    darc_ratios_append_all(f, from);
    darc_ratios_sort(f, n);
    gradients(m, f, 2);
    nmod_mat_init(t, m->c, m->r, m->mod.n);
    nmod_mat_transpose(t, m);
    slong rank = nmod_mat_rref(t);
    bool *keep = darc_calloc((size_t)f->count + 1, sizeof *keep);
    for (slong i = 0; i < rank; i++) {
        while (nmod_mat_entry(t, i, pivot) == 0)
            pivot++;
        keep[pivot] = true;
    }
    for (slong k = f->count - 1; k >= n; k--)
        if (!keep[k])
            darc_ratios_remove(f, k);
    darc_free(keep);
    DARC_EACH(nmod_mat_clear, m, t);
}

void darc_ratios_independent(bool *marked, const darc_ratios_t f)
{
    slong vars = fmpz_mpoly_ctx_nvars(f->ctx), rank;
    nmod_mat_t m, all;
    gradients(m, f, 3);
    nmod_mat_init(all, f->count + vars, vars, m->mod.n);
    for (slong k = 0; k < f->count; k++)
        _nmod_vec_set(nmod_mat_entry_ptr(all, k, 0),
                      nmod_mat_entry_ptr(m, k, 0), vars);
    rank = nmod_mat_rref(all);
    for (slong v = 0; v < vars; v++) { /* below, rows are 0 */
        nmod_mat_entry(all, rank, v) = 1;
        marked[v] = nmod_mat_rref(all) > rank;
        rank += marked[v];
    }
    DARC_EACH(nmod_mat_clear, m, all);
}
