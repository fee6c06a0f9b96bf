#include "modular/flat.h"

#include "algebra/finite.h"
#include "base/mem.h"

void darc_flat_clear(darc_flat *f)
{
    DARC_FREE(f->coeff, f->first, f->var);
}

static void from_mpoly(darc_flat *f, const nmod_mpoly_t q,
                       const nmod_mpoly_ctx_t ctx)
{
    slong vars = nmod_mpoly_ctx_nvars(ctx), factors = 0;
    ulong *exp = darc_calloc((size_t)vars, sizeof *exp);
    f->mod = ctx->mod;
    f->terms = q->length;
    f->coeff = darc_calloc((size_t)f->terms, sizeof *f->coeff);
    f->first = darc_calloc((size_t)f->terms + 1, sizeof *f->first);
    f->var = NULL;
    for (slong t = 0; t < f->terms; t++) {
        nmod_mpoly_get_term_exp_ui(exp, q, t, ctx);
        f->coeff[t] = q->coeffs[t];
        for (slong v = 0; v < vars; v++)
            for (ulong e = 0; e < exp[v]; e++) {
                DARC_APPEND(f->var, factors, v);
            }
        f->first[t + 1] = factors;
    }
    darc_free(exp);
}

void darc_flat_set(darc_flat *f, const darc_dpoly_t p, const darc_jet_t jet,
                   ulong *const *value, nmod_t mod)
{
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_t q;
    nmod_mpoly_ctx_init(ctx, jet->vars, ORD_LEX, mod.n);
    nmod_mpoly_init(q, ctx);
    slong *target = darc_calloc((size_t)jet->vars, sizeof *target);
    ulong *x = darc_calloc((size_t)jet->vars, sizeof *x);
    for (slong v = 0; v < jet->vars; v++) {
        int u = jet->deriv[v].unknown;
        bool put = darc_jet_is_constant(jet, u);
        target[v] = put ? -1 : v;
        x[v] = put ? value[u][0] : 0;
    }
    darc_finite_image(q, ctx, target, x, p, jet->ctx);
    from_mpoly(f, q, ctx);
    DARC_FREE(target, x);
    nmod_mpoly_clear(q, ctx);
    nmod_mpoly_ctx_clear(ctx);
}

/* Return sum_{i <= k} a[i] * b[k - i]. */
static ulong convolve(const ulong *a, const ulong *b, slong k, nmod_t mod)
{
    ulong s = 0;
    for (slong i = 0; i <= k; i++)
        s = nmod_add(s, nmod_mul(a[i], b[k - i], mod), mod);
    return s;
}

void darc_flat_series(ulong *out, slong from, slong n, const darc_flat *f,
                      ulong *const *variable, ulong *scratch)
{
    nmod_t mod = f->mod;
    _nmod_vec_zero(out + from, n - from);
    for (slong t = 0; t < f->terms; t++) {
        slong i = f->first[t], end = f->first[t + 1];
        ulong *a = scratch, *b = scratch + n;
        _nmod_vec_zero(a, n);
        a[0] = f->coeff[t];
        if (i < end)
            _nmod_vec_scalar_mul_nmod(a, variable[f->var[i++]], n, a[0], mod);
        for (; i + 1 < end; i++) {
            _nmod_poly_mullow(b, a, n, variable[f->var[i]], n, n, mod);
            DARC_SWAP(ulong *, a, b);
        }
        /* of the last product only what is asked for */
        for (slong k = from; k < n; k++)
            out[k] = nmod_add(
                out[k],
                i < end ? convolve(a, variable[f->var[i]], k, mod) : a[k], mod);
    }
}
