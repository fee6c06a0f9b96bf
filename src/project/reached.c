#include "project/reached.h"

#include "base/mem.h"
#include "project/lift.h"
#include "project/shift.h"

/* The primes of an elimination begin further on. */
#define CHECK_PRIME 1

/* Set bound to that of a frame for all that a flow to the orders target can
 * contain. */
static void set_bounds(int *bound, const darc_solved_t s, const int *target)
{
    const darc_names_struct *names = s->jet->names;
    int top = 0;
    for (int j = 0; j < s->outputs; j++)
        top = target[j] > top ? target[j] : top;
    for (int u = 0; u < names->count; u++)
        bound[u] =
            s->jet->bound[u] + (names->symbol[u].kind == DARC_INPUT ? top : 1);
    for (int j = 0; j < s->outputs; j++)
        bound[s->output[j]] = target[j];
}

void darc_reached_init(darc_reached_t r, const darc_solved_t s,
                       const int *target, const darc_budget *budget)
{
    const darc_names_struct *names = s->jet->names;
    *r = (darc_reached_struct){.budget = budget, .s = s, .furthest = -1};
    if (!darc_budget_is_read(budget))
        return;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound), top = 0;
    set_bounds(bound, s, target);
    for (int u = 0; u < names->count; u++)
        top = bound[u] > top ? bound[u] : top;
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_ioeq_ranking(rk, s->jet->ranking, names);
    darc_partial_init(r->done, names, rk, bound);
    darc_ranking_clear(rk);
    flint_rand_t rand;
    flint_randinit(rand);
    darc_point_init(r->pt, s, top + 2, darc_finite_prime(CHECK_PRIME), rand);
    flint_randclear(rand);
    darc_free(bound);
}

void darc_reached_clear(darc_reached_t r)
{
    if (!darc_budget_is_read(r->budget))
        return;
    darc_partial_clear(r->done);
    darc_point_clear(r->pt);
}

/* Set q to f over Q, in the coordinates of the model; return whether that is
 * known. */
static bool lift(darc_dpoly_t q, const darc_mpoly *f, const darc_reached_t r,
                 const darc_flow_t flow, const darc_jet_t jet)
{
    nmod_mpoly_t g;
    darc_lift_t image;
    nmod_mpoly_init(g, flow->ring->ctx);
    darc_lift_init(image);
    darc_flow_unshift(g, f, flow);
    nmod_mpoly_make_monic(g, g, flow->ring->ctx);
    bool known = darc_lift_add(image, g, flow->ring);
    fmpz *coeff = _fmpz_vec_init(image->terms);
    known = known && darc_lift_integers(coeff, image);
    if (known) {
        darc_lift_poly(q, jet, coeff, g, flow);
        known = darc_point_eval(r->pt, q, jet) == 0;
    }
    _fmpz_vec_clear(coeff, image->terms);
    darc_lift_clear(image);
    nmod_mpoly_clear(g, flow->ring->ctx);
    return known;
}

/* Set q to the sum of the monomials of f without the parameters. */
static void monomials(darc_dpoly_t q, const darc_mpoly *f,
                      const darc_flow_t flow, const darc_jet_t jet)
{
    const darc_ring_struct *ring = flow->ring;
    nmod_mpoly_t g, old;
    nmod_mpoly_init(g, ring->ctx);
    nmod_mpoly_init(old, ring->ctx);
    darc_flow_unshift(old, f, flow);
    ulong *exp = darc_calloc((size_t)ring->vars, sizeof *exp);
    for (slong t = 0; t < old->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, old, t, ring->ctx);
        for (slong v = ring->side; v < ring->vars; v++)
            exp[v] = 0;
        nmod_mpoly_push_term_ui_ui(g, 1, exp, ring->ctx);
    }
    nmod_mpoly_sort_terms(g, ring->ctx);
    nmod_mpoly_combine_like_terms(g, ring->ctx);
    fmpz *one = _fmpz_vec_init(g->length);
    for (slong t = 0; t < g->length; t++)
        fmpz_one(one + t);
    darc_lift_poly(q, jet, one, g, flow);
    _fmpz_vec_clear(one, g->length);
    darc_free(exp);
    nmod_mpoly_clear(g, ring->ctx);
    nmod_mpoly_clear(old, ring->ctx);
}

/* Append f, whose leader is given, as far as it is known. */
static void add(darc_partial_t p, darc_item_place place, const darc_mpoly *f,
                darc_deriv leader, const darc_reached_t r,
                const darc_flow_t flow)
{
    bool io = place == DARC_ITEM_IO;
    darc_item *item =
        darc_partial_add(p, place, DARC_ITEM_SIZE, leader, (long)f->length);
    if (!io && f->length > DARC_MAX_ITEM_TERMS)
        return;
    if (!flow->numeric && lift(item->poly, f, r, flow, p->jet)) {
        item->kind = DARC_ITEM_EQUATION;
    } else if (io || flow->numeric) {
        item->kind = DARC_ITEM_MONOMIALS;
        monomials(item->poly, f, flow, p->jet);
    }
    if (item->kind != DARC_ITEM_SIZE)
        item->terms = (long)item->poly->length;
}

