#include "project/flow.h"

#include "base/mem.h"
#include "project/reached.h"
#include "project/shift.h"

#include <assert.h>

#define CONSTANT (-1)
#define UNIT (-2)
#define OUTSIDE (-3)

/* ---- the frame ---------------------------------------------------------- */

static slong add_var(darc_flow_t flow, slong *vars, darc_deriv d)
{
    flow->deriv[*vars] = d;
    flow->next[*vars] = OUTSIDE;
    return (*vars)++;
}

/* Append u^(top), ..., u^(0) and link them; return the variable of u^(0). */
static slong add_signal(darc_flow_t flow, slong *vars, int u, int top,
                        slong *variable)
{
    for (int k = top; k >= 0; k--) {
        slong v = add_var(flow, vars, (darc_deriv){u, k});
        if (k < top)
            flow->next[v] = v - 1;
        if (variable != NULL)
            variable[k] = v;
    }
    return *vars - 1;
}

static int highest_target(const darc_flow_t flow)
{
    int top = 0;
    for (int j = 0; j < flow->s->outputs; j++)
        top = flow->target[j] > top ? flow->target[j] : top;
    return top;
}

static slong count_vars(const darc_flow_t flow)
{
    const darc_solved_struct *s = flow->s;
    slong vars = 2 * s->states + 2;
    int top = highest_target(flow);
    for (int j = 0; j < s->outputs; j++)
        vars += flow->target[j] + 1;
    for (int u = 0; u < s->jet->names->count; u++)
        vars += s->jet->names->symbol[u].kind == DARC_INPUT
                    ? s->jet->bound[u] + top + 1
                    : 1;
    return vars;
}

static slong add_states(darc_flow_t flow)
{
    const darc_solved_struct *s = flow->s;
    slong vars = 0;
    for (int i = 0; i < s->states; i++) {
        darc_deriv d = s->state[i];
        flow->dx[i] =
            add_var(flow, &vars, (darc_deriv){d.unknown, d.order + 1});
    }
    for (int i = 0; i < s->states; i++) {
        flow->x[i] = add_var(flow, &vars, s->state[i]);
        flow->next[flow->x[i]] = flow->dx[i];
        flow->alive[i] = true;
    }
    flow->spare = add_var(flow, &vars, s->state[0]);
    add_var(flow, &vars, s->state[0]);
    return vars;
}

/* Lay out the variables; return their number. */
static slong layout(darc_flow_t flow, bool numeric)
{
    const darc_solved_struct *s = flow->s;
    int top = highest_target(flow);
    slong vars = add_states(flow);
    for (int j = 0; j < s->outputs; j++) {
        flow->y[j] = darc_calloc((size_t)flow->target[j] + 1, sizeof(slong));
        add_signal(flow, &vars, s->output[j], flow->target[j], flow->y[j]);
    }
    for (int u = 0; u < s->jet->names->count; u++) {
        darc_kind kind = s->jet->names->symbol[u].kind;
        if (kind == DARC_INPUT)
            add_signal(flow, &vars, u, s->jet->bound[u] + top, NULL);
        else if (kind == DARC_TIME)
            flow->next[add_signal(flow, &vars, u, 0, NULL)] = UNIT;
    }
    for (int u = 0; u < s->jet->names->count && !numeric; u++)
        if (darc_jet_is_constant(s->jet, u))
            flow->next[add_signal(flow, &vars, u, 0, NULL)] = CONSTANT;
    return vars;
}

static void flow_alloc(darc_flow_t flow)
{
    size_t n = (size_t)flow->s->states, m = (size_t)flow->s->outputs;
    size_t vars = (size_t)count_vars(flow);
    flow->deriv = darc_calloc(vars, sizeof *flow->deriv);
    flow->next = darc_calloc(vars, sizeof *flow->next);
    flow->x = darc_calloc(n, sizeof *flow->x);
    flow->dx = darc_calloc(n, sizeof *flow->dx);
    flow->alive = darc_calloc(n, sizeof *flow->alive);
    flow->E = darc_calloc(n, sizeof *flow->E);
    flow->pivot = darc_calloc(n, sizeof *flow->pivot);
    flow->order = darc_calloc(m, sizeof *flow->order);
    flow->y = darc_calloc(m, sizeof *flow->y);
    flow->Q = darc_calloc(m, sizeof *flow->Q);
}

