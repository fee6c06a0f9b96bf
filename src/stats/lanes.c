#include "stats/lanes.h"

#include "stats/stencil.h"

enum { LANES = 8, CHUNK = 4096, DONE = 1 << 16 };

static double gather(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

DARC_EVERY_WIDTH double darc_lanes_sum(const double *x, size_t n)
{
    double s[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += x[i + (size_t)l];
    for (int l = 0; i < n; i++, l++)
        s[l] += x[i];
    return gather(s);
}

DARC_EVERY_WIDTH double darc_lanes_dot(const double *x, const double *y,
                                       size_t n)
{
    double s[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += x[i + (size_t)l] * y[i + (size_t)l];
    for (int l = 0; i < n; i++, l++)
        s[l] += x[i] * y[i];
    return gather(s);
}

DARC_EVERY_WIDTH double darc_lanes_square(const double *x, double shift,
                                          size_t n)
{
    double s[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double d = x[i + (size_t)l] - shift;
            s[l] += d * d;
        }
    for (int l = 0; i < n; i++, l++)
        s[l] += (x[i] - shift) * (x[i] - shift);
    return gather(s);
}

DARC_EVERY_WIDTH void darc_lanes_add(double *restrict y, double a,
                                     const double *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

/* Means and sums of squares of chunks, put together [Chan, Golub, LeVeque]. */
double darc_lanes_variance(const double *x, const darc_table *table)
{
    double n = 0, mean = 0, squares = 0;
    for (int s = 0; s < table->segments; s++) {
        size_t end = table->segment[s].end;
        for (size_t i = table->segment[s].begin, m; i < end; i += m) {
            m = end - i < CHUNK ? end - i : CHUNK;
            double count = (double)m;
            double own = darc_lanes_sum(x + i, m) / count;
            double off = own - mean;
            squares += darc_lanes_square(x + i, own, m) +
                       off * off * n * count / (n + count);
            mean += off * count / (n + count);
            n += count;
            if ((i + m) / DONE != i / DONE || i + m == end)
                darc_table_done(table, i / DONE * DONE, i + m);
        }
    }
    return n > 0 ? squares / n : 0;
}

double darc_lanes_mean(const double *x, const double *y,
                       const darc_table *table)
{
    double sum = 0, count = 0;
    for (int i = 0; i < table->segments; i++) {
        size_t at = table->segment[i].begin, n = table->segment[i].end - at;
        sum += y != NULL ? darc_lanes_dot(x + at, y + at, n)
                         : darc_lanes_sum(x + at, n);
        count += (double)n;
    }
    return count > 0 ? sum / count : 0;
}
