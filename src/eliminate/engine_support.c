#include "base/mem.h"
#include "eliminate/engine.h"
#include "project/lift.h"
#include "project/project.h"
#include "project/reached.h"

#include <assert.h>
#include <string.h>

#define RUNS 8 /* points at which the support is looked for, at most */

typedef struct {
    darc_ioeqs_struct *out;
    const darc_solved_struct *s;
    int *target;
    darc_route route;
    slong length;
    const darc_budget *budget;
    darc_reached_t reached;
    flint_rand_t rand;
    darc_dpolys_t found; /* of output j: the sum of the monomials */
    int *agreed;         /* points that gave just these; owned */
} job;

/* Set q to the sum of the monomials of f. */
static void monomials(darc_dpoly_t q, const darc_mpoly *f,
                      const darc_flow_t flow, const darc_jet_t jet)
{
    fmpz *one = _fmpz_vec_init(f->length);
    for (slong t = 0; t < f->length; t++)
        fmpz_one(one + t);
    darc_lift_poly(q, jet, one, f, flow);
    _fmpz_vec_clear(one, f->length);
}

/* Compare the monomials of output j at a new point with those known: a point
 * may lose monomials by chance, never win any. */
static void compare(job *w, int j, const darc_flow_t flow)
{
    const darc_jet_struct *jet = w->out->jet;
    darc_dpoly_struct *known = w->found->p + j;
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    monomials(q, flow->Q + j, flow, jet);
    if (fmpz_mpoly_equal(q, known, jet->ctx)) {
        w->agreed[j]++;
    } else if (q->length > known->length) {
        fmpz_mpoly_swap(q, known, jet->ctx);
        w->agreed[j] = 1;
    }
    darc_dpoly_clear(q, jet);
}

/* Eliminate at a random point modulo the prime p. */
static darc_status one_point(job *w, ulong p, darc_err *err)
{
    darc_point_t pt;
    darc_flow_t flow;
    darc_status status = DARC_OK;
    darc_point_init(pt, w->s, w->length, p, w->rand);
    if (w->route.choice == NULL)
        status = darc_route_init(&w->route, w->s, w->target, pt, w->budget,
                                 w->reached, err);
    if (status == DARC_OK)
        status =
            darc_flow_init(flow, w->s, w->target, pt, true, w->budget, err);
    if (status == DARC_OK) {
        status = darc_route_run(&w->route, flow, err);
        for (int j = 0; j < w->s->outputs && status == DARC_OK; j++)
            compare(w, j, flow);
        if (status == DARC_OK)
            darc_reached_monomials(w->reached, flow);
        darc_flow_clear(flow);
    }
    darc_point_clear(pt);
    return status;
}

static bool all_agreed(const job *w)
{
    for (int j = 0; j < w->s->outputs; j++)
        if (w->agreed[j] < 2)
            return false;
    return true;
}

static darc_status find_support(job *w, darc_err *err)
{
    double start = darc_cpu_time();
    darc_status status = DARC_OK;
    for (int i = 0; i < RUNS && status == DARC_OK && !all_agreed(w); i++)
        status = one_point(w, darc_finite_prime(i), err);
    if (status == DARC_OK && !all_agreed(w))
        status = darc_fail(err, DARC_LIMIT,
                           "the monomials differ at %d random points", RUNS);
    for (int j = 0; j < w->s->outputs && status == DARC_OK; j++)
        darc_ioeqs_append_support(w->out, w->found->p + j, "projection",
                                  darc_cpu_time() - start);
    return status;
}

darc_status darc_engine_support(darc_ioeqs_t out, const darc_model *model,
                                const darc_ranking_t ranking,
                                const darc_budget *budget, darc_err *err)
{
    darc_solved_t s;
    job w = {.out = out, .s = s, .budget = budget};
    darc_status status = darc_solved_init(s, model, err);
    if (status != DARC_OK)
        return status;
    flint_randinit(w.rand);
    w.target = darc_calloc((size_t)s->outputs, sizeof *w.target);
    w.agreed = darc_calloc((size_t)s->outputs, sizeof *w.agreed);
    darc_point_orders(w.target, s, ranking, darc_finite_prime(RUNS), w.rand);
    darc_project_frame(out, s, w.target);
    darc_dpolys_init(w.found);
    for (int j = 0; j < s->outputs; j++) {
        darc_dpoly_t zero;
        darc_dpoly_init(zero, out->jet);
        darc_dpolys_append_take(w.found, zero, out->jet);
        darc_dpoly_clear(zero, out->jet);
    }
    w.length = 2;
    for (int u = 0; u < s->jet->names->count; u++)
        if (out->jet->bound[u] + 2 > w.length)
            w.length = out->jet->bound[u] + 2;
    darc_reached_init(w.reached, s, w.target, budget);
    status = find_support(&w, err);
    darc_reached_clear(w.reached);
    if (status == DARC_OK)
        status = darc_project_inequations(out, s, err);
    darc_route_clear(&w.route);
    darc_dpolys_clear(w.found, out->jet);
    darc_free(w.target);
    darc_free(w.agreed);
    flint_randclear(w.rand);
    darc_solved_clear(s);
    return status;
}
