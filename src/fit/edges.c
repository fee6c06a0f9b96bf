#include "fit/edges.h"

#include "base/mem.h"
#include "fit/cut.h"

#include <math.h>

double *darc_edges_find(const darc_signalnoise *n, const darc_table *table,
                        const double *x)
{
    bool levels = n->colour == DARC_COLOUR_EXACT || n->jump > 0;
    bool any = false;
    double *before = darc_calloc(2 * table->samples, sizeof *before);
    double *after = before + table->samples;
    for (int i = 0; i < table->segments; i++) {
        const darc_segment *g = table->segment + i;
        for (size_t t = g->begin + 1; t < g->end; t++) {
            double way = fabs(x[t] - x[t - 1]);
            if (levels ? way == 0 || way < n->jump
                       : !darc_cut_is_jump(x, *g, t, n->step))
                continue;
            before[t - 1] = after[t] = way / sqrt(12) / 2;
            any = true;
        }
    }
    if (!any) {
        darc_free(before);
        return NULL;
    }
    return before;
}

double *darc_edges_lost(const darc_table *table, const double *x,
                        const unsigned char *absent, long late)
{
    bool any = false;
    double *before = darc_calloc(2 * table->samples, sizeof *before);
    double *after = before + table->samples;
    for (int i = 0; i < table->segments && absent != NULL; i++) {
        darc_segment g = table->segment[i];
        size_t last = g.end; /* the last that was measured */
        for (size_t t = g.begin; t < g.end; t++) {
            if (absent[t])
                continue;
            long at = (long)t + late;
            double lost = last < t ? (double)(t - last) : 1;
            if (lost > 1 && x[t] != x[last] && at >= 0 &&
                at < (long)table->samples) {
                after[at] = fabs(x[t] - x[last]) * sqrt((lost * lost - 1) / 12);
                any = true;
            }
            last = t;
        }
    }
    if (!any) {
        darc_free(before);
        return NULL;
    }
    return before;
}