/* Return whether f contains a state or a derivative of one. */
static bool has_state(const darc_mpoly *f, const darc_flow_t flow)
{
    for (slong v = 0; v < flow->spare + 2; v++)
        if (darc_ring_degree(f, v, flow->ring) > 0)
            return true;
    return false;
}

/* Return the highest derivative of output j in Q_j. */
static darc_deriv output_leader(const darc_flow_t flow, int j)
{
    int k = flow->target[j];
    while (k > 0 &&
           darc_ring_degree(flow->Q + j, flow->y[j][k], flow->ring) < 1)
        k--;
    return (darc_deriv){flow->s->output[j], k};
}

/* Return what is known of output j, NULL for nothing. */
static darc_item *find(const darc_reached_t r, int j)
{
    for (int i = 0; i < r->done->count; i++)
        if (r->done->item[i].leader.unknown == r->s->output[j])
            return r->done->item + i;
    return NULL;
}

static bool is_done(const darc_reached_t r, int j)
{
    const darc_item *item = find(r, j);
    return item != NULL && item->kind == DARC_ITEM_EQUATION;
}

/* Take over the items that are known from before, but those of outputs that
 * flow has come to an end with. */
static void add_known(darc_partial_t p, const darc_reached_t r,
                      const darc_flow_t flow)
{
    for (int j = 0; j < r->s->outputs; j++) {
        const darc_item *old = find(r, j);
        if (old == NULL ||
            (old->kind != DARC_ITEM_EQUATION && !has_state(flow->Q + j, flow)))
            continue;
        darc_item *item =
            darc_partial_add(p, old->place, old->kind, old->leader, old->terms);
        fmpz_mpoly_set(item->poly, old->poly, p->jet->ctx);
    }
}

static void add_outputs(darc_partial_t p, const darc_reached_t r,
                        const darc_flow_t flow)
{
    for (int j = 0; j < flow->s->outputs; j++) {
        if (is_done(r, j))
            continue;
        bool chain = has_state(flow->Q + j, flow);
        add(p, chain ? DARC_ITEM_CHAIN : DARC_ITEM_IO, flow->Q + j,
            output_leader(flow, j), r, flow);
    }
}

static void add_states(darc_partial_t p, const darc_reached_t r,
                       const darc_flow_t flow)
{
    for (int i = 0; i < flow->s->states; i++) {
        darc_deriv d = flow->s->state[i];
        if (flow->alive[i])
            add(p, DARC_ITEM_CHAIN, flow->E + i,
                (darc_deriv){d.unknown, d.order + 1}, r, flow);
        else if (flow->pivot[i].length > 0)
            add(p, DARC_ITEM_CHAIN, flow->pivot + i, d, r, flow);
    }
}

/* Return how far flow came: steps, and outputs that are done. */
static long progress(const darc_flow_t flow)
{
    long n = flow->steps;
    for (int j = 0; j < flow->s->outputs; j++)
        n += !has_state(flow->Q + j, flow);
    return n;
}

void darc_reached_flow(darc_reached_t r, const darc_flow_t flow)
{
    if (!darc_budget_is_read(r->budget) || progress(flow) <= r->furthest)
        return;
    darc_partial_t p;
    const darc_jet_struct *jet = r->done->jet;
    darc_partial_init(p, jet->names, jet->ranking, jet->bound);
    p->done = flow->steps;
    p->steps = flow->total;
    add_known(p, r, flow);
    add_outputs(p, r, flow);
    add_states(p, r, flow);
    if (darc_budget_reached(r->budget, p))
        r->furthest = progress(flow);
    darc_partial_clear(p);
}

/* Set the item of output j to q, in frame jet, of the given kind. */
static void keep(darc_reached_t r, int j, darc_deriv leader,
                 darc_item_kind kind, const darc_dpoly_t q,
                 const darc_jet_t jet)
{
    darc_item *item = find(r, j);
    if (item == NULL)
        item = darc_partial_add(r->done, DARC_ITEM_IO, kind, leader, 0);
    item->kind = kind;
    item->leader = leader;
    item->terms = (long)q->length;
    if (darc_dpoly_move(item->poly, r->done->jet, q, jet, NULL) != DARC_OK)
        item->kind = DARC_ITEM_SIZE;
}

void darc_reached_monomials(darc_reached_t r, const darc_flow_t flow)
{
    if (!darc_budget_is_read(r->budget))
        return;
    for (int j = 0; j < flow->s->outputs; j++) {
        if (is_done(r, j) || has_state(flow->Q + j, flow))
            continue;
        darc_dpoly_t q;
        darc_dpoly_init(q, r->done->jet);
        monomials(q, flow->Q + j, flow, r->done->jet);
        keep(r, j, output_leader(flow, j), DARC_ITEM_MONOMIALS, q,
             r->done->jet);
        darc_dpoly_clear(q, r->done->jet);
    }
}

void darc_reached_equation(darc_reached_t r, int j, const darc_dpoly_t q,
                           const darc_jet_t jet)
{
    if (!darc_budget_is_read(r->budget))
        return;
    slong v = darc_dpoly_leader(q, jet);
    keep(r, j, jet->deriv[v], DARC_ITEM_EQUATION, q, jet);
    darc_budget_reached(r->budget, r->done);
}
