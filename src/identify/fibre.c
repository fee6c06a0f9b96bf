#include "identify/fibre.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_place_init(darc_place *p, slong vars, bool divisors, ulong prime,
                     flint_rand_t state)
{
    p->vars = vars;
    p->divisors = divisors;
    nmod_init(&p->mod, prime);
    nmod_mpoly_ctx_init(p->ctx, vars + divisors, ORD_DEGREVLEX, prime);
    p->x = darc_calloc((size_t)vars + 1, sizeof *p->x);
    p->cut = NULL;
    p->at = NULL;
    darc_finite_random_point(p->x, vars, p->mod, state);
}

void darc_place_cut(darc_place *p, const bool *cut, flint_rand_t state)
{
    size_t n = (size_t)p->vars + 1;
    p->cut = darc_calloc(n, sizeof *p->cut);
    p->at = darc_calloc(n, sizeof *p->at);
    memcpy(p->cut, cut, (n - 1) * sizeof *cut);
    darc_finite_random_point(p->at, p->vars, p->mod, state);
}

void darc_place_clear(darc_place *p)
{
    nmod_mpoly_ctx_clear(p->ctx);
    darc_free(p->x);
    darc_free(p->cut);
    darc_free(p->at);
}

/* Set q to num*den(p) - num(p)*den modulo the prime. */
static void difference(nmod_mpoly_t q, const fmpz_mpoly_t num,
                       const fmpz_mpoly_t den, const fmpz_mpoly_ctx_struct *ctx,
                       const darc_place *p)
{
    nmod_mpoly_t d;
    nmod_mpoly_init(d, p->ctx);
    darc_finite_image(q, p->ctx, NULL, NULL, num, ctx);
    darc_finite_image(d, p->ctx, NULL, NULL, den, ctx);
    nmod_mpoly_scalar_mul_ui(q, q, darc_finite_eval(den, p->x, p->mod, ctx),
                             p->ctx);
    nmod_mpoly_scalar_mul_ui(d, d, darc_finite_eval(num, p->x, p->mod, ctx),
                             p->ctx);
    nmod_mpoly_sub(q, q, d, p->ctx);
    nmod_mpoly_clear(d, p->ctx);
}

/* Set q to t*m - 1, m the product of the different denominators that are no
 * monomials, and of the variables of those that are. */
static void saturation(nmod_mpoly_t q, const darc_ratios_t f,
                       const darc_place *p)
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
static void put_in(nmod_mpoly_t q, const darc_place *p)
{
    for (slong v = 0; v < p->vars && p->cut != NULL; v++)
        if (p->cut[v])
            nmod_mpoly_evaluate_one_ui(q, q, v, p->at[v], p->ctx);
}

/* Set g[0 ..] to x_v - at[v] for the variables of the cut; return how many. */
static slong cut_equations(nmod_mpoly_struct *g, const darc_place *p)
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

darc_status darc_fibre_init(darc_groebner_t b, const darc_ratios_t f,
                            const darc_place *p, const darc_budget *budget,
                            darc_err *err)
{
    assert(p->divisors || !darc_ratios_have_divisors(f));
    slong most = f->count + p->divisors + p->vars;
    nmod_mpoly_struct *g = darc_calloc((size_t)most, sizeof *g);
    for (slong k = 0; k < most; k++)
        nmod_mpoly_init(g + k, p->ctx);
    slong n = cut_equations(g, p);
    for (slong k = 0; k < f->count; k++, n++) {
        difference(g + n, f->num + k, f->den + k, f->ctx, p);
        put_in(g + n, p);
    }
    if (p->divisors) {
        saturation(g + n, f, p);
        put_in(g + n++, p);
    }
    darc_status status = darc_groebner_init(b, g, n, p->ctx, budget, err);
    for (slong k = 0; k < most; k++)
        nmod_mpoly_clear(g + k, p->ctx);
    darc_free(g);
    return status;
}

bool darc_fibre_fixes(const darc_groebner_t b, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den, const fmpz_mpoly_ctx_struct *ctx,
                      const darc_place *p)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, p->ctx);
    difference(q, num, den, ctx, p);
    bool fixed = darc_groebner_contains(b, q);
    nmod_mpoly_clear(q, p->ctx);
    return fixed;
}
