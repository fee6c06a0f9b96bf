#include "identify/fibre.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_fibre_init(darc_fibre *w, const darc_ratios_t f, bool divisors,
                     const bool *cut, ulong prime, flint_rand_t state)
{
    size_t n = (size_t)fmpz_mpoly_ctx_nvars(f->ctx);
    *w = (darc_fibre){.ring = f->ctx, .vars = (slong)n};
    w->divisors = divisors || darc_ratios_have_divisors(f);
    nmod_init(&w->mod, prime);
    nmod_mpoly_ctx_init(w->ctx, w->vars + w->divisors, ORD_DEGREVLEX, prime);
    w->x = darc_calloc(n + 1, sizeof *w->x);
    darc_finite_random_point(w->x, w->vars, w->mod, state);
    if (cut == NULL)
        return;
    w->cut = darc_calloc(n + 1, sizeof *w->cut);
    w->at = darc_calloc(n + 1, sizeof *w->at);
    memcpy(w->cut, cut, n * sizeof *cut);
    darc_finite_random_point(w->at, w->vars, w->mod, state);
}

void darc_fibre_clear(darc_fibre *w)
{
    if (w->x == NULL)
        return;
    darc_groebner_clear(w->basis);
    nmod_mpoly_ctx_clear(w->ctx);
    darc_free(w->x);
    darc_free(w->cut);
    darc_free(w->at);
    w->x = NULL;
}

/* Set q to num*den(p) - num(p)*den modulo the prime. */
static void difference(nmod_mpoly_t q, const fmpz_mpoly_t num,
                       const fmpz_mpoly_t den, const darc_fibre *p)
{
    nmod_mpoly_t d;
    nmod_mpoly_init(d, p->ctx);
    darc_finite_image(q, p->ctx, NULL, NULL, num, p->ring);
    darc_finite_image(d, p->ctx, NULL, NULL, den, p->ring);
    nmod_mpoly_scalar_mul_ui(q, q, darc_finite_eval(den, p->x, p->mod, p->ring),
                             p->ctx);
    nmod_mpoly_scalar_mul_ui(d, d, darc_finite_eval(num, p->x, p->mod, p->ring),
                             p->ctx);
    nmod_mpoly_sub(q, q, d, p->ctx);
    nmod_mpoly_clear(d, p->ctx);
}

/* Set q to t*m - 1, m the product of the different denominators that are no
 * monomials, and of the variables of those that are. */
static void saturation(nmod_mpoly_t q, const darc_ratios_t f,
                       const darc_fibre *p)
{
    slong n = fmpz_mpoly_ctx_nvars(f->ctx);
    int *used = darc_calloc((size_t)n, sizeof *used);
    int *one = darc_calloc((size_t)n, sizeof *one);
    nmod_mpoly_t d;
    nmod_mpoly_init(d, p->ctx);
    nmod_mpoly_gen(q, p->vars, p->ctx);
    for (slong k = 0; k < f->count; k++) {
        const fmpz_mpoly_struct *den = f->den + k;
        bool old = fmpz_mpoly_is_fmpz(den, f->ctx);
        for (slong i = 0; i < k && !old; i++)
            old = fmpz_mpoly_equal(f->den + i, den, f->ctx);
        if (!old && den->length == 1) {
            fmpz_mpoly_used_vars(one, den, f->ctx);
            for (slong v = 0; v < n; v++)
                used[v] |= one[v];
        } else if (!old) {
            darc_finite_image(d, p->ctx, NULL, NULL, den, f->ctx);
            nmod_mpoly_mul(q, q, d, p->ctx);
        }
    }
    for (slong v = 0; v < p->vars; v++)
        if (used[v]) {
            nmod_mpoly_gen(d, v, p->ctx);
            nmod_mpoly_mul(q, q, d, p->ctx);
        }
    nmod_mpoly_sub_ui(q, q, 1, p->ctx);
    nmod_mpoly_clear(d, p->ctx);
    darc_free(used);
    darc_free(one);
}

/* Put the variables of the cut into q. */
static void put_in(nmod_mpoly_t q, const darc_fibre *p)
{
    for (slong v = 0; v < p->vars && p->cut != NULL; v++)
        if (p->cut[v])
            nmod_mpoly_evaluate_one_ui(q, q, v, p->at[v], p->ctx);
}

/* Set g[0 ..] to x_v - at[v] for the variables of the cut; return how many. */
static slong cut_equations(nmod_mpoly_struct *g, const darc_fibre *p)
{
    slong n = 0;
    for (slong v = 0; v < p->vars && p->cut != NULL; v++) {
        if (!p->cut[v])
            continue;
        nmod_mpoly_gen(g + n, v, p->ctx);
        nmod_mpoly_sub_ui(g + n, g + n, p->at[v], p->ctx);
        n++;
    }
    return n;
}

darc_status darc_fibre_find(darc_fibre *w, const darc_ratios_t f, darc_err *err)
{
    assert(w->divisors || !darc_ratios_have_divisors(f));
    slong most = f->count + w->divisors + w->vars;
    nmod_mpoly_struct *g = darc_calloc((size_t)most, sizeof *g);
    for (slong k = 0; k < most; k++)
        nmod_mpoly_init(g + k, w->ctx);
    slong n = cut_equations(g, w);
    for (slong k = 0; k < f->count; k++, n++) {
        difference(g + n, f->num + k, f->den + k, w);
        put_in(g + n, w);
    }
    if (w->divisors) {
        saturation(g + n, f, w);
        put_in(g + n++, w);
    }
    darc_groebner_clear(w->basis);
    darc_status status =
        darc_groebner_init(w->basis, g, n, w->ctx, w->budget, err);
    for (slong k = 0; k < most; k++)
        nmod_mpoly_clear(g + k, w->ctx);
    darc_free(g);
    return status;
}

bool darc_fibre_fixes(const darc_fibre *w, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, w->ctx);
    difference(q, num, den, w);
    bool fixed = darc_groebner_contains(w->basis, q);
    nmod_mpoly_clear(q, w->ctx);
    return fixed;
}
