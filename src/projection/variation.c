#include "projection/point.h"

#include "base/mem.h"
#include "modular/flat.h"

/* ---- series ------------------------------------------------------------- */

/* Set out to the values of p, a polynomial in the frame of the model. */
static void values(ulong *out, const darc_dpoly_t p, const darc_variation *w)
{
    darc_flat f;
    darc_flat_set(&f, p, w->s->jet, w->pt->series, w->pt->mod);
    darc_flat_series(out, 0, w->pt->length, &f, w->pt->variable, w->scratch);
    darc_flat_clear(&f);
}

/* Set a to the derivative of f = num/den of equation i by variable v, (num_v
 * - f den_v)/den; return whether it is not zero identically. */
static bool derivative(ulong *a, slong i, slong v, const ulong *f,
                       const ulong *den, const darc_variation *w)
{
    const darc_jet_struct *jet = w->s->jet;
    nmod_t mod = w->pt->mod;
    slong n = w->pt->length;
    darc_dpoly_t p, q;
    darc_dpoly_inits(jet->ctx, p, q, NULL);
    fmpz_mpoly_derivative(p, w->s->num->p + i, v, jet->ctx);
    fmpz_mpoly_derivative(q, w->s->den->p + i, v, jet->ctx);
    bool any = p->length > 0 || q->length > 0;
    if (any) {
        ulong *b = darc_calloc(2 * (size_t)n, sizeof *b), *c = b + n;
        values(b, q, w);
        _nmod_poly_mullow(c, f, n, b, n, n, mod);
        values(b, p, w);
        _nmod_vec_sub(c, b, c, n, mod);
        _nmod_poly_div_series(a, c, n, den, n, n, mod);
        darc_free(b);
    }
    darc_dpoly_clears(jet->ctx, p, q, NULL);
    return any;
}

/* ---- the variation ------------------------------------------------------ */

/* Add to `to` factor times coefficient k of an entry times phi (or times 1
 * where the column is a parameter). */
static void add_product(ulong *to, const darc_slope *e, slong k, ulong factor,
                        const darc_variation *w)
{
    nmod_t mod = w->pt->mod;
    slong states = w->s->states;
    if (e->column >= states) {
        ulong c = nmod_mul(e->series[k], factor, mod);
        to[e->column] = nmod_add(to[e->column], c, mod);
        return;
    }
    for (slong l = 0; l <= k; l++) {
        ulong c = nmod_mul(e->series[l], factor, mod);
        const ulong *from =
            w->phi + ((k - l) * states + e->column) * w->columns;
        if (c != 0)
            _nmod_vec_scalar_addmul_nmod(to, from, w->columns, c, mod);
    }
}

void darc_variation_init(darc_variation *v, const darc_solved_t s,
                         const darc_point_t pt, const slong *variable,
                         slong columns)
{
    *v = (darc_variation){
        .s = s, .pt = pt, .columns = columns, .variable = variable};
    v->scratch = darc_calloc(2 * (size_t)pt->length, sizeof *v->scratch);
    for (slong i = 0; i < s->states + s->outputs; i++) {
        /* Collect the derivatives of equation i. */
        slong length = v->pt->length;
        size_t n = (size_t)length;
        ulong *den = darc_calloc(3 * n, sizeof *den), *f = den + n, *b = f + n;
        values(den, v->s->den->p + i, v);
        values(b, v->s->num->p + i, v);
        _nmod_poly_div_series(f, b, length, den, length, length, v->pt->mod);
        for (slong c = 0; c < v->columns; c++) {
            ulong *a = darc_calloc(n, sizeof *a);
            if (!derivative(a, i, v->variable[c], f, den, v)) {
                darc_free(a);
                continue;
            }
            DARC_APPEND(v->slope, v->count, (darc_slope){i, c, a});
        }
        darc_free(den);
    }
    slong states = v->s->states, size = states * v->columns;
    v->phi = darc_calloc((size_t)(v->pt->length * size) + 1, sizeof *v->phi);
    for (slong i = 0; i < states; i++)
        v->phi[i * v->columns + i] = 1;
    for (slong k = 0; k + 1 < v->pt->length; k++) {
        ulong inverse = nmod_inv((ulong)k + 1, v->pt->mod);
        ulong *next = v->phi + (k + 1) * size;
        for (slong e = 0; e < v->count; e++)
            if (v->slope[e].row < states)
                add_product(next + v->slope[e].row * v->columns, v->slope + e,
                            k, inverse, v);
    }
}

void darc_variation_clear(darc_variation *v)
{
    for (slong e = 0; e < v->count; e++)
        darc_free(v->slope[e].series);
    DARC_FREE(v->slope, v->phi, v->scratch);
}

void darc_variation_output(ulong *row, const darc_variation *v, slong j,
                           slong k)
{
    for (slong e = 0; e < v->count; e++)
        if (v->slope[e].row == v->s->states + j)
            add_product(row, v->slope + e, k, 1, v);
}
