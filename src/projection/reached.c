#include "projection/route.h"

#include "base/mem.h"
#include "modular/reconstruct.h"
#include "projection/projection.h"
#include "projection/thresholds.h"

void darc_reached_init(darc_reached_t r, const darc_problem_t p)
{
    const darc_names_struct *names = p->s->jet->names;
    *r = (darc_reached_struct){.p = p, .furthest = -1};
    if (!darc_budget_is_read(p->budget))
        return;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    /* Set bound to that of a frame for all that a projection can contain: the
     * derivatives of states besides those of the io-equations. */
    const darc_solved_struct *s = p->s;
    for (int u = 0; u < s->jet->names->count; u++)
        bound[u] = p->bound[u];
    for (int i = 0; i < s->states; i++) { /* an output may be a state as well */
        int *b = bound + s->state[i].unknown, order = s->state[i].order + 1;
        *b = order > *b ? order : *b;
    }
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_ioeq_ranking(rk, p->s->jet->ranking, names);
    darc_partial_init(r->done, names, rk, bound);
    darc_ranking_clear(rk);
    flint_rand_t rand;
    flint_randinit(rand);
    darc_point_init(r->pt, p->s, p->length + 1,
                    darc_finite_prime(DARC_CHECK_PRIME), rand);
    flint_randclear(rand);
    darc_free(bound);
}

void darc_reached_clear(darc_reached_t r)
{
    if (!darc_budget_is_read(r->p->budget))
        return;
    darc_partial_clear(r->done);
    darc_point_clear(r->pt);
}

/* Set q to f over Q, in the coordinates of the model; return whether that is
 * known. */
static bool over_rationals(darc_dpoly_t q, const darc_mpoly *f,
                           const darc_reached_t r, const darc_projection_t proj,
                           const darc_jet_t jet)
{
    nmod_mpoly_t g;
    darc_residues image = {.n = 0};
    nmod_mpoly_init(g, proj->ring->ctx);
    darc_coordinate_restore(g, f, proj);
    nmod_mpoly_make_monic(g, g, proj->ring->ctx);
    bool known =
        darc_projection_join(q, jet, &image, g, proj->deriv, proj->ring) &&
        darc_point_eval(r->pt, q, jet) == 0;
    darc_residues_clear(&image);
    nmod_mpoly_clear(g, proj->ring->ctx);
    return known;
}

/* Set q to the sum of the monomials of f without the parameters. */
static void monomials(darc_dpoly_t q, const darc_mpoly *f,
                      const darc_projection_t proj, const darc_jet_t jet)
{
    const darc_ring_struct *ring = proj->ring;
    nmod_mpoly_t g, old;
    darc_mpoly_inits(ring->ctx, g, old, NULL);
    darc_coordinate_restore(old, f, proj);
    ulong *exp = darc_calloc((size_t)ring->vars, sizeof *exp);
    for (slong t = 0; t < old->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, old, t, ring->ctx);
        for (slong v = ring->side; v < ring->vars; v++)
            exp[v] = 0;
        nmod_mpoly_push_term_ui_ui(g, 1, exp, ring->ctx);
    }
    nmod_mpoly_sort_terms(g, ring->ctx);
    nmod_mpoly_combine_like_terms(g, ring->ctx);
    darc_projection_carry(q, jet, NULL, g, proj->deriv, proj->ring);
    darc_free(exp);
    darc_mpoly_clears(ring->ctx, g, old, NULL);
}

/* Append f, whose leader is given, as far as it is known. */
static void add_item(darc_partial_t p, darc_item_place place,
                     const darc_mpoly *f, darc_deriv leader,
                     const darc_reached_t r, const darc_projection_t proj)
{
    bool io = place == DARC_ITEM_IO;
    darc_item *item =
        darc_partial_add(p, place, DARC_ITEM_SIZE, leader, (long)f->length);
    if (f->length > (io ? DARC_MAX_IO_TERMS : DARC_MAX_ITEM_TERMS))
        return;
    if (!proj->numeric && over_rationals(item->poly, f, r, proj, p->jet)) {
        item->kind = DARC_ITEM_EQUATION;
    } else if (io || proj->numeric) {
        item->kind = DARC_ITEM_MONOMIALS;
        monomials(item->poly, f, proj, p->jet);
    }
    if (item->kind != DARC_ITEM_SIZE)
        item->terms = (long)item->poly->length;
}

/* Return whether f contains a state or a derivative of one. */
static bool has_state(const darc_mpoly *f, const darc_projection_t proj)
{
    for (slong v = 0; v < proj->spare + 2; v++)
        if (darc_ring_degree(f, v, proj->ring) > 0)
            return true;
    return false;
}

