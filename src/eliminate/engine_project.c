#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/thresholds.h"
#include "modular/reconstruct.h"
#include "projection/route.h"

typedef struct {
    darc_ioeqs_struct *out;
    darc_problem_struct *p;
    darc_route route; /* choice NULL: none needed so far */
    darc_reached_t reached;
    darc_residues *image; /* of output j: of its polynomial, n 0: none; owned */
    bool *done;           /* whether output j has its equation; owned */
} projecting;

/* Return whether q vanishes at random points modulo other primes. */
static bool vanishes(const darc_dpoly_t q, projecting *w)
{
    bool zero = true;
    for (int i = 0; i < DARC_PROJECT_CHECKS && zero; i++) {
        darc_point_t pt;
        darc_point_init(pt, w->p->s, w->p->length, darc_finite_prime(i),
                        w->p->rand);
        zero = darc_point_eval(pt, q, w->out->jet) == 0;
        darc_point_clear(pt);
    }
    return zero;
}

/* Take in the images modulo one more prime and append every equation that they
 * give; return whether all are done. */
static bool take_images(projecting *w, const darc_projection_t proj)
{
    const darc_jet_struct *jet = w->out->jet;
    bool all = true;
    for (int j = 0; j < w->p->s->outputs; j++) {
        if (w->done[j])
            continue;
        darc_dpoly_t q;
        darc_dpoly_init(q, jet);
        w->done[j] = darc_projection_join(q, jet, w->image + j, proj->Q + j,
                                          proj->deriv, proj->ring) &&
                     vanishes(q, w);
        if (w->done[j]) {
            darc_ioeqs_append(w->out, q, "projection");
            darc_reached_equation(w->reached, j, q, jet);
        }
        all = all && w->done[j];
        darc_dpoly_clear(q, jet);
    }
    return all;
}

/* Run proj to its end the obvious way; DARC_LIMIT when that is long, which is
 * tried with numbers for the parameters first. */
static darc_status run_obvious(projecting *w, const darc_point_t pt,
                               darc_projection_t proj, darc_err *err)
{
    darc_status status;
    for (int variables = 0; variables < 2; variables++) {
        darc_projection_init(proj, w->p, pt, !variables);
        if (variables)
            darc_reached_projection(w->reached, proj);
        status = darc_route_obvious(
            proj, variables ? DARC_SHORT_WORK : DARC_EASY_WORK,
            variables ? w->reached : NULL, err);
        if (status != DARC_OK || !variables)
            darc_projection_clear(proj);
        if (status != DARC_OK)
            return status;
    }
    return DARC_OK;
}

/* Run proj to its end by the route that is cheapest with numbers. */
static darc_status run_best(projecting *w, const darc_point_t pt,
                            darc_projection_t proj, darc_err *err)
{
    darc_status status = DARC_OK;
    if (w->route.choice == NULL) {
        /* The obvious way with variables as far as that is cheap may be all
         * that is ever reached. */
        bool read = darc_budget_is_read(w->p->budget);
        if (read) {
            darc_projection_init(proj, w->p, pt, false);
            darc_reached_projection(w->reached, proj);
            darc_status ended =
                darc_route_obvious(proj, DARC_READ_WORK, w->reached, NULL);
            (void)ended; /* far enough in any case */
            darc_projection_clear(proj);
        }
        status = darc_route_init(&w->route, w->p, pt, NULL, err);
        /* One more run with numbers shows the monomials of all outputs. */
        if (status == DARC_OK && read) {
            darc_projection_init(proj, w->p, pt, true);
            if (darc_route_run(&w->route, proj, NULL, NULL) == DARC_OK)
                darc_reached_monomials(w->reached, proj);
            darc_projection_clear(proj);
        }
    }
    DARC_NEED(status);
    darc_projection_init(proj, w->p, pt, false);
    w->reached->furthest = -1; /* another way than that of run_obvious */
    darc_reached_projection(w->reached, proj);
    status = darc_route_run(&w->route, proj, w->reached, err);
    if (status != DARC_OK)
        darc_projection_clear(proj);
    return status;
}

static darc_status run_projection(projecting *w, const darc_point_t pt,
                                  darc_projection_t proj, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_status status =
        w->route.choice != NULL ? DARC_LIMIT : run_obvious(w, pt, proj, &why);
    if (status == DARC_LIMIT)
        return run_best(w, pt, proj, err);
    return darc_fail_as(err, status, &why);
}

