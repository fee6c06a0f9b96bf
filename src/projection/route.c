#include "projection/route.h"

#include "base/mem.h"
#include "modular/resultant.h"
#include "projection/thresholds.h"

#include <math.h>

/* ---- a step -------------------------------------------------------------- */

/* Set d to the derivative of Q_j in terms of the alive states and the signals
 * of lower order than the relations bind. */
static darc_status derivative(darc_mpoly *d, int j, darc_projection_t proj,
                              darc_err *err)
{
    const darc_solved_struct *s = proj->s;
    darc_projection_derive(d, proj->Q + j, proj);
    for (int i = 0; i < s->states; i++)
        if (proj->alive[i])
            DARC_NEED(darc_resultant(d, d, proj->E + i, proj->dx[i], proj->ring,
                                     err));
    for (int i = 0; i < s->outputs; i++)
        if (i != j)
            DARC_NEED(darc_resultant(d, d, proj->Q + i,
                                     proj->y[i][proj->order[i]], proj->ring,
                                     err));
    return DARC_OK;
}

/* Report how far proj came, f being the polynomial in hand.
 * Fails: DARC_LIMIT on a spent budget. */
static darc_status report_steps(const darc_projection_t proj,
                                const darc_mpoly *f, darc_err *err)
{
    darc_progress p = {"eliminating the states", proj->steps, proj->total,
                       (long)f->length};
    darc_budget_progress(proj->ring->budget, &p);
    return darc_budget_check(proj->ring->budget, err);
}

/* Do one step. */
static darc_status step_route(darc_projection_t proj, darc_choice choice,
                              darc_reached_struct *reached, darc_err *err)
{
    const darc_solved_struct *s = proj->s;
    darc_ring_struct *ring = proj->ring;
    int j = choice.output;
    slong x = proj->x[choice.state];
    darc_mpoly *pivot = proj->Q + j;
    darc_status status = DARC_OK;
    nmod_mpoly_t d;
    nmod_mpoly_init(d, ring->ctx);
    DARC_TRY(darc_coordinate_change(proj, j, choice.state, err));
    DARC_TRY(derivative(d, j, proj, err));
    DARC_TRY(report_steps(proj, d, err));
    proj->alive[choice.state] = false;
    for (int i = 0; i < s->states; i++)
        if (proj->alive[i])
            DARC_TRY(
                darc_resultant(proj->E + i, proj->E + i, pivot, x, ring, err));
    for (int i = 0; i < s->outputs; i++)
        if (i != j)
            DARC_TRY(
                darc_resultant(proj->Q + i, proj->Q + i, pivot, x, ring, err));
    DARC_TRY(darc_resultant(d, d, pivot, x, ring, err));
    nmod_mpoly_swap(pivot, d, ring->ctx);
    proj->order[j]++;
    proj->steps++;
    if (reached != NULL) {
        nmod_mpoly_swap(proj->pivot + choice.state, d, ring->ctx);
        darc_reached_projection(reached, proj);
    }
    DARC_TRY(report_steps(proj, pivot, err));
done:
    nmod_mpoly_clear(d, ring->ctx);
    return status;
}

/* ---- choices ------------------------------------------------------------ */

/* The work that eliminating state i by Q_j promises: the terms of Q_j times
 * the degrees in x it meets. */
static double cost(const darc_projection_t proj, int j, int i)
{
    const darc_ring_struct *ring = proj->ring;
    slong x = proj->x[i], degree = darc_ring_degree(proj->Q + j, x, ring);
    double meets = (double)degree;
    for (int k = 0; k < proj->s->states; k++)
        if (proj->alive[k]) {
            slong d = darc_ring_degree(proj->E + k, x, ring);
            meets += d > 0 ? (double)d : 0;
        }
    return (double)proj->Q[j].length * meets;
}

/* List the choices of lowest degree in the state; return how many. */
static int list_choices(darc_choice *list, const darc_projection_t proj)
{
    int count = 0;
    slong least = 0;
    for (int j = 0; j < proj->s->outputs; j++)
        for (int i = 0; i < proj->s->states; i++) {
            slong d = darc_ring_degree(proj->Q + j, proj->x[i], proj->ring);
            if (proj->order[j] == proj->target[j] || !proj->alive[i] || d < 1)
                continue;
            if (count == 0 || d < least)
                count = 0;
            if (count > 0 && d > least)
                continue;
            least = d;
            list[count++] = (darc_choice){j, i};
        }
    return count;
}

/* Return the next step: the one that looks cheapest, or a random one; output
 * -1 at the end. */
static darc_choice choose_step(const darc_projection_t proj, darc_choice *list,
                               flint_rand_t rand)
{
    int count = list_choices(list, proj), best = 0;
    if (count == 0)
        return (darc_choice){-1, -1};
    if (rand != NULL)
        return list[n_randint(rand, (ulong)count)];
    for (int k = 1; k < count; k++)
        if (cost(proj, list[k].output, list[k].state) <
            cost(proj, list[best].output, list[best].state))
            best = k;
    return list[best];
}

