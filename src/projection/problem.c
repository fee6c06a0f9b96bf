#include "projection/projection.h"

#include "base/mem.h"
#include "projection/point.h"
#include "projection/thresholds.h"

#include <string.h>

/* ---- orders ------------------------------------------------------------- */

/* Return the unfinished output whose next derivative is the lowest, -1 when
 * all are finished. */
static int lowest(const int *order, const bool *finished, const darc_solved_t s,
                  const darc_ranking_struct *ranking)
{
    int best = -1;
    for (int j = 0; j < s->outputs; j++) {
        if (finished[j])
            continue;
        darc_deriv d = {s->output[j], order[j]};
        if (best < 0 ||
            darc_ranking_cmp(d, (darc_deriv){s->output[best], order[best]},
                             ranking) < 0)
            best = j;
    }
    return best;
}

/* Find the orders by the variation v: derivatives of outputs whose gradients
 * are independent; return whether its series are long enough. */
static bool find_orders(int *order, const darc_variation *v,
                        const darc_ranking_struct *ranking)
{
    const darc_solved_struct *s = v->s;
    slong size = s->states + 1, rank = 0;
    bool *finished = darc_calloc((size_t)s->outputs, sizeof *finished);
    int j;
    nmod_mat_t rows; /* below the rank they are 0 */
    nmod_mat_init(rows, size, size, v->pt->mod.n);
    memset(order, 0, (size_t)s->outputs * sizeof *order);
    while ((j = lowest(order, finished, s, ranking)) >= 0 &&
           order[j] < v->pt->length) {
        darc_variation_output(nmod_mat_entry_ptr(rows, rank, 0), v, j,
                              order[j]);
        finished[j] = nmod_mat_rref(rows) == rank;
        rank += !finished[j];
        order[j] += !finished[j];
    }
    nmod_mat_clear(rows);
    darc_free(finished);
    return j < 0;
}

void darc_problem_rank(darc_problem_t p, const darc_ranking_struct *ranking)
{
    const darc_solved_struct *s = p->s;
    slong *variable = darc_calloc((size_t)s->states + 1, sizeof *variable);
    for (int i = 0; i < s->states; i++)
        variable[i] = darc_jet_var(s->jet, s->state[i]);
    bool done = false;
    for (slong n = s->states / s->outputs + 2; !done; n *= 2) {
        darc_point_t pt;
        darc_variation v;
        darc_point_init(pt, s, n, darc_finite_prime(DARC_ORDER_PRIME), p->rand);
        darc_variation_init(&v, s, pt, variable, s->states);
        done = find_orders(p->order, &v, ranking);
        darc_variation_clear(&v);
        darc_point_clear(pt);
    }
    darc_free(variable);
    /* Set the bounds of the frame and the length of series. */
    const darc_jet_struct *jet = p->s->jet;
    int top = 0;
    p->length = 2;
    for (int j = 0; j < p->s->outputs; j++)
        top = p->order[j] > top ? p->order[j] : top;
    for (int u = 0; u < jet->names->count; u++)
        p->bound[u] = jet->bound[u] +
                      (jet->names->symbol[u].kind == DARC_INPUT ? top : 0);
    for (int j = 0; j < p->s->outputs; j++)
        p->bound[p->s->output[j]] = p->order[j];
    for (int u = 0; u < jet->names->count; u++)
        if (p->bound[u] + 2 > p->length)
            p->length = p->bound[u] + 2;
}

/* ---- the problem -------------------------------------------------------- */

darc_status darc_problem_init(darc_problem_t p, const darc_model *model,
                              const darc_ranking_struct *ranking,
                              const darc_budget *budget, darc_err *err)
{
    *p = (darc_problem_struct){.budget = budget};
    DARC_NEED(darc_solved_init(p->s, model, err));
    if (p->s->outputs == 0) {
        darc_solved_clear(p->s);
        return darc_fail(err, DARC_DOMAIN, "the model '%s' has no outputs",
                         darc_model_name(model));
    }
    flint_randinit(p->rand);
    p->order = darc_calloc((size_t)p->s->outputs, sizeof *p->order);
    p->bound = darc_calloc((size_t)p->s->jet->names->count, sizeof *p->bound);
    darc_problem_rank(p, ranking);
    return DARC_OK;
}

void darc_problem_clear(darc_problem_t p)
{
    if (p->order == NULL)
        return;
    darc_solved_clear(p->s);
    DARC_FREE(p->order, p->bound);
    flint_randclear(p->rand);
    p->order = NULL;
}
