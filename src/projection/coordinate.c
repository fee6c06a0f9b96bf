#include "projection/projection.h"

#include "base/mem.h"
#include "modular/resultant.h"

typedef struct {
    int state;         /* w */
    slong w, dw;       /* its variable and that of its derivative */
    nmod_mpoly_t a, b; /* z = a*w + b */
    nmod_mpoly_t map;  /* a*w + b - z */
    nmod_mpoly_t rate; /* a*w' + a'*w + b' - z' */
} shift;

/* Return the one alive state in f, linear there; -1 if there is no such. */
static int only_state(const darc_mpoly *f, const darc_projection_t proj)
{
    int found = -1;
    for (int i = 0; i < proj->s->states; i++) {
        slong degree = darc_ring_degree(f, proj->x[i], proj->ring);
        if (degree > 1 || (degree == 1 && found >= 0))
            return -1;
        found = degree == 1 ? i : found;
    }
    return found;
}

/* Return whether the derivative of f stays among the signals of lower order
 * than the relations bind, in the step that binds the next order of y_j. */
static bool is_low(const darc_mpoly *f, int j, const darc_projection_t proj)
{
    for (int i = 0; i < proj->s->outputs; i++)
        for (int k = 0; k <= proj->target[i]; k++)
            if (k + 1 >= proj->order[i] + (i == j) &&
                darc_ring_degree(f, proj->y[i][k], proj->ring) > 0)
                return false;
    return true;
}

/* Set h from the divisor B; return whether a shift helps. */
static bool set_shift(shift *h, const darc_mpoly *B, int j,
                      darc_projection_t proj)
{
    const darc_ring_struct *ring = proj->ring;
    const nmod_mpoly_ctx_struct *ctx = ring->ctx;
    h->state = only_state(B, proj);
    if (h->state < 0)
        return false;
    h->w = proj->x[h->state];
    h->dw = proj->dx[h->state];
    darc_split s;
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ctx);
    darc_split_init(&s, B, h->w, ring);
    bool useful = s.c[0].length > 0 && nmod_mpoly_gcd(g, s.c, s.c + 1, ctx) &&
                  nmod_mpoly_divides(h->b, s.c, g, ctx) &&
                  nmod_mpoly_divides(h->a, s.c + 1, g, ctx) &&
                  is_low(h->a, j, proj) && is_low(h->b, j, proj);
    nmod_mpoly_clear(g, ctx);
    darc_split_clear(&s, ring);
    return useful;
}

/* Set f to p*v + q. */
static void linear(darc_mpoly *f, const darc_mpoly *p, slong v,
                   const darc_mpoly *q, const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_t t;
    nmod_mpoly_init(t, ctx);
    nmod_mpoly_gen(t, v, ctx);
    nmod_mpoly_mul(t, t, p, ctx);
    nmod_mpoly_add(f, t, q, ctx);
    nmod_mpoly_clear(t, ctx);
}

/* Subtract variable v from f, at whose place the point gets f's value. */
static void subtract_new(darc_mpoly *f, slong v, darc_ring_t ring)
{
    nmod_mpoly_t t;
    nmod_mpoly_init(t, ring->ctx);
    ring->point[v] = darc_ring_value(f, ring);
    nmod_mpoly_gen(t, v, ring->ctx);
    nmod_mpoly_sub(f, f, t, ring->ctx);
    nmod_mpoly_clear(t, ring->ctx);
}

static void set_maps(shift *h, darc_projection_t proj)
{
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    nmod_mpoly_t da, db;
    darc_mpoly_inits(ctx, da, db, NULL);
    darc_projection_derive(da, h->a, proj);
    darc_projection_derive(db, h->b, proj);
    linear(h->map, h->a, h->w, h->b, ctx);
    linear(h->rate, da, h->w, db, ctx);
    linear(h->rate, h->a, h->dw, h->rate, ctx);
    subtract_new(h->map, proj->spare, proj->ring);
    subtract_new(h->rate, proj->spare + 1, proj->ring);
    darc_mpoly_clears(ctx, da, db, NULL);
}

