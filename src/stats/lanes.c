#include "stats/lanes.h"

#include <string.h>

/* Formulas go along in strips, whose sums stay in registers: the loop over
 * samples is written in vectors, since compilers take the one over weights. */
enum { VECTOR = 4, STRIP = 16 };

typedef double lanes __attribute__((vector_size(VECTOR * sizeof(double))));

DARC_EVERY_WIDTH void darc_stencil_apply(double *restrict out, const double *w,
                                         int half, bool odd,
                                         const double *restrict y, size_t n)
{
    const double sign = odd ? -1 : 1;
    size_t at = 0;
    for (; at + STRIP <= n; at += STRIP) {
        lanes sum[STRIP / VECTOR], a, b;
        for (int k = 0; k < STRIP / VECTOR; k++) {
            memcpy(&a, y + at + VECTOR * k, sizeof a);
            sum[k] = w[0] * a;
        }
        for (int j = 1; j <= half; j++)
            for (int k = 0; k < STRIP / VECTOR; k++) {
                memcpy(&a, y + at + VECTOR * k + j, sizeof a);
                memcpy(&b, y + at + VECTOR * k - j, sizeof b);
                sum[k] += w[j] * (a + sign * b);
            }
        memcpy(out + at, sum, sizeof sum);
    }
    for (const double *x = y + at; at < n; at++, x++) {
        out[at] = w[0] * *x;
        for (int j = 1; j <= half; j++)
            out[at] += w[j] * (x[j] + sign * x[-j]);
    }
}

enum { LANES = 8, CHUNK = 4096, DONE = 1 << 16 };

static double sum_lanes(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Return the sum of a term of k, k < n. */
#define ADD_UP(term)                                                           \
    double s[LANES] = {0};                                                     \
    size_t i = 0;                                                              \
    for (; i + LANES <= n; i += LANES)                                         \
        for (size_t l = 0, k = i; l < LANES; l++, k++)                         \
            s[l] += (term);                                                    \
    for (size_t k = i; k < n; k++)                                             \
        s[k - i] += (term);                                                    \
    return sum_lanes(s)

DARC_EVERY_WIDTH double darc_lanes_sum(const double *x, size_t n)
{
    ADD_UP(x[k]);
}

DARC_EVERY_WIDTH double darc_lanes_dot(const double *x, const double *y,
                                       size_t n)
{
    ADD_UP(x[k] * y[k]);
}

DARC_EVERY_WIDTH double darc_lanes_square(const double *x, double shift,
                                          size_t n)
{
    ADD_UP((x[k] - shift) * (x[k] - shift));
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
            double count = (double)m, own = darc_lanes_sum(x + i, m) / count;
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
