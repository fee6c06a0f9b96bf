#include "trajectory/compare.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/stats.h"

#include <math.h>

/* Of one recording: rates, then outputs. */
typedef struct {
    int count;    /* of parameters that are compared */
    int *which;   /* owned; so */
    double *size; /* sums of squares: of the largest term, the output */
    double *gram; /* of slopes by them, count x count of each */
    double *off;  /* what they differ by */
    double *cov;  /* of that */
} moved;

/* Add to `of` rates or outputs, from the one at `first` on. */
static void add_slopes(moved *e, int first, int of, const double *slope,
                       const double *size)
{
    int n = e->count;
    for (int i = 0; i < of; i++) {
        double *gram = e->gram + (first + i) * n * n;
        e->size[first + i] += isfinite(size[i]) ? size[i] * size[i] : 0;
        for (int k = 0; k < n * n; k++)
            gram[k] += slope[e->which[k / n] * of + i] *
                       slope[e->which[k % n] * of + i];
    }
}

/* Set sizes and products along recording r. */
static bool follow_moves(moved *e, darc_match *m, int r)
{
    darc_flow *w = m->flow;
    int n = w->n, q = w->outputs, p = w->params;
    double *z, *f, *a, *b, *g, *c, *d;
    DARC_CARVE({&z, n}, {&f, n}, {&a, n * n}, {&b, n * p + 1}, {&g, q + 1},
               {&c, q * n + 1}, {&d, q * p + 1});
    bool good = darc_match_begin(m, r, NULL, z);
    for (size_t i = 0; i < m->run[r].n && good; i++) {
        double t = m->run[r].time[i];
        w->signals.until = HUGE_VAL;
        w->signals.known = false;
        good = darc_flow_rates(w, t, z, f, a, b) &&
               darc_flow_results(w, t, z, g, c, d);
        darc_flow_sizes(w, t, z, f);
        add_slopes(e, 0, n, b, f);
        add_slopes(e, n, q, d, g);
        good = good && darc_match_go_on(m, r, i, NULL, z);
    }
    darc_free(z);
    return good;
}

/* Set what parameters of recording r differ by: of two, r = 1, from the first;
 * else from what all share. */
static void take_change(moved *e, const darc_comparing *c,
                        const darc_trajectory *x, const darc_linear_match *l,
                        int r)
{
    int p = x->flow.params, n = e->count;
    const int *own = c->apart.place + r * p, *first = c->apart.place;
    for (int i = 0; i < n; i++) {
        int k = e->which[i];
        e->off[i] = c->apart.theta[own[k]] -
                    (x->runs == 2 ? c->apart.theta[first[k]]
                                  : x->match.theta[x->match.place[k]]);
        for (int j = 0; j < n; j++) {
            double v = l->inverse[own[k] * l->columns + own[e->which[j]]];
            if (x->runs == 2)
                v += l->inverse[first[k] * l->columns + first[e->which[j]]];
            e->cov[i * n + j] = v * x->scale;
        }
    }
}

/* Raise c's for recording r; the region is shared by all recordings. */
static void take_most(darc_comparing *c, const moved *e,
                      const darc_trajectory *x)
{
    int n = e->count, places = x->flow.n + x->flow.outputs;
    double r2 = darc_stats_squares_isf(
        x->question->alpha / (x->runs == 2 ? 1 : x->runs), n, x->dof);
    for (int i = 0; i < places; i++) {
        darc_estimates_equation eq = {
            .coeffs = n, .size = sqrt(e->size[i]), .gram = e->gram + i * n * n};
        darc_estimates all = {.equations = 1, .coeffs = n, .eq = &eq};
        if (!(eq.size > 0))
            continue;
        c->moves = fmax(c->moves, darc_estimates_effect(&all, 0, e->off));
        c->moves_most =
            fmax(c->moves_most,
                 darc_estimates_most_effect(&all, 0, e->off, e->cov, r2));
    }
}

void darc_effect_take(darc_comparing *c, darc_trajectory *x,
                      const darc_linear_match *l, const bool *may)
{
    int p = x->flow.params, places = x->flow.n + x->flow.outputs;
    moved e = {.which = darc_malloc((size_t)(p + 1) * sizeof *e.which)};
    bool known = true;
    for (int k = 0; k < p; k++)
        if (may == NULL || !may[k])
            e.which[e.count++] = k;
    for (int i = 0; i < x->runs * e.count; i++)
        known =
            known && c->differing[i / e.count * p + e.which[i % e.count]].known;
    c->moves = c->moves_most = known ? 0 : HUGE_VAL;
    for (int r = 0; r < x->runs && known; r++) {
        int n = e.count;
        DARC_CARVE({&e.size, places}, {&e.gram, places * n * n + 1},
                   {&e.off, n + 1}, {&e.cov, n * n + 1});
        known = follow_moves(&e, &c->apart, r);
        take_change(&e, c, x, l, x->runs == 2 ? 1 : r);
        take_most(c, &e, x);
        c->moves_most = known ? c->moves_most : HUGE_VAL;
        darc_free(e.size);
    }
    darc_free(e.which);
}
