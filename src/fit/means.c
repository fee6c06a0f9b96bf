#include "fit/means.h"

#include "base/mem.h"
#include "data/table.h"

#include <math.h>

enum { BESIDE = 2 }; /* samples on either side */

/* Return the derivative at sample k of the integral of the means x, of the
 * segment. */
static double derivative_at(const double *x, size_t k, darc_segment g,
                            const darc_table *table)
{
    size_t first = k > g.begin + BESIDE ? k - BESIDE : g.begin;
    size_t end = k + BESIDE + 1 < g.end ? k + BESIDE + 1 : g.end;
    double sum = 0, at[2 * BESIDE + 1], integral[2 * BESIDE + 1];
    for (size_t j = first; j < end; j++) {
        at[j - first] = darc_table_time(table, j) - darc_table_time(table, k);
        integral[j - first] =
            j == first ? 0
                       : integral[j - first - 1] +
                             x[j] * (at[j - first] - at[j - first - 1]);
    }
    for (size_t j = 0; j < end - first; j++) {
        double weight = 1 / at[j]; /* of the derivative at 0, by Lagrange */
        for (size_t i = 0; i < end - first && at[j] != 0; i++)
            if (i != j)
                weight *= at[i] == 0 ? 1 : at[i] / (at[i] - at[j]);
        if (at[j] != 0)
            sum += weight * (integral[j] - integral[k - first]);
    }
    return sum;
}

/* The noise of a mean is in the derivative at four samples. */
static void spread_noise(darc_weak_signal *s)
{
    static const double factor[] = {-1.0 / 12, 7.0 / 12, 7.0 / 12, -1.0 / 12};
    const darc_weak_source *old = s->source;
    darc_weak_source *list = NULL;
    for (int i = 0; i < 4 * s->sources; i++) {
        DARC_ROOM(list, i);
        list[i] = old[i / 4];
        list[i].factor *= factor[i % 4];
        list[i].shift += i % 4 - 1;
    }
    s->sources *= 4;
    s->source = list;
    darc_free((void *)old);
}

double *darc_means_undo(darc_weak_signal *s, const darc_table *table)
{
    double *v = darc_malloc((table->samples + 1) * sizeof *v);
    for (size_t t = 0; t < table->samples; t++)
        v[t] = s->value[t];
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin; t < g.end && g.end - g.begin > BESIDE; t++)
            v[t] = derivative_at(s->value, t, g, table);
    }
    s->value = v;
    spread_noise(s);
    return v;
}
