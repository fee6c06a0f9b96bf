#include "darc/noise.h"

#include "numeric/differences.h"

#include <assert.h>
#include <math.h>

/* Estimates of neighbouring orders that differ by less stand on the floor;
 * a smooth signal falls faster: at 20 samples a period by 2 sin(pi/20) / 2
 * = 1 / 6.4 an order, at 6 samples a period by 1/2. */
#define FLOOR_STEP 1.15
#define FLOOR_ORDERS 4 /* as many in a row make a floor */

typedef struct {
    double sum[DARC_NOISE_ORDERS + 1]; /* of squares, scaled to sd^2 */
    double count[DARC_NOISE_ORDERS + 1];
} estimates;

/* C(2k, k). */
static double central_binomial(int k)
{
    double c = 1;
    for (int i = 1; i <= k; i++)
        c *= 4.0 - 2.0 / i;
    return c;
}

static void add_uniform(estimates *e, const double *y, size_t n,
                        const darc_table *table, size_t begin)
{
    double sum[DARC_NOISE_ORDERS + 1] = {0};
    darc_differences_add(sum, DARC_NOISE_ORDERS, y, n, table, begin);
    for (size_t k = 1; k <= DARC_NOISE_ORDERS && k < n; k++) {
        e->sum[k] += sum[k] / central_binomial((int)k);
        e->count[k] += (double)(n - k);
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

static void add_uneven(estimates *e, const double *x, const double *y, size_t n)
{
    for (size_t k = 1; k <= DARC_NOISE_ORDERS && k < n; k++)
        for (size_t i = 0; i + k < n; i++) {
            double d = divided(x + i, y + i, (int)k);
            e->sum[k] += d * d;
            e->count[k] += 1;
        }
}

/* Samples over the sum of the squared correlations of k-th differences,
 * C(2k, k+l) / C(2k, k) at lag l. */
static double dof_of(int k, double count)
{
    double c = central_binomial(k);
    return count * c * c / central_binomial(2 * k);
}

static double sd_at(const estimates *e, int k)
{
    return sqrt(e->sum[k] / e->count[k]);
}

static void find_floor(darc_noise *noise, const estimates *e)
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

void darc_noise_estimate(darc_noise *noise, const darc_table *table, int signal)
{
    assert(signal >= 0 && signal < table->signals);
    const double *y = table->signal[signal].value;
    estimates e = {{0}, {0}};
    *noise = (darc_noise){.dof = 1};
    for (int s = 0; s < table->segments; s++) {
        size_t begin = table->segment[s].begin;
        size_t n = table->segment[s].end - begin;
        if (table->dt > 0)
            add_uniform(&e, y + begin, n, table, begin);
        else
            add_uneven(&e, table->time + begin, y + begin, n);
    }
    for (int k = 1; k <= DARC_NOISE_ORDERS; k++)
        if (e.count[k] >= 3.0 * k)
            noise->order = k;
    if (noise->order > 0)
        find_floor(noise, &e);
}
