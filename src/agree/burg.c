#include "agree/spectrum.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The recursion keeps forward and backward prediction errors f, b of order m
 * and the reflection coefficient k = 2 sum f_t b_(t-1) / sum (f_t^2 +
 * b_(t-1)^2), which minimises their sum of squares at order m + 1. */
static double reflection(const double *f, const double *b, size_t m, size_t n)
{
    double num = 0, den = 0;
    for (size_t t = m + 1; t < n; t++) {
        num += f[t] * b[t - 1];
        den += f[t] * f[t] + b[t - 1] * b[t - 1];
    }
    return den > 0 ? 2 * num / den : 0;
}

static void update_errors(double *f, double *b, size_t m, size_t n, double k)
{
    for (size_t t = n - 1; t > m; t--) {
        double ft = f[t];
        f[t] = ft - k * b[t - 1];
        b[t] = b[t - 1] - k * ft;
    }
}

static void update_model(double *a, int m, double k)
{
    double old[DARC_BURG_ORDER];
    memcpy(old, a, sizeof old);
    a[m] = k;
    for (int i = 0; i < m; i++)
        a[i] = old[i] - k * old[m - 1 - i];
}

void darc_spectrum_burg(darc_burg *out, const double *x, size_t n)
{
    assert(n > 2 * DARC_BURG_ORDER);
    double *f = darc_malloc(n * sizeof *f), *b = darc_malloc(n * sizeof *b);
    double a[DARC_BURG_ORDER] = {0}, mean = darc_norms_mean(x, n), v = 0;
    double samples = (double)n, mdl = HUGE_VAL, aic = HUGE_VAL, power;
    for (size_t t = 0; t < n; t++) {
        f[t] = b[t] = x[t] - mean;
        v += f[t] * f[t] / samples;
    }
    *out = (darc_burg){.variance = power = v};
    for (int m = 0; m <= DARC_BURG_ORDER; m++) {
        double fit = samples * log(v);
        if (fit + 2 * m < aic) {
            aic = fit + 2 * m;
            out->aic = m;
        }
        if (fit + m * log(samples) < mdl) {
            mdl = fit + m * log(samples);
            out->mdl = out->order = m;
            out->variance = v;
            memcpy(out->a, a, sizeof a);
        }
        /* A signal predicted to the last digits: higher orders fit rounding. */
        if (m == DARC_BURG_ORDER || v <= DARC_BURG_ROUNDING * power)
            break;
        double k = reflection(f, b, (size_t)m, n);
        update_errors(f, b, (size_t)m, n, k);
        update_model(a, m, k);
        v *= 1 - k * k;
        v = v > DARC_BURG_FLOOR * power ? v : DARC_BURG_FLOOR * power;
    }
    darc_free(f);
    darc_free(b);
}

double darc_burg_density(const darc_burg *model, double f, double dt)
{
    double w = 2 * 3.14159265358979323846 * f * dt, re = 1, im = 0;
    for (int k = 0; k < model->order; k++) {
        re -= model->a[k] * cos(w * (k + 1));
        im += model->a[k] * sin(w * (k + 1));
    }
    return 2 * dt * model->variance / (re * re + im * im);
}
