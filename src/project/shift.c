#include "project/shift.h"

#include "base/mem.h"

typedef struct {
    int state;         /* w */
    slong w, dw;       /* its variable and that of its derivative */
    nmod_mpoly_t a, b; /* z = a*w + b */
    nmod_mpoly_t map;  /* a*w + b - z */
    nmod_mpoly_t rate; /* a*w' + a'*w + b' - z' */
} shift;

static void shift_init(shift *h, const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_init(h->a, ctx);
    nmod_mpoly_init(h->b, ctx);
    nmod_mpoly_init(h->map, ctx);
    nmod_mpoly_init(h->rate, ctx);
}

static void shift_clear(shift *h, const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_clear(h->a, ctx);
    nmod_mpoly_clear(h->b, ctx);
    nmod_mpoly_clear(h->map, ctx);
    nmod_mpoly_clear(h->rate, ctx);
}

/* Return the one alive state in f, linear there; -1 if there is no such. */
static int only_state(const darc_mpoly *f, const darc_flow_t flow)
{
    int found = -1;
    for (int i = 0; i < flow->s->states; i++) {
        if (darc_ring_degree(f, flow->x[i], flow->ring) < 1)
            continue;
        if (found >= 0 || darc_ring_degree(f, flow->x[i], flow->ring) > 1)
            return -1;
        found = i;
    }
    return found;
}

/* Return whether the derivative of f stays among the signals of lower order
 * than the relations bind, in the step that binds the next order of y_j. */
static bool is_low(const darc_mpoly *f, int j, const darc_flow_t flow)
{
    for (int i = 0; i < flow->s->outputs; i++)
        for (int k = 0; k <= flow->target[i]; k++)
            if (k + 1 >= flow->order[i] + (i == j) &&
                darc_ring_degree(f, flow->y[i][k], flow->ring) > 0)
                return false;
    return true;
}

/* Set h from the divisor B; return whether a shift helps. */
static bool set_shift(shift *h, const darc_mpoly *B, int j, darc_flow_t flow)
{
    const darc_ring_struct *ring = flow->ring;
    const nmod_mpoly_ctx_struct *ctx = ring->ctx;
    h->state = only_state(B, flow);
    if (h->state < 0)
        return false;
    h->w = flow->x[h->state];
    h->dw = flow->dx[h->state];
    darc_split s;
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ctx);
    darc_split_init(&s, B, h->w, ring);
    bool useful = s.c[0].length > 0 && nmod_mpoly_gcd(g, s.c, s.c + 1, ctx) &&
                  nmod_mpoly_divides(h->b, s.c, g, ctx) &&
                  nmod_mpoly_divides(h->a, s.c + 1, g, ctx) &&
                  is_low(h->a, j, flow) && is_low(h->b, j, flow);
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

static void set_maps(shift *h, darc_flow_t flow)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    nmod_mpoly_t da, db;
    nmod_mpoly_init(da, ctx);
    nmod_mpoly_init(db, ctx);
    darc_flow_derive(da, h->a, flow);
    darc_flow_derive(db, h->b, flow);
    linear(h->map, h->a, h->w, h->b, ctx);
    linear(h->rate, da, h->w, db, ctx);
    linear(h->rate, h->a, h->dw, h->rate, ctx);
    subtract_new(h->map, flow->spare, flow->ring);
    subtract_new(h->rate, flow->spare + 1, flow->ring);
    nmod_mpoly_clear(da, ctx);
    nmod_mpoly_clear(db, ctx);
}

/* Give the spare variables of f the names w and w'. */
static void rename_spare(darc_mpoly *f, const shift *h, const darc_flow_t flow)
{
    const darc_ring_struct *ring = flow->ring;
    ulong *exp = darc_calloc((size_t)ring->vars, sizeof *exp);
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ring->ctx);
    for (slong t = 0; t < f->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, f, t, ring->ctx);
        exp[h->w] += exp[flow->spare];
        exp[h->dw] += exp[flow->spare + 1];
        exp[flow->spare] = 0;
        exp[flow->spare + 1] = 0;
        nmod_mpoly_push_term_ui_ui(g, f->coeffs[t], exp, ring->ctx);
    }
    nmod_mpoly_sort_terms(g, ring->ctx);
    nmod_mpoly_swap(f, g, ring->ctx);
    nmod_mpoly_clear(g, ring->ctx);
    darc_free(exp);
}

