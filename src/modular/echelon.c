#include "modular/groebner.h"

#include "base/mem.h"

/* Set count to the sum of the monomials of f: in how many each is. */
static void count_monomials(nmod_mpoly_t count, const nmod_mpoly_struct *g,
                            slong n, const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_t f;
    nmod_mpoly_init(f, ctx);
    nmod_mpoly_zero(count, ctx);
    for (slong k = 0; k < n; k++) {
        nmod_mpoly_set(f, g + k, ctx);
        DARC_FILL(f->coeffs, f->length, 1);
        nmod_mpoly_add(count, count, f, ctx);
    }
    nmod_mpoly_clear(f, ctx);
}

/* Set m to the monomial of f that is in the fewest, the largest of these, and
 * divide f by its coefficient: what is in all, such as the denominator that
 * they share, stays in what is left. */
static void choose_pivot(nmod_mpoly_t m, nmod_mpoly_t f,
                         const nmod_mpoly_t count, const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_t n;
    slong best = 0;
    ulong least = UWORD_MAX;
    nmod_mpoly_init(n, ctx);
    for (slong t = 0; t < f->length && least > 1; t++) {
        nmod_mpoly_get_term_monomial(n, f, t, ctx);
        ulong c = nmod_mpoly_get_coeff_ui_monomial(count, n, ctx);
        if (c < least) {
            least = c;
            best = t;
        }
    }
    nmod_mpoly_get_term_monomial(m, f, best, ctx);
    ulong inverse = nmod_inv(f->coeffs[best], ctx->mod);
    nmod_mpoly_scalar_mul_ui(f, f, inverse, ctx);
    nmod_mpoly_clear(n, ctx);
}

/* Subtract from f the multiple of g, whose pivot is m, that has the coefficient
 * of f there; return how many terms that touches. */
static double cancel(nmod_mpoly_t f, const nmod_mpoly_t g, const nmod_mpoly_t m,
                     const nmod_mpoly_ctx_t ctx)
{
    ulong c = nmod_mpoly_get_coeff_ui_monomial(f, m, ctx);
    if (c == 0)
        return 0;
    nmod_mpoly_t h;
    nmod_mpoly_init(h, ctx);
    double terms = (double)(f->length + g->length);
    nmod_mpoly_scalar_mul_ui(h, g, c, ctx);
    nmod_mpoly_sub(f, f, h, ctx);
    nmod_mpoly_clear(h, ctx);
    return terms;
}

slong darc_echelon(nmod_mpoly_struct *f, slong n, double *terms,
                   const nmod_mpoly_ctx_t ctx)
{
    slong rank = 0;
    nmod_mpoly_t count;
    nmod_mpoly_struct *m = darc_calloc((size_t)n + 1, sizeof *m);
    nmod_mpoly_init(count, ctx);
    count_monomials(count, f, n, ctx);
    for (slong k = 0; k < n; k++) {
        nmod_mpoly_init(m + k, ctx);
        for (slong i = 0; i < rank; i++)
            *terms += cancel(f + k, f + i, m + i, ctx);
        if (nmod_mpoly_is_zero(f + k, ctx))
            continue;
        choose_pivot(m + rank, f + k, count, ctx);
        for (slong i = 0; i < rank; i++)
            *terms += cancel(f + i, f + k, m + rank, ctx);
        nmod_mpoly_swap(f + rank++, f + k, ctx);
    }
    DARC_ALL_IN(nmod_mpoly_clear, ctx, m, n);
    for (slong k = rank; k < n; k++)
        nmod_mpoly_clear(f + k, ctx);
    nmod_mpoly_clear(count, ctx);
    darc_free(m);
    return rank;
}
