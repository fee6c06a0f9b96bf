/* column_time.c - columns from those of other moments: delays. */
#include "derive/column.h"

#include "base/mem.h"

#include <math.h>

/* Times are sums of rounded numbers: a millionth of a step counts as the
 * sample itself. */
static double slack_at(const darc_table *table, size_t i)
{
    return i > 0 ? 1e-6 * fabs(darc_table_time(table, i) -
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

/* Return the number of the first segment that ends behind sample i. */
static int segment_behind(const darc_table *table, size_t i)
{
    int low = 0, high = table->segments;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table->segment[middle].end > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Return x, whose first value is that of sample `from`, at time t by the cubic
 * through four samples around it. */
static double interpolate(const double *x, size_t from, double t, size_t at,
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
        sum += w[j] * x[first + j - from];
    return sum;
}

/* Samples of the argument that the delayed ones are made of. */
typedef struct {
    const double *x;
    size_t from;
    double delay;
} past;

/* Set out to the delayed samples begin .. end - 1. */
static void look_back(double *out, const past *p, const darc_table *table,
                      size_t begin, size_t end)
{
    int k = segment_behind(table, begin);
    size_t at = p->from; /* the last sample not after the moment wanted */
    for (size_t i = begin; i < end; i++) {
        out[i - begin] = NAN;
        while (k < table->segments && table->segment[k].end <= i)
            k++;
        if (k == table->segments || table->segment[k].begin > i)
            continue;
        const darc_segment *s = table->segment + k;
        double t = darc_table_time(table, i) - p->delay;
        double slack = slack_at(table, i);
        at = at < s->begin ? s->begin : at;
        if (t < darc_table_time(table, s->begin) - slack)
            continue;
        while (at < i && darc_table_time(table, at + 1) <= t + slack)
            at++;
        double off = t - darc_table_time(table, at);
        out[i - begin] = fabs(off) <= slack
                             ? p->x[at - p->from]
                             : interpolate(p->x, p->from, t, at, s, table);
    }
}

darc_status darc_column_delay(const darc_column *col, double *out, size_t begin,
                              size_t end, double perturb, darc_err *err)
{
    enum { AROUND = 4 }; /* samples that a cubic reaches */
    const darc_table *table = col->c->table;
    past p = {.from = 0};
    darc_expr_is_constant(col->arg[1].e, &p.delay);
    size_t to = last_until(table,
                           darc_table_time(table, end - 1) - p.delay +
                               slack_at(table, end - 1),
                           end - 1);
    p.from = last_until(table, darc_table_time(table, begin) - p.delay, begin);
    p.from = p.from > AROUND ? p.from - AROUND : 0;
    to = table->samples - to > AROUND ? to + AROUND : table->samples;
    double *x = darc_malloc((to - p.from) * sizeof *x);
    darc_status status =
        darc_column_eval(col->arg, x, p.from, to, perturb, err);
    p.x = x;
    if (status == DARC_OK)
        look_back(out, &p, table, begin, end);
    darc_free(x);
    return status;
}