static darc_status substitute(darc_mpoly *f, const shift *h, darc_flow_t flow,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    if (darc_ring_degree(f, h->dw, flow->ring) > 0)
        DARC_TRY(darc_ring_eliminate(f, f, h->rate, h->dw, flow->ring, err));
    DARC_TRY(darc_ring_eliminate(f, f, h->map, h->w, flow->ring, err));
done:
    return status;
}

static darc_status apply(const shift *h, darc_flow_t flow, darc_err *err)
{
    const darc_solved_struct *s = flow->s;
    darc_ring_struct *ring = flow->ring;
    darc_status status = DARC_OK;
    for (int i = 0; i < s->states; i++)
        if (flow->alive[i])
            DARC_TRY(substitute(flow->E + i, h, flow, err));
    for (int i = 0; i < s->outputs; i++)
        DARC_TRY(substitute(flow->Q + i, h, flow, err));
    darc_ring_forget(ring, h->w);
    for (int i = 0; i < s->states; i++)
        if (flow->alive[i])
            rename_spare(flow->E + i, h, flow);
    for (int i = 0; i < s->outputs; i++)
        rename_spare(flow->Q + i, h, flow);
    ring->point[h->w] = ring->point[flow->spare];
    ring->point[h->dw] = ring->point[flow->spare + 1];
done:
    return status;
}

static void record(const shift *h, darc_flow_t flow)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    flow->change = darc_grow(flow->change, (size_t)flow->changes,
                             &flow->change_alloc, sizeof *flow->change);
    darc_coordinate *c = flow->change + flow->changes++;
    c->state = h->state;
    nmod_mpoly_init(c->a, ctx);
    nmod_mpoly_init(c->b, ctx);
    nmod_mpoly_set(c->a, h->a, ctx);
    nmod_mpoly_set(c->b, h->b, ctx);
}

/* Set f to f with a*w + b for w, and its derivative for w'. */
static void undo(darc_mpoly *f, const darc_coordinate *c,
                 const darc_flow_t flow)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    slong vars = flow->ring->vars;
    slong w = flow->x[c->state], dw = flow->dx[c->state];
    darc_mpoly *value = darc_calloc((size_t)vars, sizeof *value);
    darc_mpoly **at = darc_calloc((size_t)vars, sizeof *at);
    for (slong v = 0; v < vars; v++) {
        at[v] = value + v;
        nmod_mpoly_init(value + v, ctx);
        nmod_mpoly_gen(value + v, v, ctx);
    }
    linear(value + w, c->a, w, c->b, ctx);
    darc_flow_derive(value + dw, value + w, flow);
    nmod_mpoly_compose_nmod_mpoly(f, f, at, ctx, ctx);
    for (slong v = 0; v < vars; v++)
        nmod_mpoly_clear(value + v, ctx);
    darc_free(value);
    darc_free(at);
}

void darc_flow_unshift(darc_mpoly *g, const darc_mpoly *f,
                       const darc_flow_t flow)
{
    nmod_mpoly_set(g, f, flow->ring->ctx);
    for (int i = flow->changes - 1; i >= 0; i--)
        undo(g, flow->change + i, flow);
}

darc_status darc_flow_shift(darc_flow_t flow, int j, int i, darc_err *err)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    darc_status status = DARC_OK;
    if (darc_ring_degree(flow->Q + j, flow->x[i], flow->ring) != 1)
        return DARC_OK;
    darc_split Q;
    shift h;
    shift_init(&h, ctx);
    darc_split_init(&Q, flow->Q + j, flow->x[i], flow->ring);
    if (set_shift(&h, Q.c + 1, j, flow)) {
        set_maps(&h, flow);
        status = apply(&h, flow, err);
        record(&h, flow);
    }
    darc_split_clear(&Q, flow->ring);
    shift_clear(&h, ctx);
    return status;
}
