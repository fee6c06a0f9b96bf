#include "project/project.h"

#include "base/mem.h"

#include <math.h>

/* The first limit of the work of a way, its growth where no way ends within
 * it, and the number of ways tried then. */
#define FIRST_LIMIT 1e5
#define GROWTH 16
#define WAYS 12
#define LONG 1e7      /* from here on few other ways are tried, */
#define VERY_LONG 1e9 /* and from here on none */

/* The work that eliminating state i by Q_j promises: the terms of Q_j times
 * the degrees in x it meets. */
static double cost(const darc_flow_t flow, int j, int i)
{
    const darc_ring_struct *ring = flow->ring;
    slong x = flow->x[i], degree = darc_ring_degree(flow->Q + j, x, ring);
    double meets = (double)degree;
    for (int k = 0; k < flow->s->states; k++)
        if (flow->alive[k]) {
            slong d = darc_ring_degree(flow->E + k, x, ring);
            meets += d > 0 ? (double)d : 0;
        }
    return (double)flow->Q[j].length * meets;
}

/* List the choices of lowest degree in the state; return how many. */
static int list_choices(darc_choice *list, const darc_flow_t flow)
{
    int count = 0;
    slong least = 0;
    for (int j = 0; j < flow->s->outputs; j++)
        for (int i = 0; i < flow->s->states; i++) {
            slong d = darc_ring_degree(flow->Q + j, flow->x[i], flow->ring);
            if (flow->order[j] == flow->target[j] || !flow->alive[i] || d < 1)
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
static darc_choice choose(const darc_flow_t flow, darc_choice *list,
                          flint_rand_t rand)
{
    int count = list_choices(list, flow), best = 0;
    if (count == 0)
        return (darc_choice){-1, -1};
    if (rand != NULL)
        return list[n_randint(rand, (ulong)count)];
    for (int k = 1; k < count; k++)
        if (cost(flow, list[k].output, list[k].state) <
            cost(flow, list[best].output, list[best].state))
            best = k;
    return list[best];
}

typedef struct {
    const darc_solved_struct *s;
    const int *target;
    const darc_point_struct *pt;
    const darc_budget *budget;
    struct darc_reached *reached; /* NULL: nobody is told */
    darc_choice *list, *way;      /* scratch; the way just tried */
    double spent;                 /* work of all ways so far */
    flint_rand_t rand;
} search;

/* Try one way, the obvious one or a random one, within a limit of work; keep
 * it in plan if it ends. */
static darc_status try_way(darc_route *plan, search *w, bool random,
                           double limit, darc_err *err)
{
    darc_flow_t flow;
    darc_status status =
        darc_flow_init(flow, w->s, w->target, w->pt, true, w->budget, err);
    if (status != DARC_OK)
        return status;
    flow->ring->work_limit = limit;
    flow->reached = w->reached;
    int count = 0;
    while (status == DARC_OK) {
        darc_choice c = choose(flow, w->list, random ? w->rand : NULL);
        if (c.output < 0)
            break;
        w->way[count++] = c;
        status = darc_flow_step(flow, c, err);
    }
    if (status == DARC_OK) {
        darc_choice *swap = plan->choice;
        plan->choice = w->way;
        w->way = swap;
        plan->count = count;
        plan->work = flow->ring->work;
    }
    w->spent += flow->ring->work;
    darc_flow_clear(flow);
    return status;
}

/* Try other ways while that is cheap against what they may save. */
static darc_status improve(darc_route *plan, search *w, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int k = 0; k < 4 * WAYS; k++) {
        darc_err ignored;
        darc_err_init(&ignored);
        DARC_TRY(darc_budget_check(w->budget, err));
        if (w->spent >
                (plan->work < LONG ? 20 : 4) * plan->work + FIRST_LIMIT ||
            plan->work > VERY_LONG)
            break;
        if (try_way(plan, w, true, plan->work, &ignored) != DARC_OK)
            continue;
    }
done:
    return status;
}

static darc_status find_way(darc_route *plan, search *w, darc_err *err)
{
    for (double limit = FIRST_LIMIT;; limit *= GROWTH)
        for (int k = 0; k < WAYS; k++) {
            darc_err why;
            darc_err_init(&why);
            darc_status status = try_way(plan, w, k > 0, limit, &why);
            if (status == DARC_OK)
                return improve(plan, w, err);
            status = darc_budget_check(w->budget, err);
            if (status != DARC_OK)
                return status;
            if (why.status != DARC_LIMIT || limit > 1e15)
                return darc_fail(err, why.status, "%s", why.message);
        }
}

darc_status darc_route_init(darc_route *plan, const darc_solved_t s,
                            const int *target, const darc_point_t pt,
                            const darc_budget *budget,
                            struct darc_reached *reached, darc_err *err)
{
    size_t n = (size_t)s->states;
    search w = {.s = s, .target = target, .pt = pt, .budget = budget};
    w.reached = reached;
    w.list = darc_calloc(n * (size_t)s->outputs, sizeof *w.list);
    w.way = darc_calloc(n, sizeof *w.way);
    flint_randinit(w.rand);
    *plan = (darc_route){.choice = darc_calloc(n, sizeof *plan->choice)};
    darc_status status = find_way(plan, &w, err);
    if (status != DARC_OK)
        darc_route_clear(plan);
    flint_randclear(w.rand);
    darc_free(w.list);
    darc_free(w.way);
    return status;
}

void darc_route_clear(darc_route *plan)
{
    darc_free(plan->choice);
    plan->choice = NULL;
}

darc_status darc_route_run(const darc_route *plan, darc_flow_t flow,
                           darc_err *err)
{
    darc_status status = DARC_OK;
    for (int k = 0; k < plan->count && status == DARC_OK; k++)
        status = darc_flow_step(flow, plan->choice[k], err);
    return status;
}

darc_status darc_route_obvious(darc_flow_t flow, double limit, darc_err *err)
{
    size_t n = (size_t)flow->s->states * (size_t)flow->s->outputs;
    darc_choice *list = darc_calloc(n, sizeof *list);
    darc_status status = DARC_OK;
    flow->ring->work_limit = fmin(limit, flow->ring->work_limit);
    while (status == DARC_OK) {
        darc_choice c = choose(flow, list, NULL);
        if (c.output < 0)
            break;
        status = darc_flow_step(flow, c, err);
    }
    darc_free(list);
    return status;
}
