#include "weak/weak_inside.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "weak/bspline.h"

#include <assert.h>
#include <math.h>

enum {
    MIN_DEGREE = 5,
    MORE_DEGREES = 8, /* at most, for clean signals */
    MIN_STEP = 3,     /* samples between knots: aliasing below 1e-3 up to a
                         seventh of the sampling rate */
    MIN_SUPPORTS = 8, /* of so high a degree, in a segment */
    DEFAULT_SUPPORT = 60
};

double darc_weak_noise_sd(const darc_weak_signal *s)
{
    return s->value == NULL || s->noise == NULL ? 0 : s->noise->sd;
}

bool darc_weak_uses(const darc_total_t total, int v)
{
    for (int i = 0; i < total->count; i++)
        if (total->term[i].exponent[v] != 0 || total->term[i].log == v)
            return true;
    return false;
}

/* The shortest period at which two signals carry power counts: what one alone
 * carries there (edges and noise of an input that nothing follows), no
 * relation accounts for. */
static int support_from_spectrum(const darc_weak_data *data,
                                 const darc_total_t total)
{
    double highest = 0, second = 0, reach = 0;
    int owner = -1;
    for (int v = 0; v < total->vars; v++) {
        int u = total->var[v].unknown;
        const darc_weak_signal *s = data->signal + u;
        if (s->value == NULL || s->noise == NULL || !darc_weak_uses(total, v))
            continue;
        reach = s->noise->half > reach ? s->noise->half : reach;
        double band = s->noise->power_band;
        if (u == owner || !(band > 0))
            continue;
        second = fmax(second, fmin(band, highest));
        if (band > highest) {
            highest = band;
            owner = u;
        }
    }
    double band = second > 0 ? second : highest;
    double support = band > 0 ? 2 / (band * data->table->dt) : DEFAULT_SUPPORT;
    return (int)fmin(1e6, fmax(support, reach));
}

/* Return the largest share of a signal at one and a half times the band of 99 %
 * of its power that sampling adds to its highest total derivative: a spline of
 * that degree, knots at samples, lets frequencies at a multiple of the
 * sampling rate through as the power degree + 1 - order of the ratio. */
static double aliased(const darc_weak *weak, const darc_weak_data *data,
                      const darc_total_t total, int degree)
{
    double most = 0;
    for (int v = 0; v < total->vars; v++) {
        const darc_weak_signal *s = data->signal + total->var[v].unknown;
        if (s->value == NULL || s->noise == NULL || !darc_weak_uses(total, v) ||
            !(s->noise->power_band > 0))
            continue;
        double f = fmin(0.5, 1.5 * s->noise->power_band * data->table->dt);
        most = fmax(most, pow(f / (1 - f), degree + 2 - weak->orders));
    }
    return most;
}

/* Return a third of what the noise of the noisiest signal adds to it, relative,
 * on the average of so many samples; 0 where none has noise. */
static double noise_share(const darc_weak_data *data, const darc_total_t total,
                          size_t samples)
{
    double most = 0;
    for (int v = 0; v < total->vars; v++) {
        const darc_weak_signal *s = data->signal + total->var[v].unknown;
        if (s->value == NULL || !(darc_weak_noise_sd(s) > 0) ||
            !darc_weak_uses(total, v))
            continue;
        double rms = sqrt(darc_lanes_variance(s->value, data->table));
        if (rms > 0)
            most = fmax(most, darc_weak_noise_sd(s) / rms);
    }
    return most / (3 * sqrt((double)samples));
}

/* High enough for the derivatives, and for sampling to add less than noise
 * where that leaves functions enough. */
static int choose_degree(const darc_weak *weak, const darc_weak_data *data,
                         const darc_total_t total, size_t longest)
{
    int degree = weak->orders + 2;
    degree = degree < MIN_DEGREE ? MIN_DEGREE : degree;
    double limit = noise_share(data, total, longest);
    int most = degree + MORE_DEGREES;
    if ((size_t)(most + 1) * MIN_STEP * MIN_SUPPORTS > longest)
        most = (int)(longest / (MIN_STEP * MIN_SUPPORTS)) - 1;
    assert(most <= DARC_BSPLINE_MAX_DEGREE);
    while (degree < most && limit > 0 &&
           aliased(weak, data, total, degree) > limit)
        degree++;
    return degree;
}

void darc_weak_set_functions(darc_weak *weak, const darc_weak_data *data,
                             const darc_total_t total, size_t longest)
{
    int support =
        data->support > 0 ? data->support : support_from_spectrum(data, total);
    weak->orders = darc_total_order(total) + 1;
    weak->degree = choose_degree(weak, data, total, longest);
    /* Not so long that fewer than 24 functions fit. */
    int most = (int)(longest / 24 < 1000000 ? longest / 24 : 1000000);
    weak->step = (support + weak->degree / 2) / (weak->degree + 1);
    weak->step = weak->step > most ? most : weak->step;
    weak->step = weak->step < MIN_STEP ? MIN_STEP : weak->step;
    weak->support = weak->step * (weak->degree + 1);
    for (int d = 0; d < weak->orders; d++) {
        weak->phi[d] = darc_calloc((size_t)weak->support + 1, sizeof(double));
        darc_bspline_table(weak->phi[d], weak->degree, d, weak->step);
        double factor = (d % 2 == 0 ? 1 : -1) * pow(data->table->dt, 1 - d);
        for (int i = 0; i <= weak->support; i++)
            weak->phi[d][i] *= factor;
    }
}
