#include "identify/identify.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "modular/reconstruct.h"

typedef struct {
    const darc_ratios_struct *f;
    slong v;
    darc_exponents m; /* monomials in the f */
    nmod_t mod;
    flint_rand_t rand;
    darc_ratios_t steep; /* of the same rank, short ones */
    slong points;
    ulong *x; /* point i, and the values of the f there, at i * (vars + count);
                 owned */
} proof;

/* Append a random point; return whether all f have values there. */
static bool add_point(proof *w)
{
    slong n = w->f->count, vars = fmpz_mpoly_ctx_nvars(w->f->ctx);
    size_t size = (size_t)(vars + n);
    w->x = darc_room(w->x, (size_t)w->points, size * sizeof *w->x);
    ulong *x = w->x + (size_t)w->points++ * size, *y = x + vars;
    darc_finite_random_point(x, vars, w->mod, w->rand);
    bool ok = true;
    for (slong k = 0; k < n && ok; k++) {
        ulong d = darc_finite_eval(w->f->den + k, x, w->mod, w->f->ctx);
        ok = d != 0;
        y[k] =
            ok ? nmod_div(darc_finite_eval(w->f->num + k, x, w->mod, w->f->ctx),
                          d, w->mod)
               : 0;
    }
    return ok;
}

/* Set row (2 * count entries) to m_i(f)*x_v and -m_i(f) at point k. */
static void set_row(ulong *row, slong k, const proof *w)
{
    slong vars = fmpz_mpoly_ctx_nvars(w->f->ctx);
    const ulong *x = w->x + k * (vars + w->f->count);
    for (slong i = 0; i < w->m.count; i++) {
        ulong m = darc_exponents_value(&w->m, i, x + vars, w->mod);
        row[i] = nmod_mul(m, x[w->v], w->mod);
        row[w->m.count + i] = nmod_neg(m, w->mod);
    }
}

/* Set p to monomial i times the denominators to the powers top; return
 * whether it stays short. */
static bool multiply_out(fmpz_mpoly_t p, slong i, const ulong *top,
                         const proof *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    fmpz_mpoly_one(p, ctx);
    for (slong k = 0; k < w->f->count; k++) {
        ulong e = w->m.exp[i * w->f->count + k];
        for (ulong j = 0; j < top[k]; j++) {
            const fmpz_mpoly_struct *by = j < e ? w->f->num + k : w->f->den + k;
            if ((double)p->length * (double)by->length > DARC_CONFIRM_TERMS)
                return false;
            fmpz_mpoly_mul(p, p, by, ctx);
        }
    }
    return true;
}

/* Return whether c proves that x_v is in the field: A(f) is not 0, and A(f)*x_v
 * - B(f) is, both times the same powers of the denominators. */
static bool proves(const fmpz *c, const proof *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    slong n = w->f->count;
    bool ok = true;
    fmpz_mpoly_t a, zero, p, s;
    darc_dpoly_inits(ctx, a, zero, p, s, NULL);
    ulong *top = darc_calloc((size_t)n + 1, sizeof *top);
    for (slong i = 0; i < 2 * w->m.count; i++)
        for (slong k = 0; k < n && !fmpz_is_zero(c + i); k++)
            top[k] = FLINT_MAX(top[k], w->m.exp[i % w->m.count * n + k]);
    for (slong i = 0; i < w->m.count && ok; i++) {
        if (fmpz_is_zero(c + i) && fmpz_is_zero(c + w->m.count + i))
            continue;
        ok = multiply_out(p, i, top, w);
        fmpz_mpoly_scalar_mul_fmpz(s, p, c + i, ctx);
        fmpz_mpoly_add(a, a, s, ctx);
        fmpz_mpoly_scalar_mul_fmpz(s, p, c + w->m.count + i, ctx);
        fmpz_mpoly_sub(zero, zero, s, ctx);
    }
    fmpz_mpoly_gen(s, w->v, ctx);
    fmpz_mpoly_mul(p, a, s, ctx);
    fmpz_mpoly_add(zero, zero, p, ctx);
    ok = ok && !fmpz_mpoly_is_zero(a, ctx) && fmpz_mpoly_is_zero(zero, ctx);
    darc_free(top);
    darc_dpoly_clears(ctx, a, zero, p, s, NULL);
    return ok;
}

static bool try_degree(proof *w, slong degree)
{
    w->m.count = 0;
    if (!darc_exponents_append(&w->m, degree, NULL, DARC_CONFIRM_MONOMIALS))
        return false;
    slong n = 2 * w->m.count, rows = n + DARC_CONFIRM_SPARE;
    bool ok = true, found = false;
    while (w->points < rows && ok)
        ok = add_point(w);
    nmod_mat_t a, kernel;
    nmod_mat_init(a, rows, n, w->mod.n);
    nmod_mat_init(kernel, n, n, w->mod.n);
    for (slong i = 0; i < rows && ok; i++)
        set_row(nmod_mat_entry_ptr(a, i, 0), i, w);
    slong nullity = ok ? nmod_mat_nullspace(kernel, a) : 0;
    fmpz *c = _fmpz_vec_init(n);
    for (slong k = 0; k < nullity && !found; k++) {
        _fmpz_vec_zero(c, n);
        found = darc_reconstruct_column(c, kernel, k, DARC_CONFIRM_BITS) &&
                proves(c, w);
    }
    _fmpz_vec_clear(c, n);
    DARC_EACH(nmod_mat_clear, a, kernel);
    return found;
}

/* Return whether variable v is one of f, or its inverse is. */
static bool holds_variable(const darc_ratios_t f, slong v)
{
    fmpz_mpoly_t x, one;
    darc_dpoly_inits(f->ctx, x, one, NULL);
    fmpz_mpoly_gen(x, v, f->ctx);
    fmpz_mpoly_one(one, f->ctx);
    bool there = darc_ratios_hold(f, x, one);
    darc_dpoly_clears(f->ctx, x, one, NULL);
    return there;
}

void darc_confirm(bool *proved, const darc_ratios_t f)
{
    proof w = {.f = f, .m = {.vars = f->count}};
    flint_randinit(w.rand);
    nmod_init(&w.mod, darc_finite_random_prime(w.rand));
    for (; w.v < fmpz_mpoly_ctx_nvars(f->ctx) && f->count > 0; w.v++) {
        bool found = !proved[w.v] || holds_variable(f, w.v);
        for (slong d = 1; d <= DARC_CONFIRM_DEGREE && !found; d++)
            found = try_degree(&w, d);
        proved[w.v] = found && proved[w.v];
    }
    DARC_FREE(w.m.exp, w.x);
    flint_randclear(w.rand);
}
