#include "project/filter.h"

#include "base/mem.h"

/* Return whether Q_j holds a state and none linearly. */
static bool is_nonlinear(const darc_flow_t flow, int j)
{
    slong least = 0;
    for (int i = 0; i < flow->s->states; i++) {
        slong d = darc_ring_degree(flow->Q + j, flow->x[i], flow->ring);
        if (flow->alive[i] && d > 0 && (least == 0 || d < least))
            least = d;
    }
    return least > 1;
}

/* Return whether the derivatives of output j are in Q_j alone. */
static bool is_separate(const darc_flow_t flow, int j)
{
    for (int k = 0; k <= flow->target[j]; k++) {
        slong y = flow->y[j][k];
        for (int i = 0; i < flow->s->states; i++)
            if (flow->alive[i] &&
                darc_ring_degree(flow->E + i, y, flow->ring) > 0)
                return false;
        for (int i = 0; i < flow->s->outputs; i++)
            if (i != j && darc_ring_degree(flow->Q + i, y, flow->ring) > 0)
                return false;
    }
    return true;
}

/* Set *l to the number with dQ/dy = l * dQ/dtop; false if there is none. */
static bool ratio(ulong *l, const darc_mpoly *Q, slong y, slong top,
                  const darc_ring_t ring)
{
    nmod_mpoly_t a, b;
    nmod_mpoly_init(a, ring->ctx);
    nmod_mpoly_init(b, ring->ctx);
    nmod_mpoly_derivative(a, Q, y, ring->ctx);
    nmod_mpoly_derivative(b, Q, top, ring->ctx);
    bool constant = b->length > 0;
    *l = 0;
    if (constant && a->length > 0) {
        *l = nmod_div(a->coeffs[0], b->coeffs[0], ring->mod);
        nmod_mpoly_scalar_mul_ui(b, b, *l, ring->ctx);
        constant = nmod_mpoly_equal(a, b, ring->ctx);
    }
    nmod_mpoly_clear(a, ring->ctx);
    nmod_mpoly_clear(b, ring->ctx);
    return constant;
}

/* Set Q_j to what it is with y^(k) = 0, k < c: s alone is left. */
static void drop_lower(darc_flow_t flow, int j, int c)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    for (int k = 0; k < c; k++) {
        nmod_mpoly_evaluate_one_ui(flow->Q + j, flow->Q + j, flow->y[j][k], 0,
                                   ctx);
        darc_ring_forget(flow->ring, flow->y[j][k]);
    }
    for (int k = c; k <= flow->target[j]; k++)
        darc_ring_forget(flow->ring, flow->y[j][k]);
}

/* The variables from y^(c) on get the values of s, s', ... at the point. */
static void move_point(darc_flow_t flow, const darc_filter *f)
{
    darc_ring_struct *ring = flow->ring;
    const slong *y = flow->y[f->output];
    for (int k = flow->target[f->output]; k >= f->order; k--)
        for (int i = 0; i < f->order; i++)
            ring->point[y[k]] = nmod_add(
                ring->point[y[k]],
                nmod_mul(f->l[i], ring->point[y[k - f->order + i]], ring->mod),
                ring->mod);
}

void darc_flow_filter(darc_flow_t flow, int j)
{
    int c = flow->order[j];
    if (!flow->numeric || c == 0 || c == flow->target[j] ||
        !is_nonlinear(flow, j) || !is_separate(flow, j))
        return;
    darc_filter f = {.output = j, .order = c};
    f.l = darc_calloc((size_t)c, sizeof *f.l);
    bool found = true, lower = false;
    for (int k = 0; k < c && found; k++) {
        found = ratio(f.l + k, flow->Q + j, flow->y[j][k], flow->y[j][c],
                      flow->ring);
        lower = lower || f.l[k] != 0;
    }
    if (!found || !lower) {
        darc_free(f.l);
        return;
    }
    drop_lower(flow, j, c);
    move_point(flow, &f);
    flow->filter = darc_grow(flow->filter, (size_t)flow->filters,
                             &flow->filter_alloc, sizeof *flow->filter);
    flow->filter[flow->filters++] = f;
}

/* Set p to p with y^(c+i) + sum l_k y^(k+i) for the variable y^(c+i), by
 * Horner's rule. */
static darc_status put_in(darc_mpoly *p, const darc_filter *f, int i,
                          darc_flow_t flow, darc_err *err)
{
    darc_ring_struct *ring = flow->ring;
    const slong *y = flow->y[f->output];
    slong top = y[f->order + i];
    darc_status status = DARC_OK;
    darc_split s;
    nmod_mpoly_t sum, t;
    nmod_mpoly_init(sum, ring->ctx);
    nmod_mpoly_init(t, ring->ctx);
    nmod_mpoly_gen(sum, top, ring->ctx);
    for (int k = 0; k < f->order; k++) {
        nmod_mpoly_gen(t, y[k + i], ring->ctx);
        nmod_mpoly_scalar_mul_ui(t, t, f->l[k], ring->ctx);
        nmod_mpoly_add(sum, sum, t, ring->ctx);
    }
    darc_split_init(&s, p, top, ring);
    nmod_mpoly_zero(t, ring->ctx);
    for (slong d = s.degree; d >= 0; d--) {
        DARC_TRY(darc_budget_check(ring->budget, err));
        nmod_mpoly_mul(t, t, sum, ring->ctx);
        nmod_mpoly_add(t, t, s.c + d, ring->ctx);
    }
    nmod_mpoly_swap(p, t, ring->ctx);
done:
    darc_split_clear(&s, ring);
    nmod_mpoly_clear(sum, ring->ctx);
    nmod_mpoly_clear(t, ring->ctx);
    return status;
}

/* Take the values of s, s', ... back to those of y^(c), ... */
static void restore_point(darc_flow_t flow, const darc_filter *f)
{
    darc_ring_struct *ring = flow->ring;
    const slong *y = flow->y[f->output];
    for (int k = f->order; k <= flow->target[f->output]; k++)
        for (int i = 0; i < f->order; i++)
            ring->point[y[k]] = nmod_sub(
                ring->point[y[k]],
                nmod_mul(f->l[i], ring->point[y[k - f->order + i]], ring->mod),
                ring->mod);
}

darc_status darc_flow_unfilter(darc_flow_t flow, darc_err *err)
{
    darc_status status = DARC_OK;
    for (; flow->filters > 0; flow->filters--) {
        darc_filter *f = flow->filter + flow->filters - 1;
        /* From the lowest up: what comes in is not replaced again. */
        for (int i = 0; f->order + i <= flow->target[f->output]; i++)
            DARC_TRY(put_in(flow->Q + f->output, f, i, flow, err));
        nmod_mpoly_make_monic(flow->Q + f->output, flow->Q + f->output,
                              flow->ring->ctx);
        restore_point(flow, f);
        if (darc_ring_value(flow->Q + f->output, flow->ring) != 0)
            DARC_TRY(darc_fail(err, DARC_INTERNAL,
                               "a relation does not vanish on the model"));
        darc_free(f->l);
        f->l = NULL;
    }
done:
    return status;
}
