#include "projection/projection.h"

#include "base/mem.h"
#include "projection/point.h"
#include "projection/thresholds.h"

#include <string.h>

/* ---- orders ------------------------------------------------------------- */

/* Independent gradients of derivatives of outputs, in echelon form. */
typedef struct {
    slong rank, n;
    ulong *row;   /* rank rows of n entries, 1 at the pivot; owned */
    slong *pivot; /* owned */
    nmod_t mod;
} basis;

/* Append row, reduced by those there; return whether something is left. */
static bool append_row(basis *b, ulong *row)
{
    for (slong r = 0; r < b->rank; r++)
        _nmod_vec_scalar_addmul_nmod(row, b->row + r * b->n, b->n,
                                     nmod_neg(row[b->pivot[r]], b->mod),
                                     b->mod);
    slong j = 0;
    while (j < b->n && row[j] == 0)
        j++;
    if (j == b->n)
        return false;
    _nmod_vec_scalar_mul_nmod(b->row + b->rank * b->n, row, b->n,
                              nmod_inv(row[j], b->mod), b->mod);
    b->pivot[b->rank++] = j;
    return true;
}

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

/* Find the orders by the variation v; return whether its series are long
 * enough. */
static bool find_orders(int *order, const darc_variation *v,
                        const darc_ranking_struct *ranking)
{
    const darc_solved_struct *s = v->s;
    size_t n = (size_t)s->states;
    basis b = {.n = s->states,
               .row = darc_calloc(n * n + 1, sizeof *b.row),
               .pivot = darc_calloc(n + 1, sizeof *b.pivot),
               .mod = v->pt->mod};
    ulong *row = darc_calloc(n + 1, sizeof *row);
    bool *finished = darc_calloc((size_t)s->outputs, sizeof *finished);
    int j;
    memset(order, 0, (size_t)s->outputs * sizeof *order);
    while ((j = lowest(order, finished, s, ranking)) >= 0 &&
           order[j] < v->pt->length) {
        memset(row, 0, n * sizeof *row);
        darc_variation_output(row, v, j, order[j]);
        if (append_row(&b, row))
            order[j]++;
        else
            finished[j] = true;
    }
    DARC_FREE(b.row, b.pivot, row, finished);
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
