#include "derive/delay.h"

#include "derive/differ.h"
#include "derive/thresholds.h"

#include <math.h>
#include <stdint.h>

static double slack_at(const darc_table *table, size_t i)
{
    return i > 0 ? DARC_TIME_SLACK * fabs(darc_table_time(table, i) -
                                          darc_table_time(table, i - 1))
                 : 0;
}

/* Return the last of samples 0 .. i whose time is t at most, 0 if none is. */
static size_t last_until(const darc_table *table, double t, size_t i)
{
    size_t low = 0, high = i + 1; /* the sample lies in low .. high - 1 */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (darc_table_time(table, middle) <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Return the value at time t by the cubic through four samples around it. */
static double interpolate(const darc_stretch *v, double t, size_t at,
                          const darc_segment *s, const darc_table *table)
{
    /* samples first .. first + 3 of the segment, t in the middle of them
     * where the ends allow */
    size_t first = at > s->begin ? at - 1 : s->begin;
    if (s->end - s->begin < 4)
        return NAN;
    if (first + 4 > s->end)
        first = s->end - 4;
    double time[4], w[4], sum = 0;
    for (size_t j = 0; j < 4; j++)
        time[j] = darc_table_time(table, first + j) - t;
    darc_fdweights(w, 0, 0, time, 4);
    for (size_t j = 0; j < 4; j++)
        sum += w[j] * v->x[first + j - v->at.begin];
    return sum;
}

darc_segment darc_delay_reach(const darc_table *table, double delay,
                              darc_segment at)
{
    enum { AROUND = 4 }; /* samples that a cubic reaches */
    size_t last = at.end - 1;
    double first = darc_table_time(table, at.begin) - delay;
    double until = darc_table_time(table, last) - delay + slack_at(table, last);
    size_t from = last_until(table, first, at.begin);
    size_t to = last_until(table, until, last);
    return (darc_segment){from > AROUND ? from - AROUND : 0,
                          table->samples - to > AROUND ? to + AROUND
                                                       : table->samples};
}

void darc_delay_values(double *out, size_t *source, const darc_stretch *v,
                       double delay, const darc_table *table, darc_segment at)
{
    int k = darc_segment_behind(table, at.begin);
    size_t last = v->at.begin; /* the last sample not after the moment wanted */
    for (size_t i = at.begin; i < at.end; i++) {
        out[i - at.begin] = NAN;
        source[i - at.begin] = SIZE_MAX;
        while (k < table->segments && table->segment[k].end <= i)
            k++;
        if (k == table->segments || table->segment[k].begin > i)
            continue;
        const darc_segment *s = table->segment + k;
        double t = darc_table_time(table, i) - delay;
        double slack = slack_at(table, i);
        last = last < s->begin ? s->begin : last;
        if (t < darc_table_time(table, s->begin) - slack)
            continue;
        while (last < i && darc_table_time(table, last + 1) <= t + slack)
            last++;
        double off = t - darc_table_time(table, last);
        bool exact = fabs(off) <= slack;
        out[i - at.begin] = exact ? v->x[last - v->at.begin]
                                  : interpolate(v, t, last, s, table);
        bool next = !exact && darc_table_time(table, last + 1) - t < off;
        source[i - at.begin] = last + next - v->at.begin;
    }
}