void darc_flow_clear(darc_flow_t flow)
{
    for (int i = 0; i < flow->s->states; i++) {
        nmod_mpoly_clear(flow->E + i, flow->ring->ctx);
        nmod_mpoly_clear(flow->pivot + i, flow->ring->ctx);
    }
    for (int i = 0; i < flow->changes; i++) {
        nmod_mpoly_clear(flow->change[i].a, flow->ring->ctx);
        nmod_mpoly_clear(flow->change[i].b, flow->ring->ctx);
    }
    for (int j = 0; j < flow->s->outputs; j++) {
        nmod_mpoly_clear(flow->Q + j, flow->ring->ctx);
        darc_free(flow->y[j]);
    }
    darc_free(flow->deriv);
    darc_free(flow->next);
    darc_free(flow->x);
    darc_free(flow->dx);
    darc_free(flow->alive);
    darc_free(flow->E);
    darc_free(flow->pivot);
    darc_free(flow->change);
    darc_free(flow->order);
    darc_free(flow->y);
    darc_free(flow->Q);
    darc_ring_clear(flow->ring);
}

/* ---- the relations ------------------------------------------------------ */

/* Return the ring variable of derivative d of a model equation, -1 for a
 * parameter that is put in. */
static slong find_var(const darc_flow_t flow, darc_deriv d)
{
    for (slong v = flow->s->states; v < flow->ring->vars; v++)
        if (flow->deriv[v].unknown == d.unknown &&
            flow->deriv[v].order == d.order)
            return v;
    return -1;
}

/* Set f to p, of the frame of the model. */
static void carry(darc_mpoly *f, const darc_dpoly_t p, const slong *map,
                  const darc_flow_t flow, const darc_point_t pt)
{
    const darc_jet_struct *jet = flow->s->jet;
    ulong *x = darc_calloc((size_t)jet->vars, sizeof *x);
    for (slong v = 0; v < jet->vars; v++)
        if (map[v] < 0)
            x[v] = darc_point_value(pt, jet->deriv[v]);
    darc_finite_image(f, flow->ring->ctx, map, x, p, jet->ctx);
    darc_free(x);
}

/* Set f to den * v - num of equation i. */
static darc_status relation(darc_mpoly *f, int i, slong v, const slong *map,
                            darc_flow_t flow, const darc_point_t pt,
                            darc_err *err)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    nmod_mpoly_t den, num;
    nmod_mpoly_init(den, ctx);
    nmod_mpoly_init(num, ctx);
    carry(den, flow->s->den->p + i, map, flow, pt);
    carry(num, flow->s->num->p + i, map, flow, pt);
    darc_status status = darc_ring_remember_factors(flow->ring, den, err);
    nmod_mpoly_gen(f, v, ctx);
    nmod_mpoly_mul(f, f, den, ctx);
    nmod_mpoly_sub(f, f, num, ctx);
    nmod_mpoly_clear(den, ctx);
    nmod_mpoly_clear(num, ctx);
    return status;
}

static darc_status fill(darc_flow_t flow, const darc_point_t pt, darc_err *err)
{
    const darc_solved_struct *s = flow->s;
    darc_status status = DARC_OK;
    slong *map = darc_calloc((size_t)s->jet->vars, sizeof *map);
    for (slong v = 0; v < s->jet->vars; v++)
        map[v] = find_var(flow, s->jet->deriv[v]);
    for (int i = 0; i < s->states; i++) {
        nmod_mpoly_init(flow->E + i, flow->ring->ctx);
        nmod_mpoly_init(flow->pivot + i, flow->ring->ctx);
    }
    for (int j = 0; j < s->outputs; j++)
        nmod_mpoly_init(flow->Q + j, flow->ring->ctx);
    for (int i = 0; i < s->states && status == DARC_OK; i++)
        status = relation(flow->E + i, i, flow->dx[i], map, flow, pt, err);
    for (int j = 0; j < s->outputs && status == DARC_OK; j++)
        status = relation(flow->Q + j, s->states + j, flow->y[j][0], map, flow,
                          pt, err);
    darc_free(map);
    return status;
}

darc_status darc_flow_init(darc_flow_t flow, const darc_solved_t s,
                           const int *target, const darc_point_t pt,
                           bool numeric, const darc_budget *budget,
                           darc_err *err)
{
    *flow = (darc_flow_struct){.s = s, .numeric = numeric, .target = target};
    flow_alloc(flow);
    slong vars = layout(flow, numeric);
    darc_ring_init(flow->ring, vars, pt->mod.n, 1, budget);
    while (flow->ring->side > 0 && flow->next[flow->ring->side - 1] == CONSTANT)
        flow->ring->side--;
    for (slong v = 0; v < vars; v++)
        flow->ring->point[v] = darc_point_value(pt, flow->deriv[v]);
    for (int i = 0; i < s->states; i++)
        flow->ring->point[flow->x[i]] =
            pt->variable[darc_jet_var(s->jet, s->state[i])][0];
    for (int j = 0; j < s->outputs; j++)
        flow->total += target[j];
    darc_status status = fill(flow, pt, err);
    if (status != DARC_OK)
        darc_flow_clear(flow);
    return status;
}

