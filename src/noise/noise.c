#include "noise/noisesums.h"

#include <assert.h>
#include <math.h>

/* Estimates of neighbouring orders that differ by less stand on the floor;
 * a smooth signal falls faster: at 20 samples a period by 2 sin(pi/20) / 2
 * = 1 / 6.4 an order, at 6 samples a period by 1/2. */
#define FLOOR_STEP 1.15
#define FLOOR_ORDERS 4 /* as many in a row make a floor */

/* C(2k, k). */
static double central_binomial(int k)
{
    double c = 1;
    for (int i = 1; i <= k; i++)
        c *= 4.0 - 2.0 / i;
    return c;
}

/* Of n samples from `begin` on: differences that begin at the first `starts`
 * of them. */
static void add_uniform(darc_noisesums *e, const double *y, size_t n,
                        size_t starts, const darc_table *table, size_t begin)
{
    double sum[DARC_NOISE_ORDERS + 1] = {0};
    darc_differences_add(sum, y, n, starts, table, begin);
    for (size_t k = 1; k <= DARC_NOISE_ORDERS && k < n; k++) {
        size_t count = n - k < starts ? n - k : starts;
        e->square[k] += sum[k] / central_binomial((int)k);
        e->count[k] += (double)count;
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
    enum { DONE = 1 << 16 };
    const double *x = table->time + begin, *y = column + begin;
    for (size_t at = 0; at < starts; at += DONE) {
        size_t stop = starts - at < DONE ? starts : at + DONE;
        for (size_t k = 1; k <= DARC_NOISE_ORDERS && k < n; k++)
            for (size_t i = at; i < stop && i + k < n; i++) {
                double d = divided(x + i, y + i, (int)k);
                e->square[k] += d * d;
                e->count[k] += 1;
            }
        darc_table_done(table, begin + at, begin + stop);
    }
}

/* Samples over the sum of the squared correlations of k-th differences,
 * C(2k, k+l) / C(2k, k) at lag l. */
static double dof_of(int k, double count)
{
    double c = central_binomial(k);
    return count * c * c / central_binomial(2 * k);
}

static double sd_at(const darc_noisesums *e, int k)
{
    return sqrt(e->square[k] / e->count[k]);
}

static void find_floor(darc_noise *noise, const darc_noisesums *e)
{
    int k = noise->order, length = 1;
    double sd = sd_at(e, k);
    noise->sd = noise->low = noise->high = sd;
    while (k > 1 && sd_at(e, k - 1) <= FLOOR_STEP * sd) {
        sd = sd_at(e, --k);
        noise->low = fmin(noise->low, sd);
        noise->high = fmax(noise->high, sd);
        length++;
    }
    noise->floor = length >= FLOOR_ORDERS;
    if (!noise->floor) {
        noise->low = 0;
        noise->high = noise->sd;
    }
    noise->dof = dof_of(noise->order, e->count[noise->order]);
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
        if (n - starts > DARC_NOISE_ORDERS)
            n = starts + DARC_NOISE_ORDERS;
        if (table->dt > 0)
            add_uniform(sums, y + begin, n, starts, table, begin);
        else
            add_uneven(sums, table, y, begin, n, starts);
    }
}

void darc_noisesums_estimate(darc_noise *noise, const darc_noisesums *s)
{
    *noise = (darc_noise){.dof = 1};
    for (int k = 1; k <= DARC_NOISE_ORDERS; k++)
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
