#include "derive/integral.h"

#include "base/mem.h"
#include "derive/thresholds.h"

#include <math.h>

void darc_integral_init(darc_integral *g, const darc_table *table)
{
    g->state =
        darc_calloc(table->samples / DARC_INTEGRAL_STEP + 1, sizeof *g->state);
}

void darc_integral_clear(darc_integral *g)
{
    darc_free(g->state);
    g->state = NULL;
}

/* Return the mean over the last step: of the cubic through the last four
 * samples where time is even, by Adams and Moulton; fewer at the begin. */
static double mean_of(const darc_integral_state *s, double x, bool even)
{
    const double *v = s->last;
    if (!even || s->runs < 2)
        return (x + v[0]) / 2;
    return s->runs < 3 ? (5 * x + 8 * v[0] - v[1]) / 12
                       : (9 * x + 19 * v[0] - 5 * v[1] + v[2]) / 24;
}

void darc_integral_run(darc_integral_state *s, double *out, double *sd,
                       const darc_stretch *v, const darc_strip *variance,
                       const darc_table *table)
{
    int k = darc_segment_behind(table, v->at.begin);
    for (size_t i = v->at.begin; i < v->at.end; i++) {
        size_t j = i - v->at.begin;
        while (k < table->segments && table->segment[k].end <= i)
            k++;
        bool inside = k < table->segments && table->segment[k].begin <= i;
        if (!inside || !isfinite(v->x[j])) {
            s->runs = 0;
            out[j] = NAN;
            if (sd != NULL)
                sd[j] = NAN;
            continue;
        }
        double step = s->runs > 0 ? darc_table_time(table, i) -
                                        darc_table_time(table, i - 1)
                                  : 0;
        s->value = s->runs > 0
                       ? s->value + step * mean_of(s, v->x[j], table->dt > 0)
                       : 0;
        s->variance =
            s->runs > 0 ? s->variance + step * step * darc_strip_at(variance, j)
                        : 0;
        s->last[2] = s->last[1];
        s->last[1] = s->last[0];
        s->last[0] = v->x[j];
        s->runs += s->runs < 3;
        out[j] = s->value;
        if (sd != NULL)
            sd[j] = sqrt(s->variance);
    }
}