/* Run proj to its end: by the obvious choices, or (rand not NULL) by random
 * ones of as low a degree.  way, of *count steps, is where it went. */
static darc_status walk(darc_projection_t proj, darc_choice *way, int *count,
                        flint_rand_t rand, darc_reached_struct *reached,
                        darc_err *err)
{
    const darc_solved_struct *s = proj->s;
    darc_choice *list =
        darc_calloc((size_t)(s->states * s->outputs) + 1, sizeof *list);
    darc_status status = DARC_OK;
    for (*count = 0; status == DARC_OK; ++*count) {
        way[*count] = choose_step(proj, list, rand);
        if (way[*count].output < 0)
            break;
        status = step_route(proj, way[*count], reached, err);
    }
    darc_free(list);
    return status;
}

/* ---- the search --------------------------------------------------------- */

typedef struct {
    const darc_problem_struct *p;
    const darc_point_struct *pt;
    darc_reached_struct *reached; /* NULL: nobody is told */
    darc_choice *way;             /* scratch: the way just tried */
    double spent;                 /* work of all ways so far */
    flint_rand_t rand;
} route_search;

/* Try one way, the obvious one or a random one, within a limit of work; keep
 * it in plan if it ends. */
static darc_status try_way(darc_route *plan, route_search *w, bool random,
                           double limit, darc_err *err)
{
    darc_projection_t proj;
    darc_projection_init(proj, w->p, w->pt, true);
    int count;
    proj->ring->work_limit = limit;
    darc_status status =
        walk(proj, w->way, &count, random ? w->rand : NULL, w->reached, err);
    if (status == DARC_OK) {
        DARC_SWAP(darc_choice *, plan->choice, w->way);
        plan->count = count;
        plan->work = proj->ring->work;
    }
    w->spent += proj->ring->work;
    darc_projection_clear(proj);
    return status;
}

/* Try other ways while that is cheap against what they may save. */
static darc_status improve(darc_route *plan, route_search *w, darc_err *err)
{
    for (int k = 0; k < DARC_ROUTE_OTHERS; k++) {
        darc_err ignored = {DARC_OK, ""};
        DARC_NEED(darc_budget_check(w->p->budget, err));
        double share = plan->work < DARC_ROUTE_LONG ? DARC_ROUTE_SHARE
                                                    : DARC_ROUTE_LONG_SHARE;
        if (w->spent > share * plan->work + DARC_ROUTE_WORK ||
            plan->work > DARC_ROUTE_VERY_LONG)
            break;
        darc_status tried = try_way(plan, w, true, plan->work, &ignored);
        (void)tried; /* another way is no duty */
    }
    return DARC_OK;
}

/* Find a way; one with numbers takes less than one with variables, so that the
 * work of the budget ends the search, too. */
static darc_status find_way(darc_route *plan, route_search *w, darc_err *err)
{
    const darc_budget *b = w->p->budget;
    double last = b != NULL && b->work > 0 ? fmin(b->work, DARC_ROUTE_LAST)
                                           : DARC_ROUTE_LAST;
    for (double limit = DARC_ROUTE_WORK;; limit *= DARC_ROUTE_GROWTH)
        for (int k = 0; k < DARC_ROUTE_WAYS; k++) {
            darc_err why = {DARC_OK, ""};
            darc_status status = try_way(plan, w, k > 0, limit, &why);
            if (status == DARC_OK)
                return improve(plan, w, err);
            DARC_NEED(darc_budget_check(w->p->budget, err));
            if (why.status != DARC_LIMIT || limit > last)
                return darc_fail(err, why.status, "%s", why.message);
        }
}

darc_status darc_route_init(darc_route *plan, const darc_problem_t p,
                            const darc_point_t pt, darc_reached_struct *reached,
                            darc_err *err)
{
    size_t n = (size_t)p->s->states + 1;
    route_search w = {.p = p, .pt = pt, .reached = reached};
    w.way = darc_calloc(n, sizeof *w.way);
    flint_randinit(w.rand);
    *plan = (darc_route){.choice = darc_calloc(n, sizeof *plan->choice)};
    darc_status status = find_way(plan, &w, err);
    if (status != DARC_OK)
        darc_route_clear(plan);
    flint_randclear(w.rand);
    darc_free(w.way);
    return status;
}

void darc_route_clear(darc_route *plan)
{
    darc_free(plan->choice);
    plan->choice = NULL;
}

darc_status darc_route_run(const darc_route *plan, darc_projection_t proj,
                           darc_reached_struct *reached, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int k = 0; k < plan->count && status == DARC_OK; k++)
        status = step_route(proj, plan->choice[k], reached, err);
    return status;
}

darc_status darc_route_obvious(darc_projection_t proj, double limit,
                               darc_reached_struct *reached, darc_err *err)
{
    int count;
    darc_choice *way = darc_calloc((size_t)proj->s->states + 1, sizeof *way);
    proj->ring->work_limit = fmin(limit, proj->ring->work_limit);
    darc_status status = walk(proj, way, &count, NULL, reached, err);
    darc_free(way);
    return status;
}
