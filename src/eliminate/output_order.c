#include "base/mem.h"
#include "eliminate/engine.h"
#include "project/project.h"

#include <math.h>
#include <string.h>

/* Products of terms after which an order of the outputs counts as hard. */
#define ORDER_WORK 1e6

static void reverse_outputs(darc_ranking_t rk, const darc_names_t names)
{
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_OUTPUT)
            rk->position[u] = names->count - 1 - rk->position[u];
}

/* Return the number of terms of all equations with the orders target, the
 * parameters being numbers; HUGE_VAL when it takes too long. */
static double count_terms(const darc_solved_t s, const int *target,
                          const darc_budget *budget, flint_rand_t rand)
{
    darc_point_t pt;
    darc_flow_t flow;
    double terms = 0;
    slong length = 2;
    for (int j = 0; j < s->outputs; j++)
        length = target[j] + 2 > length ? target[j] + 2 : length;
    for (int u = 0; u < s->jet->names->count; u++)
        length += s->jet->bound[u];
    darc_point_init(pt, s, length, darc_finite_prime(2), rand);
    darc_status status =
        darc_flow_init(flow, s, target, pt, true, budget, NULL);
    if (status == DARC_OK) {
        status = darc_route_obvious(flow, ORDER_WORK, NULL);
        for (int j = 0; j < s->outputs; j++)
            terms += (double)flow->Q[j].length;
        darc_flow_clear(flow);
    }
    darc_point_clear(pt);
    return status == DARC_OK ? terms : HUGE_VAL;
}

void darc_order_outputs(darc_ranking_t rk, const darc_model *model,
                        const darc_budget *budget)
{
    darc_solved_t s;
    if (darc_solved_init(s, model, NULL) != DARC_OK)
        return;
    flint_rand_t rand;
    flint_randinit(rand);
    size_t m = (size_t)s->outputs;
    int *target = darc_calloc(2 * m, sizeof *target), *other = target + m;
    if (m > 1) {
        darc_point_orders(target, s, rk, darc_finite_prime(2), rand);
        reverse_outputs(rk, s->jet->names);
        darc_point_orders(other, s, rk, darc_finite_prime(2), rand);
        if (memcmp(target, other, m * sizeof *target) == 0 ||
            count_terms(s, other, budget, rand) >=
                count_terms(s, target, budget, rand))
            reverse_outputs(rk, s->jet->names);
    }
    darc_free(target);
    flint_randclear(rand);
    darc_solved_clear(s);
}
