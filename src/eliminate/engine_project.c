#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/linear.h"
#include "eliminate/operator.h"
#include "eliminate/primality.h"
#include "project/lift.h"
#include "project/project.h"
#include "project/reached.h"

#include <string.h>

#define PRIMES 64 /* after so many primes the coefficients are given up */
#define CHECKS 2  /* points at which an equation must vanish */

/* Products of terms that are done in a few milliseconds, and those with
 * numbers for the parameters where that is likely. */
#define SHORT_WORK 1e6
#define EASY_WORK 2e4
#define READ_WORK 1e5

/* The first primes are for checks and orders. */
#define FIRST_PRIME 3

typedef struct {
    darc_ioeqs_struct *out;
    const darc_solved_struct *s;
    const int *target;
    bool linear;      /* by determinants, not by resultants */
    darc_route route; /* choice NULL: none needed so far */
    slong length;     /* of the power series of a point */
    const darc_budget *budget;
    darc_reached_t reached;
    flint_rand_t rand;
} job;

/* Return whether q vanishes at random points modulo other primes. */
static bool vanishes(const darc_dpoly_t q, job *w)
{
    bool zero = true;
    for (int i = 0; i < CHECKS && zero; i++) {
        darc_point_t pt;
        darc_point_init(pt, w->s, w->length, darc_finite_prime(i), w->rand);
        zero = darc_point_eval(pt, q, w->out->jet) == 0;
        darc_point_clear(pt);
    }
    return zero;
}

/* Try to append every equation with the images taken so far; return whether
 * all are done. */
static bool finish(job *w, darc_lift_struct *lift, bool *done,
                   const darc_flow_t flow, double start)
{
    bool all = true;
    for (int j = 0; j < w->s->outputs; j++) {
        if (done[j])
            continue;
        darc_dpoly_t q;
        fmpz *coeff = _fmpz_vec_init(lift[j].terms);
        darc_dpoly_init(q, w->out->jet);
        if (darc_lift_integers(coeff, lift + j)) {
            darc_lift_poly(q, w->out->jet, coeff, flow->Q + j, flow);
            done[j] = vanishes(q, w);
        }
        if (done[j]) {
            darc_ioeqs_append(w->out, q, w->linear ? "linear" : "projection",
                              darc_cpu_time() - start);
            darc_reached_equation(w->reached, j, q, w->out->jet);
        }
        all = all && done[j];
        darc_dpoly_clear(q, w->out->jet);
        _fmpz_vec_clear(coeff, lift[j].terms);
    }
    return all;
}

/* From here on flow tells how far it comes. */
static void start_reading(job *w, darc_flow_t flow)
{
    flow->reached = w->reached;
    darc_reached_flow(w->reached, flow);
}

/* Run flow to its end the obvious way; DARC_LIMIT when that is long, which is
 * tried with numbers for the parameters first. */
static darc_status run_obvious(job *w, const darc_point_t pt, darc_flow_t flow,
                               darc_err *err)
{
    darc_status status;
    for (int variables = 0; variables < 2; variables++) {
        status = darc_flow_init(flow, w->s, w->target, pt, !variables,
                                w->budget, err);
        if (status != DARC_OK)
            return status;
        if (variables)
            start_reading(w, flow);
        status =
            darc_route_obvious(flow, variables ? SHORT_WORK : EASY_WORK, err);
        if (status != DARC_OK || !variables)
            darc_flow_clear(flow);
        if (status != DARC_OK)
            return status;
    }
    return DARC_OK;
}

/* Go the obvious way with variables as far as that is cheap, for what may be
 * all that is ever reached. */
static void read_obvious(job *w, const darc_point_t pt)
{
    darc_flow_t flow;
    if (!darc_budget_is_read(w->budget) ||
        darc_flow_init(flow, w->s, w->target, pt, false, w->budget, NULL) !=
            DARC_OK)
        return;
    start_reading(w, flow);
    darc_status ended = darc_route_obvious(flow, READ_WORK, NULL);
    (void)ended; /* far enough in any case */
    darc_flow_clear(flow);
}

