#include "simulate/sines.h"

#include "base/mem.h"
#include "simulate/thresholds.h"

#include <math.h>
#include <string.h>

void darc_sines_init(darc_sines *s, int count)
{
    size_t n = (size_t)count;
    s->count = count;
    s->offset = 0;
    s->amplitude = darc_calloc(n, sizeof *s->amplitude);
    s->omega = darc_calloc(n, sizeof *s->omega);
    s->phase = darc_calloc(n, sizeof *s->phase);
}

void darc_sines_clear(darc_sines *s)
{
    darc_free(s->amplitude);
    darc_free(s->omega);
    darc_free(s->phase);
    *s = (darc_sines){0};
}

void darc_sines_multisine(darc_sines *s, double rms, double f0, double f1,
                          int n, darc_random *r)
{
    darc_sines_init(s, n);
    double step = n > 1 ? (f1 - f0) / (n - 1) : 0;
    for (int i = 0; i < n; i++) {
        s->amplitude[i] = rms * sqrt(2.0 / n);
        s->omega[i] = DARC_TWO_PI * (f0 + i * step);
        s->phase[i] = DARC_TWO_PI * darc_random_uniform(r);
    }
}

void darc_sines_road(darc_sines *s, char class, double speed, darc_random *r)
{
    darc_sines_init(s, DARC_ROAD_BANDS);
    double g0 = DARC_ROAD_CLASS_A * pow(4, class - 'A');
    double ratio =
               pow(DARC_ROAD_HIGHEST / DARC_ROAD_LOWEST, 1.0 / DARC_ROAD_BANDS),
           n = DARC_ROAD_LOWEST;
    for (int i = 0; i < DARC_ROAD_BANDS; i++, n *= ratio) {
        /* Power of the band: the integral of G from n to n ratio. */
        double power = g0 * DARC_ROAD_REFERENCE * DARC_ROAD_REFERENCE *
                       (1 / n - 1 / (n * ratio));
        double at = n * pow(ratio, darc_random_uniform(r));
        s->amplitude[i] = sqrt(2 * power);
        s->omega[i] = DARC_TWO_PI * at * speed;
        s->phase[i] = DARC_TWO_PI * darc_random_uniform(r);
    }
    double height;
    darc_sines_eval(s, 0, 0, &height);
    s->offset = -height;
}

/* The k-th derivative of sin is sin, cos, -sin, -cos for k mod 4 = 0 .. 3. */
void darc_sines_eval(const darc_sines *s, double t, int order, double *out)
{
    memset(out, 0, (size_t)(order + 1) * sizeof *out);
    out[0] = s->offset;
    for (int i = 0; i < s->count; i++) {
        double phase = s->omega[i] * t + s->phase[i];
        double a = s->amplitude[i];
        double even = a * sin(phase), odd = order > 0 ? a * cos(phase) : 0;
        for (int k = 0; k <= order; k++) {
            double term = (k & 1) != 0 ? odd : even;
            out[k] += (k & 2) != 0 ? -term : term;
            even *= s->omega[i];
            odd *= s->omega[i];
        }
    }
}