/* ---- a step ------------------------------------------------------------- */

void darc_flow_derive(darc_mpoly *d, const darc_mpoly *f,
                      const darc_flow_t flow)
{
    const nmod_mpoly_ctx_struct *ctx = flow->ring->ctx;
    nmod_mpoly_t a, b;
    nmod_mpoly_init(a, ctx);
    nmod_mpoly_init(b, ctx);
    nmod_mpoly_zero(d, ctx);
    for (slong v = 0; v < flow->ring->vars; v++) {
        if (flow->next[v] == CONSTANT || darc_ring_degree(f, v, flow->ring) < 1)
            continue;
        assert(flow->next[v] != OUTSIDE);
        nmod_mpoly_derivative(a, f, v, ctx);
        if (flow->next[v] != UNIT) {
            nmod_mpoly_gen(b, flow->next[v], ctx);
            nmod_mpoly_mul(a, a, b, ctx);
        }
        nmod_mpoly_add(d, d, a, ctx);
    }
    nmod_mpoly_clear(a, ctx);
    nmod_mpoly_clear(b, ctx);
}

static darc_status report(const darc_flow_t flow, const darc_mpoly *f,
                          darc_err *err)
{
    darc_progress p = {"eliminating the states", flow->steps, flow->total,
                       (long)f->length};
    darc_budget_progress(flow->ring->budget, &p);
    return darc_budget_check(flow->ring->budget, err);
}

darc_status darc_flow_lie(darc_mpoly *d, const darc_mpoly *f, darc_flow_t flow,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    darc_flow_derive(d, f, flow);
    for (int i = 0; i < flow->s->states; i++)
        if (flow->alive[i])
            DARC_TRY(darc_ring_eliminate(d, d, flow->E + i, flow->dx[i],
                                         flow->ring, err));
done:
    return status;
}

/* Set d to the derivative of Q_j in terms of the alive states and the signals
 * of lower order than the relations bind. */
static darc_status derivative(darc_mpoly *d, int j, darc_flow_t flow,
                              darc_err *err)
{
    const darc_solved_struct *s = flow->s;
    darc_status status = DARC_OK;
    DARC_TRY(darc_flow_lie(d, flow->Q + j, flow, err));
    for (int i = 0; i < s->outputs; i++)
        if (i != j)
            DARC_TRY(darc_ring_eliminate(d, d, flow->Q + i,
                                         flow->y[i][flow->order[i]], flow->ring,
                                         err));
done:
    return status;
}

darc_status darc_flow_step(darc_flow_t flow, darc_choice choice, darc_err *err)
{
    const darc_solved_struct *s = flow->s;
    darc_ring_struct *ring = flow->ring;
    int j = choice.output;
    slong x = flow->x[choice.state];
    darc_mpoly *pivot = flow->Q + j;
    darc_status status = DARC_OK;
    nmod_mpoly_t d;
    nmod_mpoly_init(d, ring->ctx);
    DARC_TRY(darc_flow_shift(flow, j, choice.state, err));
    DARC_TRY(derivative(d, j, flow, err));
    DARC_TRY(report(flow, d, err));
    flow->alive[choice.state] = false;
    for (int i = 0; i < s->states; i++)
        if (flow->alive[i])
            DARC_TRY(darc_ring_eliminate(flow->E + i, flow->E + i, pivot, x,
                                         ring, err));
    for (int i = 0; i < s->outputs; i++)
        if (i != j)
            DARC_TRY(darc_ring_eliminate(flow->Q + i, flow->Q + i, pivot, x,
                                         ring, err));
    DARC_TRY(darc_ring_eliminate(d, d, pivot, x, ring, err));
    nmod_mpoly_swap(pivot, d, ring->ctx);
    flow->order[j]++;
    flow->steps++;
    if (flow->reached != NULL) {
        nmod_mpoly_swap(flow->pivot + choice.state, d, ring->ctx);
        darc_reached_flow(flow->reached, flow);
    }
    DARC_TRY(report(flow, pivot, err));
done:
    nmod_mpoly_clear(d, ring->ctx);
    return status;
}