/* Give the spare variables of f the names w and w'. */
static void rename_spare(darc_mpoly *f, const shift *h,
                         const darc_projection_t proj)
{
    const darc_ring_struct *ring = proj->ring;
    ulong *exp = darc_calloc((size_t)ring->vars, sizeof *exp);
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ring->ctx);
    for (slong t = 0; t < f->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, f, t, ring->ctx);
        exp[h->w] += exp[proj->spare];
        exp[h->dw] += exp[proj->spare + 1];
        exp[proj->spare] = 0;
        exp[proj->spare + 1] = 0;
        nmod_mpoly_push_term_ui_ui(g, f->coeffs[t], exp, ring->ctx);
    }
    nmod_mpoly_sort_terms(g, ring->ctx);
    nmod_mpoly_swap(f, g, ring->ctx);
    nmod_mpoly_clear(g, ring->ctx);
    darc_free(exp);
}

static darc_status substitute(darc_mpoly *f, const shift *h,
                              darc_projection_t proj, darc_err *err)
{
    if (darc_ring_degree(f, h->dw, proj->ring) > 0)
        DARC_NEED(darc_resultant(f, f, h->rate, h->dw, proj->ring, err));
    DARC_NEED(darc_resultant(f, f, h->map, h->w, proj->ring, err));
    return DARC_OK;
}

static darc_status apply(const shift *h, darc_projection_t proj, darc_err *err)
{
    const darc_solved_struct *s = proj->s;
    darc_ring_struct *ring = proj->ring;
    for (int i = 0; i < s->states; i++)
        if (proj->alive[i])
            DARC_NEED(substitute(proj->E + i, h, proj, err));
    for (int i = 0; i < s->outputs; i++)
        DARC_NEED(substitute(proj->Q + i, h, proj, err));
    for (int i = 0; i < s->states; i++)
        if (proj->alive[i])
            rename_spare(proj->E + i, h, proj);
    for (int i = 0; i < s->outputs; i++)
        rename_spare(proj->Q + i, h, proj);
    ring->point[h->w] = ring->point[proj->spare];
    ring->point[h->dw] = ring->point[proj->spare + 1];
    return DARC_OK;
}

void darc_coordinate_restore(darc_mpoly *g, const darc_mpoly *f,
                             const darc_projection_t proj)
{
    nmod_mpoly_set(g, f, proj->ring->ctx);
    for (int i = proj->changes - 1; i >= 0; i--) {
        /* a*w + b for w, and its derivative for w' */
        const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
        const darc_coordinate *c = proj->change + i;
        slong vars = proj->ring->vars;
        slong w = proj->x[c->state], dw = proj->dx[c->state];
        darc_mpoly *value = darc_calloc((size_t)vars, sizeof *value);
        darc_mpoly **at = darc_calloc((size_t)vars, sizeof *at);
        for (slong v = 0; v < vars; v++) {
            at[v] = value + v;
            nmod_mpoly_init(value + v, ctx);
            nmod_mpoly_gen(value + v, v, ctx);
        }
        linear(value + w, c->a, w, c->b, ctx);
        darc_projection_derive(value + dw, value + w, proj);
        nmod_mpoly_compose_nmod_mpoly(g, g, at, ctx, ctx);
        DARC_ALL_IN(nmod_mpoly_clear, ctx, value, vars);
        DARC_FREE(value, at);
    }
}

darc_status darc_coordinate_change(darc_projection_t proj, int j, int i,
                                   darc_err *err)
{
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    darc_status status = DARC_OK;
    if (proj->keeps_coordinates ||
        darc_ring_degree(proj->Q + j, proj->x[i], proj->ring) != 1)
        return DARC_OK;
    darc_split Q;
    shift h;
    darc_mpoly_inits(ctx, h.a, h.b, h.map, h.rate, NULL);
    darc_split_init(&Q, proj->Q + j, proj->x[i], proj->ring);
    if (set_shift(&h, Q.c + 1, j, proj)) {
        set_maps(&h, proj);
        status = apply(&h, proj, err);
        DARC_ROOM(proj->change, proj->changes);
        darc_coordinate *c = proj->change + proj->changes++;
        c->state = h.state;
        darc_mpoly_inits(ctx, c->a, c->b, NULL);
        nmod_mpoly_set(c->a, h.a, ctx);
        nmod_mpoly_set(c->b, h.b, ctx);
    }
    darc_split_clear(&Q, proj->ring);
    darc_mpoly_clears(ctx, h.a, h.b, h.map, h.rate, NULL);
    return status;
}