/* Return the highest derivative of output j in Q_j. */
static darc_deriv output_leader(const darc_projection_t proj, int j)
{
    int k = proj->target[j];
    while (k > 0 &&
           darc_ring_degree(proj->Q + j, proj->y[j][k], proj->ring) < 1)
        k--;
    return (darc_deriv){proj->s->output[j], k};
}

/* Return what is known of output j, NULL for nothing. */
static darc_item *find_item(const darc_reached_t r, int j)
{
    for (int i = 0; i < r->done->count; i++)
        if (r->done->item[i].leader.unknown == r->p->s->output[j])
            return r->done->item + i;
    return NULL;
}

static bool is_done(const darc_reached_t r, int j)
{
    const darc_item *item = find_item(r, j);
    return item != NULL && item->kind == DARC_ITEM_EQUATION;
}

/* Return how far proj came: steps, and outputs that are done. */
static long progress(const darc_projection_t proj)
{
    long n = proj->steps;
    for (int j = 0; j < proj->s->outputs; j++)
        n += !has_state(proj->Q + j, proj);
    return n;
}

void darc_reached_projection(darc_reached_t r, const darc_projection_t proj)
{
    if (!darc_budget_is_read(r->p->budget) || progress(proj) <= r->furthest)
        return;
    darc_partial_t p;
    const darc_jet_struct *jet = r->done->jet;
    darc_partial_init(p, jet->names, jet->ranking, jet->bound);
    p->done = proj->steps;
    p->steps = proj->total;
    /* Take over the items that are known from before, but those of outputs that
     * proj has come to an end with. */
    for (int j = 0; j < r->p->s->outputs; j++) {
        const darc_item *old = find_item(r, j);
        if (old == NULL ||
            (old->kind != DARC_ITEM_EQUATION && !has_state(proj->Q + j, proj)))
            continue;
        darc_item *item =
            darc_partial_add(p, old->place, old->kind, old->leader, old->terms);
        fmpz_mpoly_set(item->poly, old->poly, p->jet->ctx);
    }
    for (int j = 0; j < proj->s->outputs; j++) {
        if (is_done(r, j))
            continue;
        bool chain = has_state(proj->Q + j, proj);
        add_item(p, chain ? DARC_ITEM_CHAIN : DARC_ITEM_IO, proj->Q + j,
                 output_leader(proj, j), r, proj);
    }
    for (int i = 0; i < proj->s->states; i++) {
        darc_deriv d = proj->s->state[i];
        if (proj->alive[i])
            add_item(p, DARC_ITEM_CHAIN, proj->E + i,
                     (darc_deriv){d.unknown, d.order + 1}, r, proj);
        else if (proj->pivot[i].length > 0)
            add_item(p, DARC_ITEM_CHAIN, proj->pivot + i, d, r, proj);
    }
    if (darc_budget_reached(r->p->budget, p))
        r->furthest = progress(proj);
    darc_partial_clear(p);
}

/* Set the item of output j to q, in frame jet, of the given kind. */
static void keep(darc_reached_t r, int j, darc_deriv leader,
                 darc_item_kind kind, const darc_dpoly_t q,
                 const darc_jet_t jet)
{
    darc_item *item = find_item(r, j);
    if (item == NULL)
        item = darc_partial_add(r->done, DARC_ITEM_IO, kind, leader, 0);
    item->kind = kind;
    item->leader = leader;
    item->terms = (long)q->length;
    if (darc_dpoly_move(item->poly, r->done->jet, q, jet, NULL) != DARC_OK)
        item->kind = DARC_ITEM_SIZE;
}

void darc_reached_monomials(darc_reached_t r, const darc_projection_t proj)
{
    if (!darc_budget_is_read(r->p->budget))
        return;
    for (int j = 0; j < proj->s->outputs; j++) {
        if (is_done(r, j) || has_state(proj->Q + j, proj) ||
            proj->Q[j].length > DARC_MAX_IO_TERMS)
            continue;
        darc_dpoly_t q;
        darc_dpoly_init(q, r->done->jet);
        monomials(q, proj->Q + j, proj, r->done->jet);
        keep(r, j, output_leader(proj, j), DARC_ITEM_MONOMIALS, q,
             r->done->jet);
        darc_dpoly_clear(q, r->done->jet);
    }
}

void darc_reached_equation(darc_reached_t r, int j, const darc_dpoly_t q,
                           const darc_jet_t jet)
{
    if (!darc_budget_is_read(r->p->budget))
        return;
    slong v = darc_dpoly_leader(q, jet);
    keep(r, j, jet->deriv[v], DARC_ITEM_EQUATION, q, jet);
    darc_budget_reached(r->p->budget, r->done);
}
