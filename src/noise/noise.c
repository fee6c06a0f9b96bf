#include "noise/noise.h"

#include "noise/limits.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ORDERS = DARC_NOISE_ORDERS, BLOCK = 2048, DONE = 1 << 16 };

/* C(2k, k). */
static double central_binomial(int k)
{
    double c = 1;
    for (int i = 1; i <= k; i++)
        c *= 4.0 - 2.0 / i;
    return c;
}

DARC_EVERY_WIDTH static void difference(double *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        d[i] = d[i + 1] - d[i];
}

/* Of n samples of the column from `begin` on: differences that begin at the
 * first `starts` of them, all orders of a block in one pass. */
static void add_even(darc_noisesums *e, const darc_table *table,
                     const double *column, size_t begin, size_t n,
                     size_t starts)
{
    double d[BLOCK + ORDERS], sum[ORDERS + 1] = {0};
    for (size_t at = 0; at < starts; at += BLOCK) {
        size_t have = n - at < BLOCK + ORDERS ? n - at : BLOCK + ORDERS;
        size_t here = starts - at < BLOCK ? starts - at : BLOCK;
        memcpy(d, column + begin + at, have * sizeof *d);
        for (size_t p = 1; p <= ORDERS && p < have; p++) {
            difference(d, have - p);
            sum[p] += darc_lanes_dot(d, d, have - p < here ? have - p : here);
        }
        if ((at + BLOCK) % DONE == 0 || at + BLOCK >= starts)
            darc_table_done(table, begin + at / DONE * DONE, begin + at + have);
    }
    for (size_t k = 1; k <= ORDERS && k < n; k++) {
        e->square[k] += sum[k] / central_binomial((int)k);
        e->count[k] += (double)(n - k < starts ? n - k : starts);
    }
}

/* The divided difference of y[0 .. k] over the root of the sum of its
 * squared weights 1 / prod (x_j - x_m). */
static double divided(const double *x, const double *y, int k)
{
    double sum = 0, norm = 0, h = (x[k] - x[0]) / k;
    for (int j = 0; j <= k; j++) {
        double w = 1;
        for (int m = 0; m <= k; m++)
            w *= m == j ? 1 : h / (x[j] - x[m]);
        sum += w * y[j];
        norm += w * w;
    }
    return sum / sqrt(norm);
}

static void add_uneven(darc_noisesums *e, const darc_table *table,
                       const double *column, size_t begin, size_t n,
                       size_t starts)
{
    const double *x = table->time + begin, *y = column + begin;
    for (size_t at = 0; at < starts; at += DONE) {
        size_t stop = starts - at < DONE ? starts : at + DONE;
        for (size_t k = 1; k <= ORDERS && k < n; k++)
            for (size_t i = at; i < stop && i + k < n; i++) {
                double d = divided(x + i, y + i, (int)k);
                e->square[k] += d * d;
                e->count[k] += 1;
            }
        darc_table_done(table, begin + at, begin + stop);
    }
}

static double sd_at(const darc_noisesums *e, int k)
{
    return sqrt(e->square[k] / e->count[k]);
}

static void find_floor(darc_noise *noise, const darc_noisesums *e)
{
    int k = noise->order, length = 1;
    double sd = sd_at(e, k), c = central_binomial(k);
    /* Samples over the sum of the squared correlations of k-th differences,
     * C(2k, k+l) / C(2k, k) at lag l. */
    noise->dof = e->count[k] * c * c / central_binomial(2 * k);
    noise->sd = noise->low = noise->high = sd;
    while (k > 1 && sd_at(e, k - 1) <= DARC_DIFFERENCES_STEP * sd) {
        sd = sd_at(e, --k);
        noise->low = fmin(noise->low, sd);
        noise->high = fmax(noise->high, sd);
        length++;
    }
    noise->floor = length >= DARC_DIFFERENCES_FLOOR;
    if (!noise->floor) {
        noise->low = 0;
        noise->high = noise->sd;
    }
}

void darc_noisesums_add(darc_noisesums *sums, const darc_table *table,
                        int signal, size_t first, size_t last)
{
    assert(signal >= 0 && signal < table->signals);
    const double *y = table->signal[signal].value;
    for (int s = 0; s < table->segments; s++) {
        size_t begin = table->segment[s].begin, end = table->segment[s].end;
        size_t stop = last < end ? last : end;
        begin = begin < first ? first : begin;
        if (begin >= stop)
            continue;
        size_t n = end - begin, starts = stop - begin;
        n = n - starts > ORDERS ? starts + ORDERS : n;
        (table->dt > 0 ? add_even : add_uneven)(sums, table, y, begin, n,
                                                starts);
    }
}

void darc_noisesums_estimate(darc_noise *noise, const darc_noisesums *s)
{
    *noise = (darc_noise){.dof = 1};
    for (int k = 1; k <= ORDERS; k++)
        if (s->count[k] >= 3.0 * k)
            noise->order = k;
    if (noise->order > 0)
        find_floor(noise, s);
}

void darc_noise_estimate(darc_noise *noise, const darc_table *table, int signal)
{
    darc_noisesums sums = {{0}, {0}};
    darc_noisesums_add(&sums, table, signal, 0, table->samples);
    darc_noisesums_estimate(noise, &sums);
}