/* Read the monomials of all outputs off one more run with numbers. */
static void find_monomials(job *w, const darc_point_t pt)
{
    darc_flow_t flow;
    if (!darc_budget_is_read(w->budget) ||
        darc_flow_init(flow, w->s, w->target, pt, true, w->budget, NULL) !=
            DARC_OK)
        return;
    if (darc_route_run(&w->route, flow, NULL) == DARC_OK)
        darc_reached_monomials(w->reached, flow);
    darc_flow_clear(flow);
}

/* Run flow to its end by the route that is cheapest with numbers. */
static darc_status run_best(job *w, const darc_point_t pt, darc_flow_t flow,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    if (w->route.choice == NULL) {
        read_obvious(w, pt);
        status = darc_route_init(&w->route, w->s, w->target, pt, w->budget,
                                 NULL, err);
        if (status == DARC_OK)
            find_monomials(w, pt);
    }
    if (status == DARC_OK)
        status =
            darc_flow_init(flow, w->s, w->target, pt, false, w->budget, err);
    if (status != DARC_OK)
        return status;
    w->reached->furthest = -1; /* another way than that of run_obvious */
    start_reading(w, flow);
    status = darc_route_run(&w->route, flow, err);
    if (status != DARC_OK)
        darc_flow_clear(flow);
    return status;
}

static darc_status run_linear(job *w, const darc_point_t pt, darc_flow_t flow,
                              darc_err *err)
{
    darc_status status =
        darc_flow_init(flow, w->s, w->target, pt, false, w->budget, err);
    if (status != DARC_OK)
        return status;
    start_reading(w, flow);
    if (darc_linear_applies(flow))
        status = darc_linear_run(flow, err);
    else
        status = darc_fail(err, DARC_DOMAIN,
                           "the model is not linear in its states with "
                           "constant coefficients");
    if (status != DARC_OK)
        darc_flow_clear(flow);
    return status;
}

static darc_status run_flow(job *w, const darc_point_t pt, darc_flow_t flow,
                            darc_err *err)
{
    darc_err why;
    darc_err_init(&why);
    if (w->linear)
        return run_linear(w, pt, flow, err);
    if (w->route.choice != NULL)
        return run_best(w, pt, flow, err);
    darc_status status = run_obvious(w, pt, flow, &why);
    if (status == DARC_LIMIT)
        return run_best(w, pt, flow, err);
    if (status != DARC_OK)
        status = darc_fail(err, status, "%s", why.message);
    return status;
}

/* Run the elimination modulo one prime and take in the images. */
static darc_status one_prime(job *w, darc_lift_struct *lift, bool *done,
                             bool *all, ulong p, double start, darc_err *err)
{
    darc_point_t pt;
    darc_flow_t flow;
    darc_point_init(pt, w->s, w->length, p, w->rand);
    darc_status status = run_flow(w, pt, flow, err);
    if (status == DARC_OK) {
        for (int j = 0; j < w->s->outputs; j++)
            if (!done[j])
                darc_lift_add(lift + j, flow->Q + j, flow->ring);
        darc_reached_monomials(w->reached, flow);
        *all = finish(w, lift, done, flow, start);
        darc_flow_clear(flow);
    }
    darc_point_clear(pt);
    return status;
}

static darc_status all_primes(job *w, darc_err *err)
{
    size_t m = (size_t)w->s->outputs;
    darc_lift_struct *lift = darc_calloc(m, sizeof *lift);
    bool *done = darc_calloc(m, sizeof *done), all = false;
    for (size_t j = 0; j < m; j++)
        darc_lift_init(lift + j);
    double start = darc_cpu_time();
    darc_status status = DARC_OK;
    for (int i = 0; i < PRIMES && !all && status == DARC_OK; i++)
        status = one_prime(w, lift, done, &all,
                           darc_finite_prime(FIRST_PRIME + i), start, err);
    if (status == DARC_OK && !all)
        status =
            darc_fail(err, DARC_LIMIT,
                      "coefficients do not settle after %d primes", PRIMES);
    for (size_t j = 0; j < m; j++)
        darc_lift_clear(lift + j);
    darc_free(lift);
    darc_free(done);
    return status;
}

