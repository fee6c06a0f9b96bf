#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/thresholds.h"
#include "projection/route.h"

typedef struct {
    darc_ioeqs_struct *out;
    darc_problem_struct *p;
    darc_route route;
    darc_reached_t reached;
    darc_dpolys_t found; /* of output j: the sum of the monomials */
    int *agreed;         /* points that gave just these; owned */
} support_run;

/* Eliminate at a random point modulo the prime. */
static darc_status one_point(support_run *w, ulong prime, darc_err *err)
{
    darc_point_t pt;
    darc_projection_t proj;
    darc_status status = DARC_OK;
    darc_point_init(pt, w->p->s, w->p->length, prime, w->p->rand);
    if (w->route.choice == NULL)
        status = darc_route_init(&w->route, w->p, pt, w->reached, err);
    if (status == DARC_OK) {
        darc_projection_init(proj, w->p, pt, true);
        status = darc_route_run(&w->route, proj, NULL, err);
        for (int j = 0; j < w->p->s->outputs && status == DARC_OK; j++) {
            /* Compare the monomials of output j at a new point with those
             * known: a point may lose monomials by chance, never win any. */
            const darc_jet_struct *jet = w->out->jet;
            darc_dpoly_struct *known = w->found->p + j;
            darc_dpoly_t q;
            darc_dpoly_init(q, jet);
            darc_projection_carry(q, jet, NULL, proj->Q + j, proj->deriv,
                                  proj->ring);
            if (fmpz_mpoly_equal(q, known, jet->ctx)) {
                w->agreed[j]++;
            } else if (q->length > known->length) {
                fmpz_mpoly_swap(q, known, jet->ctx);
                w->agreed[j] = 1;
            }
            darc_dpoly_clear(q, jet);
        }
        if (status == DARC_OK)
            darc_reached_monomials(w->reached, proj);
        darc_projection_clear(proj);
    }
    darc_point_clear(pt);
    return status;
}

static bool all_agreed(const support_run *w)
{
    for (int j = 0; j < w->p->s->outputs; j++)
        if (w->agreed[j] < 2)
            return false;
    return true;
}

darc_status darc_engine_support(darc_ioeqs_t out, const darc_model *model,
                                const darc_budget *budget, darc_err *err)
{
    darc_problem_t p;
    support_run w = {.out = out, .p = p};
    DARC_NEED(darc_problem_init(p, model, out->jet->ranking, budget, err));
    w.agreed = darc_calloc((size_t)p->s->outputs, sizeof *w.agreed);
    darc_ioeqs_reframe(out, out->jet->names, out->jet->ranking, p->bound);
    for (int j = 0; j < p->s->outputs; j++) {
        darc_dpoly_t zero;
        darc_dpoly_init(zero, out->jet);
        darc_dpolys_append_take(w.found, zero, out->jet);
        darc_dpoly_clear(zero, out->jet);
    }
    darc_reached_init(w.reached, p);
    darc_status status = DARC_OK;
    for (int i = 0;
         i < DARC_SUPPORT_RUNS && status == DARC_OK && !all_agreed(&w); i++)
        status = one_point(&w, darc_finite_prime(i), err);
    if (status == DARC_OK && !all_agreed(&w))
        status = darc_fail(err, DARC_LIMIT,
                           "the monomials differ at %d random points",
                           DARC_SUPPORT_RUNS);
    for (int j = 0; j < w.p->s->outputs && status == DARC_OK; j++)
        darc_ioeqs_append_support(w.out, w.found->p + j, "projection");
    darc_reached_clear(w.reached);
    DARC_THEN(darc_dpolys_move(out->inequations, out->jet, p->s->inequations,
                               p->s->jet, err));
    darc_route_clear(&w.route);
    darc_dpolys_clear(w.found, out->jet);
    darc_free(w.agreed);
    darc_problem_clear(p);
    return status;
}
