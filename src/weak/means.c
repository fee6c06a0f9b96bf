#include "weak/means.h"

#include "base/mem.h"
#include "data/table.h"

#include <math.h>
#include <string.h>

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

double *darc_means_of_held(darc_weak_signal *s, const darc_table *table,
                           int column, double span)
{
    const double *x = table->signal[column].value;
    const unsigned char *absent = darc_table_absent(table, column);
    size_t n = table->samples, low = 0;
    double *v = darc_malloc(2 * (n + 1) * sizeof *v), *held = v + n;
    double slack = 1e-6 * darc_table_step(table), last = NAN, sum = 0;
    double from, until = NAN; /* the times of `low` and the sample behind */
    memcpy(v, s->value, n * sizeof *v);
    for (size_t t = 0; t < n; t++) {
        bool there = (absent == NULL || !absent[t]) && !isnan(x[t]);
        held[t] = last = there ? x[t] : last;
        if (t > 0 && !isnan(held[t - 1]))
            sum += held[t - 1] *
                   (darc_table_time(table, t) - darc_table_time(table, t - 1));
        from = darc_table_time(table, t) - span;
        while (low < t &&
               (until = darc_table_time(table, low + 1)) <= from + slack) {
            sum -= isnan(held[low])
                       ? 0
                       : held[low] * (until - darc_table_time(table, low));
            low++;
        }
        double over = fmax(0, from - darc_table_time(table, low));
        if (!isnan(v[t]) && !isnan(held[low]))
            v[t] = (sum - held[low] * over) / span;
    }
    s->value = v;
    s->mean = span;
    s->base = x;
    s->base_absent = absent;
    return v;
}
