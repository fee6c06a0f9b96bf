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
            s->runs = false;
            out[j] = NAN;
            if (sd != NULL)
                sd[j] = NAN;
            continue;
        }
        double step =
            s->runs ? darc_table_time(table, i) - darc_table_time(table, i - 1)
                    : 0;
        s->value = s->runs ? s->value + step * (s->last + v->x[j]) / 2 : 0;
        s->variance =
            s->runs ? s->variance + step * step * darc_strip_at(variance, j)
                    : 0;
        s->last = v->x[j];
        s->runs = true;
        out[j] = s->value;
        if (sd != NULL)
            sd[j] = sqrt(s->variance);
    }
}
