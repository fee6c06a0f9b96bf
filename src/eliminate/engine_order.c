#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/thresholds.h"
#include "projection/route.h"

#include <math.h>
#include <string.h>

/* The outputs of a model, by name, and orders of them that are tried. */
typedef struct {
    int n;
    int *output;   /* ascending names; owned */
    int *position; /* theirs in the ranking, ascending; owned */
    int *order;    /* the order at hand, places in output; owned */
} outputs;

static void outputs_init(outputs *o, const darc_ranking_t rk,
                         const darc_names_t names)
{
    size_t count = (size_t)names->count;
    *o = (outputs){0, darc_calloc(count, sizeof *o->output),
                   darc_calloc(count, sizeof *o->position),
                   darc_calloc(count, sizeof *o->order)};
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind != DARC_OUTPUT)
            continue;
        int i = o->n, k = o->n++;
        for (; i > 0 && strcmp(names->symbol[o->output[i - 1]].name,
                               names->symbol[u].name) > 0;
             i--)
            o->output[i] = o->output[i - 1];
        o->output[i] = u;
        for (; k > 0 && o->position[k - 1] > rk->position[u]; k--)
            o->position[k] = o->position[k - 1];
        o->position[k] = rk->position[u];
    }
    for (int i = 0; i < o->n; i++)
        o->order[i] = i;
}

static void rank_outputs(darc_ranking_t rk, const outputs *o)
{
    for (int i = 0; i < o->n; i++)
        rk->position[o->output[o->order[i]]] = o->position[i];
}

static void swap(int *order, int i, int j)
{
    int t = order[i];
    order[i] = order[j];
    order[j] = t;
}

/* Go on to the next permutation in lexicographic order; return whether there
 * was one. */
static bool next_order(outputs *o)
{
    int i = o->n - 2, j = o->n - 1;
    while (i >= 0 && o->order[i] > o->order[i + 1])
        i--;
    if (i < 0)
        return false;
    while (o->order[j] < o->order[i])
        j--;
    swap(o->order, i, j);
    for (i++, j = o->n - 1; i < j; i++, j--)
        swap(o->order, i, j);
    return true;
}

/* Return the number of terms of all equations, the parameters being numbers;
 * HUGE_VAL when it takes too long. */
static double count_terms(darc_problem_t p)
{
    darc_point_t pt;
    darc_projection_t proj;
    double terms = 0;
    darc_point_init(pt, p->s, p->length, darc_finite_prime(2), p->rand);
    darc_projection_init(proj, p, pt, true);
    darc_status status = darc_route_obvious(proj, DARC_ORDER_WORK, NULL, NULL);
    for (int j = 0; j < p->s->outputs; j++)
        terms += (double)proj->Q[j].length;
    darc_projection_clear(proj);
    darc_point_clear(pt);
    return status == DARC_OK ? terms : HUGE_VAL;
}

typedef struct {
    darc_problem_struct *p;
    darc_ranking_struct *rk;
    darc_ranking_t best;
    double least; /* terms of best */
    int *seen, count;
} order_search;

/* Take the ranking at hand if its equations have fewer terms, `gain` times,
 * than the best ones. */
static void try_order(order_search *w, double gain)
{
    darc_problem_rank(w->p, w->rk);
    if (w->count == 0)
        darc_ranking_set(w->best, w->rk);
    size_t m = (size_t)w->p->s->outputs, size = m * sizeof *w->seen;
    for (int i = 0; i < w->count; i++)
        if (memcmp(w->seen + (size_t)i * m, w->p->order, size) == 0)
            return; /* these orders of the equations have been tried */
    memcpy(w->seen + (size_t)w->count++ * m, w->p->order, size);
    double terms = gain * count_terms(w->p);
    if (terms < w->least) {
        w->least = terms;
        darc_ranking_set(w->best, w->rk);
    }
}

void darc_order_outputs(darc_ranking_t rk, const darc_model *model,
                        const darc_budget *budget)
{
    darc_problem_t p;
    if (darc_problem_init(p, model, rk, budget, NULL) != DARC_OK)
        return;
    size_t m = (size_t)p->s->outputs;
    order_search w = {.p = p, .rk = rk, .least = HUGE_VAL};
    if (m > 1) {
        w.seen = darc_calloc(m * DARC_ORDERS, sizeof *w.seen);
        darc_ranking_init(w.best, rk->unknowns);
        /* By names, in the reverse order, then the others. */
        outputs o;
        outputs_init(&o, w.rk, w.p->s->jet->names);
        rank_outputs(w.rk, &o);
        try_order(&w, 1);
        for (int i = 0; i < o.n; i++)
            o.order[i] = o.n - 1 - i;
        rank_outputs(w.rk, &o);
        try_order(&w, 1);
        for (int i = 0; i < o.n; i++)
            o.order[i] = i;
        for (int i = 2; i < DARC_ORDERS && next_order(&o); i++) {
            rank_outputs(w.rk, &o);
            try_order(&w, DARC_ORDER_GAIN);
        }
        DARC_FREE(o.output, o.position, o.order);
        darc_ranking_set(rk, w.best);
        darc_ranking_clear(w.best);
        darc_free(w.seen);
    }
    darc_problem_clear(p);
}
