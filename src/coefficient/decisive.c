#include "coefficient/decisive.h"

#include "base/mem.h"
#include "projection/coeffs.h"

/* Set t to the tangents of the cone over the vectors of one recording, zero in
 * the columns of the other. */
static void set_tangents(nmod_mat_t t, const nmod_mat_t jacobian, int recording,
                         const darc_coeffrel_t r)
{
    nmod_mat_zero(t);
    for (int i = 0; i < r->vectors; i++)
        for (slong j = r->first[i]; j < r->first[i + 1]; j++)
            for (slong k = 0; k < jacobian->r && r->recording[i] == recording;
                 k++)
                nmod_mat_entry(t, k, j) = nmod_mat_entry(jacobian, k, j);
}

/* Set g to the gradients of the mixed relations at the point that the first
 * rows of the Jacobian hold. */
static void set_gradients(nmod_mat_t g, const nmod_mat_t jacobian,
                          const darc_coeffrel_t r)
{
    ulong *x = darc_calloc((size_t)r->vars + 1, sizeof *x);
    for (int i = 0; i < r->vectors; i++)
        for (slong j = r->first[i]; j < r->first[i + 1]; j++)
            x[j] = nmod_mat_entry(jacobian, i, j);
    for (slong k = 0; k < r->count; k++)
        if (r->mixed[k])
            darc_finite_gradient(nmod_mat_entry_ptr(g, k, 0), r->h + k, x,
                                 g->mod, r->ctx);
    darc_free(x);
}

/* Return the rank of g along the tangents in t[0] and t[1]. */
static slong rank_along(const nmod_mat_t g, nmod_mat_t t[2])
{
    nmod_mat_t across, along, all;
    slong n = t[0]->r;
    nmod_mat_init(across, g->c, n, g->mod.n);
    nmod_mat_init(along, g->r, n, g->mod.n);
    nmod_mat_init(all, g->r, 2 * n, g->mod.n);
    for (int side = 0; side < 2; side++) {
        nmod_mat_transpose(across, t[side]);
        nmod_mat_mul(along, g, across);
        for (slong i = 0; i < g->r; i++)
            for (slong j = 0; j < n; j++)
                nmod_mat_entry(all, i, side * n + j) =
                    nmod_mat_entry(along, i, j);
    }
    slong rank = nmod_mat_rank(all);
    nmod_mat_clear(across);
    nmod_mat_clear(along);
    nmod_mat_clear(all);
    return rank;
}

bool darc_coeffrel_is_decisive(const darc_coeffrel_t r,
                               const nmod_mat_t jacobian)
{
    bool two = false;
    for (int i = 0; i < r->vectors; i++)
        two = two || r->recording[i] != r->recording[0];
    if (!two)
        return r->complete;
    nmod_mat_t g, t[2];
    ulong p = jacobian->mod.n;
    slong product = -r->vectors;
    for (int side = 0; side < 2; side++) {
        nmod_mat_init(t[side], jacobian->r, jacobian->c, p);
        set_tangents(t[side], jacobian, side, r);
        product += nmod_mat_rank(t[side]);
    }
    nmod_mat_init(g, r->count, r->vars, p);
    set_gradients(g, jacobian, r);
    bool all = rank_along(g, t) == product - r->dimension;
    nmod_mat_clear(g);
    for (int side = 0; side < 2; side++)
        nmod_mat_clear(t[side]);
    return all;
}
