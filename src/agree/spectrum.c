#include "agree/spectrum.h"

#include "base/mem.h"
#include "stats/autoregress.h"
#include "stats/fft.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

void darc_spectrum_welch(double *density, const double *x, size_t n, double dt,
                         size_t segment)
{
    assert(segment >= 2 && segment <= n && (segment & (segment - 1)) == 0);
    size_t bins = segment / 2 + 1, count = 0;
    double *re = darc_malloc(3 * segment * sizeof *re), *im = re + segment;
    double *window = im + segment, power = 0, mean = darc_norms_mean(x, n);
    for (size_t i = 0; i < segment; i++) {
        window[i] = 0.5 - 0.5 * cos(2 * pi * (double)i / (double)segment);
        power += window[i] * window[i];
    }
    DARC_FILL(density, bins, 0);
    darc_fft_plan plan;
    darc_fft_plan_init(&plan, (int)segment);
    for (size_t at = 0; at + segment <= n; at += segment / 2, count++) {
        for (size_t i = 0; i < segment; i++) {
            re[i] = window[i] * (x[at + i] - mean);
            im[i] = 0;
        }
        darc_fft_run(&plan, re, im);
        for (size_t k = 0; k < bins; k++)
            density[k] += re[k] * re[k] + im[k] * im[k];
    }
    for (size_t k = 0; k < bins; k++) {
        double sides = k == 0 || k == segment / 2 ? 1 : 2;
        density[k] *= sides * dt / power / (double)count;
    }
    darc_fft_plan_clear(&plan);
    darc_free(re);
}

/* Independent periodograms that K half overlapping ones are worth: the
 * squared overlap of two Hann windows is 1/36 [Wel67]. */
static double averages(size_t n, size_t segment)
{
    size_t step = segment / 2, segments = (n - segment) / step + 1;
    double count = (double)segments;
    return count / (1 + 2.0 / 36 * (1 - 1 / count));
}

/* Sum of S_k, k = begin .. end - 1, and the degrees of freedom of the sum:
 * 2 (sum S)^2 / var, var = sum_ij S_i S_j rho_ij / averages, where the
 * Hann window correlates neighbours by 4/9 and the next but one by 1/36. */
static double band_sum(const double *s, size_t begin, size_t end, double k,
                       double *dof)
{
    double sum = 0, var = 0;
    for (size_t i = begin; i < end; i++) {
        sum += s[i];
        var += s[i] * s[i];
        var += i + 1 < end ? 2 * s[i] * s[i + 1] * 4 / 9 : 0;
        var += i + 2 < end ? 2 * s[i] * s[i + 2] / 36 : 0;
    }
    *dof = var > 0 ? 2 * k * sum * sum / var : 2 * k;
    return sum;
}

/* Power of the Burg model between two frequencies. */
static double burg_power(const darc_autoregress *m, double low, double high,
                         double dt)
{
    double sum = 0, df = (high - low) / DARC_BURG_POINTS;
    for (int i = 0; i < DARC_BURG_POINTS; i++)
        sum += 2 * dt * m->variance /
               darc_autoregress_gain(m, 2 * pi * (low + (i + 0.5) * df) * dt);
    return sum * df;
}

/* What the band at hand is made of. */
typedef struct {
    const double *reference, *simulation; /* Welch's densities */
    darc_autoregress burg_reference, burg_simulation;
    double df, dt;
    double alpha; /* of one band */
    size_t n;     /* samples */
} estimates;

static void set_band(darc_band *b, const estimates *e, size_t begin, size_t end,
                     double count)
{
    double dof_r, dof_s;
    b->low = (double)(begin - 1) * e->df;
    b->high = (double)(end - 1) * e->df;
    b->reference = e->df * band_sum(e->reference, begin, end, count, &dof_r);
    b->simulation = e->df * band_sum(e->simulation, begin, end, count, &dof_s);
    b->ratio = b->simulation / b->reference;
    b->ratio_low = b->ratio / darc_stats_f_isf(e->alpha / 2, dof_s, dof_r);
    b->ratio_high =
        b->ratio / darc_stats_f_quantile(e->alpha / 2, dof_s, dof_r);
    b->accepted = b->ratio_low <= 1 && 1 <= b->ratio_high;
    b->burg_ratio = burg_power(&e->burg_simulation, b->low, b->high, e->dt) /
                    burg_power(&e->burg_reference, b->low, b->high, e->dt);
    /* Relative variances 2p/n of both [Ber74]. */
    double variance = 2.0 *
                      (e->burg_reference.order + e->burg_simulation.order) /
                      (double)e->n;
    double z = -darc_stats_normal_quantile(e->alpha / 2);
    b->burg_low = b->burg_ratio * exp(-z * sqrt(variance));
    b->burg_high = b->burg_ratio * exp(z * sqrt(variance));
}

static bool is_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

darc_status darc_spectra_set(darc_spectra *out, const darc_matched *m,
                             double level, darc_err *err)
{
    size_t n = m->n;
    *out = (darc_spectra){.level = level};
    if (n < DARC_SPECTRUM_SAMPLES)
        return darc_fail(err, DARC_DATA,
                         "%zu samples: spectra need %d at least", n,
                         DARC_SPECTRUM_SAMPLES);
    if (is_constant(m->reference, n) || is_constant(m->simulation, n))
        return darc_fail(err, DARC_DATA, "a constant signal has no spectrum");
    size_t segment = DARC_SEGMENT_LEAST; /* about an eighth of the signal */
    while (segment * DARC_SEGMENTS <= n && segment < DARC_SEGMENT_MOST)
        segment *= 2;
    size_t bins = segment / 2 + 1, width = segment / 2 / DARC_SPECTRUM_BANDS;
    double *r = darc_malloc(2 * bins * sizeof *r), *s = r + bins;
    darc_spectrum_welch(r, m->reference, n, m->dt, segment);
    darc_spectrum_welch(s, m->simulation, n, m->dt, segment);
    estimates e = {.reference = r,
                   .simulation = s,
                   .df = 1 / ((double)segment * m->dt),
                   .dt = m->dt,
                   .alpha = (1 - level) / DARC_SPECTRUM_BANDS,
                   .n = n};
    darc_autoregress_fit(&e.burg_reference, m->reference, n, DARC_BURG_ORDER,
                         DARC_BY_MDL);
    darc_autoregress_fit(&e.burg_simulation, m->simulation, n, DARC_BURG_ORDER,
                         DARC_BY_MDL);
    *out =
        (darc_spectra){.bands = DARC_SPECTRUM_BANDS,
                       .level = level,
                       .segment = segment,
                       .averages = averages(n, segment),
                       .order_reference = e.burg_reference.best[DARC_BY_MDL],
                       .order_simulation = e.burg_simulation.best[DARC_BY_MDL],
                       .aic_reference = e.burg_reference.best[DARC_BY_AIC],
                       .aic_simulation = e.burg_simulation.best[DARC_BY_AIC]};
    for (int k = 0; k < out->bands; k++) {
        size_t begin = (size_t)k * width + 1; /* the mean is removed */
        set_band(&out->band[k], &e, begin, begin + width, out->averages);
        out->accepted += out->band[k].accepted;
    }
    darc_free(r);
    return DARC_OK;
}
