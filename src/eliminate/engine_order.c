#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/thresholds.h"
#include "projection/route.h"

#include <math.h>
#include <string.h>

static void reverse_outputs(darc_ranking_t rk, const darc_names_t names)
{
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_OUTPUT)
            rk->position[u] = names->count - 1 - rk->position[u];
}

/* Return the number of terms of all equations, the parameters being numbers;
 * HUGE_VAL when it takes too long. */
static double count_terms(darc_problem_t p)
{
    darc_point_t pt;
    darc_projection_t proj;
    double terms = 0;
    darc_point_init(pt, p->s, p->length, darc_finite_prime(2), p->rand);
    darc_status status = darc_projection_init(proj, p, pt, true, NULL);
    if (status == DARC_OK) {
        status = darc_route_obvious(proj, DARC_ORDER_WORK, NULL, NULL);
        for (int j = 0; j < p->s->outputs; j++)
            terms += (double)proj->Q[j].length;
        darc_projection_clear(proj);
    }
    darc_point_clear(pt);
    return status == DARC_OK ? terms : HUGE_VAL;
}

void darc_order_outputs(darc_ranking_t rk, const darc_model *model,
                        const darc_budget *budget)
{
    darc_problem_t p;
    if (darc_problem_init(p, model, rk, budget, NULL) != DARC_OK)
        return;
    const darc_names_struct *names = p->s->jet->names;
    size_t m = (size_t)p->s->outputs;
    if (m > 1) {
        int *order = darc_calloc(m, sizeof *order);
        memcpy(order, p->order, m * sizeof *order);
        double terms = HUGE_VAL, reversed = HUGE_VAL;
        reverse_outputs(rk, names);
        darc_problem_rank(p, rk);
        bool same = memcmp(order, p->order, m * sizeof *order) == 0;
        if (!same)
            reversed = count_terms(p);
        reverse_outputs(rk, names);
        if (!same) {
            darc_problem_rank(p, rk);
            terms = count_terms(p);
        }
        if (reversed < terms)
            reverse_outputs(rk, names);
        darc_free(order);
    }
    darc_problem_clear(p);
}
