#include "base/mem.h"
#include "projection/dae.h"

slong darc_dae_rows(const darc_dae_t x, int last)
{
    slong rows = 0;
    for (int i = 0; i < x->count; i++)
        rows += last + x->times[i] + 1;
    return rows;
}

/* Add to rows of the derivatives 0 .. m of an equation what derivative `order`
 * of an unknown changes them by, from that column on; slope: the derivatives
 * of that by it. */
static void add_slope(nmod_mat_t a, slong row, slong m, slong column,
                      const ulong *slope, const darc_solution_t s)
{
    for (slong n = 0; n <= m; n++)
        for (slong k = 0; k <= n; k++) {
            /* binomial coefficient n over k */
            ulong b = nmod_div(nmod_mul(s->invfac[k], s->invfac[n - k], s->mod),
                               s->invfac[n], s->mod);
            ulong *to = nmod_mat_entry_ptr(a, row + n, column + k);
            *to = nmod_add(*to, nmod_mul(b, slope[n - k], s->mod), s->mod);
        }
}

void darc_dae_gradients(nmod_mat_t a, const darc_dae_t x, int last,
                        const darc_solution_t s, const slong *column,
                        const slong *param)
{
    slong row = 0;
    darc_dpoly_t p;
    darc_dpoly_init(p, x->jet);
    int *used = darc_calloc((size_t)x->jet->vars, sizeof *used);
    ulong *slope = darc_calloc((size_t)(last - x->first) + 1, sizeof *slope);
    for (int i = 0; i < x->count; i++) {
        slong m = last + x->times[i];
        darc_dpoly_used(used, x->eq->p + i, x->jet);
        for (slong v = 0; v < x->jet->vars; v++) {
            darc_deriv d = x->jet->deriv[v];
            int j = 0;
            while (j < x->count && x->unknown[j] != d.unknown)
                j++;
            bool fixed =
                param == NULL ||
                x->jet->names->symbol[d.unknown].kind != DARC_PARAMETER;
            if (!used[v] || (j < x->count ? column[j] < 0 : fixed))
                continue;
            fmpz_mpoly_derivative(p, x->eq->p + i, v, x->jet->ctx);
            darc_solution_derivatives(slope, m + 1, p, x->jet, s);
            if (j < x->count)
                add_slope(a, row, m, column[j] + d.order, slope, s);
            for (slong k = 0; k <= m && j == x->count; k++)
                nmod_mat_entry(a, row + k, param[d.unknown]) = slope[k];
        }
        row += m + 1;
    }
    DARC_FREE(used, slope);
    darc_dpoly_clear(p, x->jet);
}