/* Run the elimination modulo the prime and take in the images; *all: every
 * equation is known then. */
static darc_status one_prime(projecting *w, bool *all, ulong prime,
                             darc_err *err)
{
    darc_point_t pt;
    darc_projection_t proj;
    darc_point_init(pt, w->p->s, w->p->length, prime, w->p->rand);
    darc_status status = run_projection(w, pt, proj, err);
    if (status == DARC_OK) {
        darc_reached_monomials(w->reached, proj);
        *all = take_images(w, proj);
        darc_projection_clear(proj);
    }
    darc_point_clear(pt);
    return status;
}

static darc_status all_primes(projecting *w, darc_err *err)
{
    size_t m = (size_t)w->p->s->outputs;
    DARC_CALLOC(m, w->image, w->done);
    bool all = false;
    darc_status status = DARC_OK;
    for (int i = 0; i < DARC_PROJECT_PRIMES && !all && status == DARC_OK; i++)
        status =
            one_prime(w, &all, darc_finite_prime(DARC_PROJECT_PRIME + i), err);
    if (status == DARC_OK && !all)
        status = darc_fail(err, DARC_LIMIT,
                           "coefficients do not settle after %d primes",
                           DARC_PROJECT_PRIMES);
    for (size_t j = 0; j < m; j++)
        if (w->image[j].n > 0)
            darc_residues_clear(w->image + j);
    DARC_FREE(w->image, w->done);
    return status;
}

/* Append the equation of the only output as operators give it.
 * Fails: DARC_DOMAIN when there are others, or that is not an equation of least
 * order. */
static darc_status by_operators(projecting *w, const darc_model *model,
                                darc_err *err)
{
    const darc_jet_struct *jet = w->out->jet;
    bool certain;
    darc_dpoly_t q, core;
    if (w->p->s->outputs != 1)
        return darc_fail(err, DARC_DOMAIN,
                         "model '%s' has not one output, which the engine "
                         "'linear' is for",
                         darc_model_name(model));
    darc_dpoly_inits(jet->ctx, q, core, NULL);
    darc_status status =
        darc_operator_relation(q, &certain, jet, model, w->p->budget, err);
    if (status == DARC_OK &&
        (darc_dpoly_order(q, w->p->s->output[0], jet) != w->p->order[0] ||
         (!certain && darc_engine_core(core, q, jet) != 1) || !vanishes(q, w)))
        status = darc_fail(err, DARC_DOMAIN, "a relation of higher order");
    if (status == DARC_OK)
        darc_ioeqs_append(w->out, q, "linear");
    darc_dpoly_clears(jet->ctx, q, core, NULL);
    return status;
}

static darc_status project_model(darc_ioeqs_t out, const darc_model *model,
                                 bool linear, const darc_budget *budget,
                                 darc_err *err)
{
    darc_problem_t p;
    projecting w = {.out = out, .p = p};
    DARC_NEED(darc_problem_init(p, model, out->jet->ranking, budget, err));
    darc_ioeqs_reframe(out, out->jet->names, out->jet->ranking, p->bound);
    darc_reached_init(w.reached, p);
    darc_status status =
        linear ? by_operators(&w, model, err) : all_primes(&w, err);
    darc_reached_clear(w.reached);
    if (status == DARC_OK) { /* each is right by itself */
        darc_point_t pt;
        darc_point_init(pt, p->s, p->length, darc_finite_prime(0), p->rand);
        ulong *at = darc_calloc((size_t)out->jet->vars, sizeof *at);
        for (slong v = 0; v < out->jet->vars; v++)
            at[v] = darc_point_value(pt, out->jet->deriv[v]);
        status = darc_ioeqs_make_prime(out, at, pt->mod, budget, err);
        darc_free(at);
        darc_point_clear(pt);
    }
    darc_route_clear(&w.route);
    DARC_THEN(darc_dpolys_move(out->inequations, out->jet, p->s->inequations,
                               p->s->jet, err));
    darc_problem_clear(p);
    return status;
}

darc_status darc_engine_project(darc_ioeqs_t out, const darc_model *model,
                                const darc_budget *budget, darc_err *err)
{
    return project_model(out, model, false, budget, err);
}

darc_status darc_engine_linear(darc_ioeqs_t out, const darc_model *model,
                               const darc_budget *budget, darc_err *err)
{
    return project_model(out, model, true, budget, err);
}