/* Append the equation of the only output as operators give it.
 * Fails: DARC_DOMAIN when that is not an equation of least order. */
static darc_status by_operators(job *w, const darc_model *model, darc_err *err)
{
    double start = darc_cpu_time();
    const darc_jet_struct *jet = w->out->jet;
    bool certain;
    darc_dpoly_t q, core;
    darc_dpoly_init(q, jet);
    darc_dpoly_init(core, jet);
    darc_status status =
        darc_operator_relation(q, &certain, jet, model, w->budget, err);
    if (status == DARC_OK &&
        (darc_dpoly_order(q, w->s->output[0], jet) != w->target[0] ||
         (!certain && darc_engine_core(core, q, jet) != 1) || !vanishes(q, w)))
        status = darc_fail(err, DARC_DOMAIN, "a relation of higher order");
    if (status == DARC_OK)
        darc_ioeqs_append(w->out, q, "linear", darc_cpu_time() - start);
    darc_dpoly_clear(q, jet);
    darc_dpoly_clear(core, jet);
    return status;
}

static darc_status find_equations(job *w, const darc_model *model,
                                  darc_err *err)
{
    darc_err own;
    darc_err_init(&own);
    darc_status status = DARC_DOMAIN;
    if (w->linear && w->s->outputs == 1)
        status = by_operators(w, model, &own);
    if (status == DARC_DOMAIN)
        return all_primes(w, err);
    return status == DARC_OK ? DARC_OK
                             : darc_fail(err, status, "%s", own.message);
}

/* Make the equations, each right by itself, a characteristic set. */
static darc_status make_prime(job *w, darc_err *err)
{
    darc_point_t pt;
    darc_point_init(pt, w->s, w->length, darc_finite_prime(0), w->rand);
    darc_status status = darc_ioeqs_make_prime(w->out, pt, w->budget, err);
    darc_point_clear(pt);
    return status;
}

static darc_status run(darc_ioeqs_t out, const darc_model *model,
                       const darc_ranking_t ranking, bool linear,
                       const darc_budget *budget, darc_err *err)
{
    darc_solved_t s;
    darc_jet_t first;
    job w = {.out = out, .s = s, .linear = linear, .budget = budget};
    darc_status status = darc_solved_init(s, model, err);
    if (status != DARC_OK)
        return status;
    flint_randinit(w.rand);
    int *target = darc_calloc((size_t)s->outputs, sizeof *target), top = 0;
    darc_point_orders(target, s, ranking, darc_finite_prime(2), w.rand);
    darc_jet_init(first, out->jet->names, out->jet->ranking, out->jet->bound);
    darc_project_frame(out, s, target);
    for (int u = 0; u < s->jet->names->count; u++)
        top = out->jet->bound[u] > top ? out->jet->bound[u] : top;
    w.target = target;
    w.length = top + 2;
    darc_reached_init(w.reached, s, target, budget);
    status = find_equations(&w, model, err);
    darc_reached_clear(w.reached);
    if (status == DARC_OK)
        status = make_prime(&w, err);
    darc_route_clear(&w.route);
    if (status == DARC_OK)
        status = darc_project_inequations(out, s, err);
    if (status == DARC_DOMAIN) { /* for the next engine */
        darc_ioeqs_clear(out);
        darc_ioeqs_init_frame(out, first->names, first->ranking, first->bound);
    }
    darc_jet_clear(first);
    darc_free(target);
    flint_randclear(w.rand);
    darc_solved_clear(s);
    return status;
}

darc_status darc_engine_project(darc_ioeqs_t out, const darc_model *model,
                                const darc_ranking_t ranking,
                                const darc_budget *budget, darc_err *err)
{
    return run(out, model, ranking, false, budget, err);
}

darc_status darc_engine_linear(darc_ioeqs_t out, const darc_model *model,
                               const darc_ranking_t ranking,
                               const darc_budget *budget, darc_err *err)
{
    return run(out, model, ranking, true, budget, err);
}
