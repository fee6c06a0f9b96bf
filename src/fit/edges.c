#include "fit/edges.h"

#include "base/mem.h"
#include "fit/cut.h"
#include "fit/thresholds.h"

#include <math.h>

/* What is 0 at all samples is nothing. */
static double *unless_none(double *edges, size_t samples)
{
    for (size_t t = 0; t < 2 * samples; t++)
        if (edges[t] != 0)
            return edges;
    darc_free(edges);
    return NULL;
}

/* When between two samples it jumps is not known: an error uniform over one
 * step, half of it at either sample.  Each step of a staircase is a jump. */
static void add_jumps(double *edges, const darc_signalnoise *n,
                      const darc_table *table, const double *x)
{
    bool levels = n->colour == DARC_COLOUR_EXACT || n->jump > 0;
    for (int i = 0; i < table->segments; i++) {
        const darc_segment *g = table->segment + i;
        for (size_t t = g->begin + 1; t < g->end; t++) {
            double way = fabs(x[t] - x[t - 1]);
            if (levels ? way > 0 && way >= n->jump
                       : darc_cut_is_jump(x, *g, t, n->step))
                edges[t - 1] = edges[t + table->samples] = way / sqrt(12) / 2;
        }
    }
}

/* What samples miss of pulses: a share of what these hold at half the sampling
 * rate, where it stands above the noise. */
static void add_pulses(double *edges, const darc_signalnoise *n,
                       const darc_table *table, const double *x)
{
    static const double weight[] = {20, -15, 6, -1}; /* sin(w/2)^6 of 1 / 64 */
    for (int i = 0; i < table->segments; i++) {
        const darc_segment *g = table->segment + i;
        for (size_t t = g->begin + 3; t + 3 < g->end; t++) {
            double half = weight[0] * x[t];
            for (size_t j = 1; j < 4; j++)
                half += weight[j] * (x[t - j] + x[t + j]);
            if (fabs(half) / 64 > DARC_PULSE_SEEN * n->sd)
                edges[t + table->samples] = DARC_PULSE_MISSED * fabs(half) / 64;
        }
    }
}

double *darc_edges_find(const darc_regression *r, const darc_question *x, int u,
                        const darc_table *table, bool staircase)
{
    const darc_signalnoise *n = r->noise + u;
    const double *value = table->signal[r->at[u]].value;
    bool jumps = x->by->edges && x->by->jumps != NULL && x->by->jumps[u];
    jumps = n->rms > 0 && (staircase || jumps);
    if (r->held[u] != DARC_HELD_NOT)
        return darc_edges_lost(table, value, darc_table_absent(table, r->at[u]),
                               0);
    if (!jumps && !x->by->pulses)
        return NULL;
    double *edges = darc_calloc(2 * table->samples, sizeof *edges);
    (jumps ? add_jumps : add_pulses)(edges, n, table, value);
    return unless_none(edges, table->samples);
}

double *darc_edges_lost(const darc_table *table, const double *v,
                        const unsigned char *absent, long late)
{
    if (absent == NULL)
        return NULL;
    double *edges = darc_calloc(2 * table->samples, sizeof *edges);
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        size_t last = g.end; /* the last that was measured */
        for (size_t t = g.begin; t < g.end; t++) {
            if (absent[t])
                continue;
            long at = (long)t + late;
            double lost = last < t ? (double)(t - last) : 1;
            if (lost > 1 && v[t] != v[last] && at >= 0 &&
                at < (long)table->samples)
                edges[(size_t)at + table->samples] =
                    fabs(v[t] - v[last]) * sqrt((lost * lost - 1) / 12);
            last = t;
        }
    }
    return unless_none(edges, table->samples);
}
