#include "modular/flat.h"

#include "algebra/finite.h"
#include "base/mem.h"

#include <assert.h>

void darc_flat_clear(darc_flat *f)
{
    darc_free(f->coeff);
    darc_free(f->first);
    darc_free(f->var);
    darc_free(f->exp);
}

static void from_mpoly(darc_flat *f, const nmod_mpoly_t q, slong vars,
                       const nmod_mpoly_ctx_t ctx)
{
    slong factors = 0, terms = f->terms = nmod_mpoly_length(q, ctx);
    ulong *exp = darc_calloc((size_t)vars, sizeof *exp);
    f->coeff = darc_calloc((size_t)terms, sizeof *f->coeff);
    f->first = darc_calloc((size_t)terms + 1, sizeof *f->first);
    f->var = darc_calloc((size_t)(terms * vars), sizeof *f->var);
    f->exp = darc_calloc((size_t)(terms * vars), sizeof *f->exp);
    for (slong t = 0; t < terms; t++) {
        nmod_mpoly_get_term_exp_ui(exp, q, t, ctx);
        f->coeff[t] = nmod_mpoly_get_term_coeff_ui(q, t, ctx);
        f->first[t] = factors;
        for (slong v = 0; v < vars; v++)
            if (exp[v] != 0) {
                f->var[factors] = v;
                f->exp[factors++] = (slong)exp[v];
            }
    }
    f->first[terms] = factors;
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
    from_mpoly(f, q, jet->vars, ctx);
    darc_free(target);
    darc_free(x);
    nmod_mpoly_clear(q, ctx);
    nmod_mpoly_ctx_clear(ctx);
}

void darc_powers_init(darc_powers *w, slong vars, slong length,
                      const darc_flat *f, slong count, ulong *const *variable)
{
    w->vars = vars;
    w->length = length;
    w->degree = darc_calloc((size_t)vars, sizeof *w->degree);
    w->power = darc_calloc((size_t)vars, sizeof *w->power);
    for (slong j = 0; j < count; j++)
        for (slong i = 0; i < f[j].first[f[j].terms]; i++)
            if (f[j].exp[i] > w->degree[f[j].var[i]])
                w->degree[f[j].var[i]] = f[j].exp[i];
    for (slong v = 0; v < vars; v++) {
        slong n = w->degree[v] < 1 ? 1 : w->degree[v];
        w->power[v] = darc_calloc((size_t)n + 1, sizeof **w->power);
        w->power[v][1] = variable[v];
        for (slong e = 2; e <= n; e++)
            w->power[v][e] = darc_calloc((size_t)length, sizeof(ulong));
    }
}

void darc_powers_clear(darc_powers *w)
{
    for (slong v = 0; v < w->vars; v++) {
        for (slong e = 2; e <= w->degree[v]; e++)
            darc_free(w->power[v][e]);
        darc_free(w->power[v]);
    }
    darc_free(w->power);
    darc_free(w->degree);
}

/* Return sum_{i <= k} a[i] * b[k - i]. */
static ulong convolve(const ulong *a, const ulong *b, slong k, nmod_t mod)
{
    ulong s = 0;
    for (slong i = 0; i <= k; i++)
        s = nmod_add(s, nmod_mul(a[i], b[k - i], mod), mod);
    return s;
}

void darc_powers_extend(darc_powers *w, slong k, nmod_t mod)
{
    assert(k < w->length);
    for (slong v = 0; v < w->vars; v++)
        for (slong e = 2; e <= w->degree[v]; e++)
            w->power[v][e][k] =
                convolve(w->power[v][e - 1], w->power[v][1], k, mod);
}

static ulong term_coeff(const darc_flat *f, slong t, const darc_powers *w,
                        slong k, ulong *scratch, nmod_t mod)
{
    slong i = f->first[t], end = f->first[t + 1];
    if (i == end)
        return k == 0;
    const ulong *a = w->power[f->var[i]][f->exp[i]];
    if (++i == end)
        return a[k];
    ulong *product = scratch, *spare = scratch + k + 1;
    for (; i + 1 < end; i++) {
        const ulong *b = w->power[f->var[i]][f->exp[i]];
        for (slong j = 0; j <= k; j++)
            product[j] = convolve(a, b, j, mod);
        a = product;
        ulong *swap = product;
        product = spare;
        spare = swap;
    }
    return convolve(a, w->power[f->var[i]][f->exp[i]], k, mod);
}

ulong darc_flat_coeff(const darc_flat *f, const darc_powers *w, slong k,
                      ulong *scratch, nmod_t mod)
{
    ulong s = 0;
    for (slong t = 0; t < f->terms; t++) {
        ulong c = term_coeff(f, t, w, k, scratch, mod);
        s = nmod_add(s, nmod_mul(f->coeff[t], c, mod), mod);
    }
    return s;
}
