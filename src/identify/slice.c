#include "identify/slice.h"

#include "base/mem.h"
#include "identify/thresholds.h"

#include <string.h>

typedef struct {
    darc_slice_struct *s;
    const darc_fibre *p;
    ulong *x; /* the coordinates chosen so far */
} search;

/* The powers 1, x_v, x_v^2, ... reduced. */
typedef struct {
    int count;
    nmod_mpoly_struct r[DARC_SLICE_DEGREE + 1];
} powers;

/* Set f to a combination of the powers that vanishes; false: there is none.
 * All but the last are linearly independent. */
static bool combination(nmod_poly_t f, const powers *w, const darc_fibre *p)
{
    nmod_mpoly_t all, m;
    nmod_mpoly_init(all, p->ctx);
    nmod_mpoly_init(m, p->ctx);
    for (int i = 0; i < w->count; i++)
        for (slong t = 0; t < w->r[i].length; t++) {
            nmod_mpoly_get_term_monomial(m, w->r + i, t, p->ctx);
            if (nmod_mpoly_get_coeff_ui_monomial(all, m, p->ctx) == 0)
                nmod_mpoly_add(all, all, m, p->ctx);
        }
    nmod_mat_t a, kernel;
    nmod_mat_init(a, all->length, w->count, p->mod.n);
    nmod_mat_init(kernel, w->count, w->count, p->mod.n);
    for (slong t = 0; t < all->length; t++) {
        nmod_mpoly_get_term_monomial(m, all, t, p->ctx);
        for (int i = 0; i < w->count; i++)
            nmod_mat_entry(a, t, i) =
                nmod_mpoly_get_coeff_ui_monomial(w->r + i, m, p->ctx);
    }
    bool found = nmod_mat_nullspace(kernel, a) > 0;
    nmod_poly_zero(f);
    for (int i = 0; i < w->count && found; i++)
        nmod_poly_set_coeff_ui(f, i, nmod_mat_entry(kernel, i, 0));
    nmod_mat_clear(a);
    nmod_mat_clear(kernel);
    nmod_mpoly_clear(all, p->ctx);
    nmod_mpoly_clear(m, p->ctx);
    return found;
}

/* Set f to the polynomial of least degree that x_v satisfies modulo b; false:
 * its degree is too high, or there is none. */
static bool minimal_polynomial(nmod_poly_t f, const darc_groebner_t b, slong v,
                               const darc_fibre *p)
{
    powers w = {0};
    bool found = false;
    nmod_mpoly_t x;
    nmod_mpoly_init(x, p->ctx);
    nmod_mpoly_gen(x, v, p->ctx);
    while (w.count <= DARC_SLICE_DEGREE && !found) {
        nmod_mpoly_struct *r = w.r + w.count;
        nmod_mpoly_init(r, p->ctx);
        if (w.count == 0)
            nmod_mpoly_one(r, p->ctx);
        else
            nmod_mpoly_mul(r, r - 1, x, p->ctx);
        darc_groebner_reduce(r, r, b);
        w.count++;
        found = combination(f, &w, p);
    }
    for (int i = 0; i < w.count; i++)
        nmod_mpoly_clear(w.r + i, p->ctx);
    nmod_mpoly_clear(x, p->ctx);
    return found;
}

/* Set c to the basis of b and x_v = value. */
static darc_status restrict_to(darc_groebner_t c, const darc_groebner_t b,
                               slong v, ulong value, const search *w,
                               darc_err *err)
{
    const nmod_mpoly_ctx_struct *ctx = w->p->ctx;
    slong n = b->count + 1;
    nmod_mpoly_struct *g = darc_calloc((size_t)n, sizeof *g);
    for (slong i = 0; i < n; i++)
        nmod_mpoly_init(g + i, ctx);
    nmod_mpoly_gen(g, v, ctx);
    nmod_mpoly_sub_ui(g, g, value, ctx);
    for (slong i = 0; i < b->count; i++)
        nmod_mpoly_set(g + i + 1, b->g + i, ctx);
    darc_status status = darc_groebner_init(c, g, n, ctx, w->p->budget, err);
    for (slong i = 0; i < n; i++)
        nmod_mpoly_clear(g + i, ctx);
    darc_free(g);
    return status;
}

static void append_point(search *w)
{
    darc_slice_struct *s = w->s;
    size_t size = (size_t)s->vars * sizeof *s->x;
    s->x = darc_grow(s->x, (size_t)s->count, &s->alloc, size);
    memcpy(s->x + s->count++ * s->vars, w->x, size);
}

/* List the points of b whose coordinates below v are chosen. */
static darc_status list_points(search *w, const darc_groebner_t b, slong v,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    if (darc_groebner_is_one(b) || w->s->count >= DARC_MAX_SLICE)
        return DARC_OK;
    if (v == w->s->vars) {
        append_point(w);
        return DARC_OK;
    }
    nmod_poly_t f;
    nmod_poly_factor_t root;
    nmod_poly_init(f, w->p->mod.n);
    nmod_poly_factor_init(root);
    bool found = minimal_polynomial(f, b, v, w->p);
    if (found)
        nmod_poly_roots(root, f, 1);
    slong degree = 0;
    for (slong i = 0; i < root->num; i++)
        degree += root->exp[i];
    w->s->all = w->s->all && found && degree == nmod_poly_degree(f);
    for (slong i = 0; i < root->num && status == DARC_OK; i++) {
        darc_groebner_t c;
        w->x[v] = nmod_neg(nmod_poly_get_coeff_ui(root->p + i, 0), w->p->mod);
        status = restrict_to(c, b, v, w->x[v], w, err);
        if (status != DARC_OK)
            break;
        status = list_points(w, c, v + 1, err);
        darc_groebner_clear(c);
    }
    nmod_poly_clear(f);
    nmod_poly_factor_clear(root);
    return status;
}

darc_status darc_slice_init(darc_slice_t s, const darc_fibre *w, darc_err *err)
{
    memset(s, 0, sizeof *s);
    s->vars = w->vars;
    s->all = true;
    search look = {.s = s, .p = w};
    look.x = darc_calloc((size_t)s->vars + 1, sizeof *look.x);
    darc_status status = list_points(&look, w->basis, 0, err);
    s->all = s->all && s->count < DARC_MAX_SLICE;
    darc_free(look.x);
    if (status != DARC_OK)
        darc_slice_clear(s);
    return status;
}

void darc_slice_clear(darc_slice_t s)
{
    darc_free(s->x);
    memset(s, 0, sizeof *s);
}
