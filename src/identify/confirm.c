#include "identify/confirm.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "modular/exponents.h"
#include "modular/reconstruct.h"

typedef struct {
    const darc_ratios_struct *f;
    slong v;
    darc_exponents m; /* monomials in the f */
    nmod_t mod;
    flint_rand_t rand;
} job;

/* Set row (2 * count entries) to m_i(f)*x_v and -m_i(f) at a random point;
 * return whether all f have values there. */
static bool set_row(ulong *row, job *w)
{
    slong n = w->f->count, vars = fmpz_mpoly_ctx_nvars(w->f->ctx);
    ulong *x = darc_calloc((size_t)(vars + n) + 1, sizeof *x), *y = x + vars;
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
    for (slong i = 0; i < w->m.count; i++) {
        ulong m = darc_exponents_value(&w->m, i, y, w->mod);
        row[i] = nmod_mul(m, x[w->v], w->mod);
        row[w->m.count + i] = nmod_neg(m, w->mod);
    }
    darc_free(x);
    return ok;
}

/* Set p to monomial i times the denominators to the powers top; return
 * whether it stays short. */
static bool product(fmpz_mpoly_t p, slong i, const ulong *top, const job *w)
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

/* Set a to A(f) and zero to A(f)*x_v - B(f), both times the same powers of the
 * denominators. */
static bool expand(fmpz_mpoly_t a, fmpz_mpoly_t zero, const fmpz *c,
                   const job *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    slong n = w->f->count;
    bool ok = true;
    fmpz_mpoly_t p, s;
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_init(s, ctx);
    ulong *top = darc_calloc((size_t)n + 1, sizeof *top);
    for (slong i = 0; i < 2 * w->m.count; i++)
        for (slong k = 0; k < n; k++) {
            ulong e = w->m.exp[i % w->m.count * n + k];
            if (!fmpz_is_zero(c + i) && e > top[k])
                top[k] = e;
        }
    for (slong i = 0; i < w->m.count && ok; i++) {
        if (fmpz_is_zero(c + i) && fmpz_is_zero(c + w->m.count + i))
            continue;
        ok = product(p, i, top, w);
        fmpz_mpoly_scalar_mul_fmpz(s, p, c + i, ctx);
        fmpz_mpoly_add(a, a, s, ctx);
        fmpz_mpoly_scalar_mul_fmpz(s, p, c + w->m.count + i, ctx);
        fmpz_mpoly_sub(zero, zero, s, ctx);
    }
    fmpz_mpoly_gen(s, w->v, ctx);
    fmpz_mpoly_mul(p, a, s, ctx);
    fmpz_mpoly_add(zero, zero, p, ctx);
    darc_free(top);
    fmpz_mpoly_clear(p, ctx);
    fmpz_mpoly_clear(s, ctx);
    return ok;
}

/* Return whether c proves that x_v is in the field. */
static bool proves(const fmpz *c, const job *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    fmpz_mpoly_t a, zero;
    fmpz_mpoly_init(a, ctx);
    fmpz_mpoly_init(zero, ctx);
    bool ok = expand(a, zero, c, w) && !fmpz_mpoly_is_zero(a, ctx) &&
              fmpz_mpoly_is_zero(zero, ctx);
    fmpz_mpoly_clear(a, ctx);
    fmpz_mpoly_clear(zero, ctx);
    return ok;
}

static bool try_degree(job *w, slong degree)
{
    w->m.count = 0;
    if (!darc_exponents_append(&w->m, 0, degree, NULL, DARC_CONFIRM_MONOMIALS))
        return false;
    slong n = 2 * w->m.count;
    bool ok = true, found = false;
    nmod_mat_t a, kernel;
    nmod_mat_init(a, n + DARC_CONFIRM_SPARE, n, w->mod.n);
    nmod_mat_init(kernel, n, n, w->mod.n);
    for (slong i = 0; i < n + DARC_CONFIRM_SPARE && ok; i++)
        ok = set_row(nmod_mat_entry_ptr(a, i, 0), w);
    slong nullity = ok ? nmod_mat_nullspace(kernel, a) : 0;
    fmpz *c = _fmpz_vec_init(n);
    for (slong k = 0; k < nullity && !found; k++) {
        _fmpz_vec_zero(c, n);
        found = darc_reconstruct_column(c, kernel, k, DARC_CONFIRM_BITS) &&
                proves(c, w);
    }
    _fmpz_vec_clear(c, n);
    nmod_mat_clear(a);
    nmod_mat_clear(kernel);
    return found;
}

bool darc_confirm(const darc_ratios_t f, slong v)
{
    job w = {.f = f, .v = v, .m = {.vars = f->count}};
    flint_randinit(w.rand);
    nmod_init(&w.mod, darc_finite_random_prime(w.rand));
    bool found = false;
    for (slong d = 1; d <= DARC_CONFIRM_DEGREE && !found && f->count > 0; d++)
        found = try_degree(&w, d);
    darc_free(w.m.exp);
    flint_randclear(w.rand);
    return found;
}
