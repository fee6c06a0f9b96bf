#include "fit/draw.h"

#include "base/mem.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

/* Seeds of the noise. */
enum { OF_SUMS = 1, OF_MOMENTS = 2 };

/* N and T are means of squares of what is linear in the noise: signs have the
 * same as normal numbers, and their sums scatter less [Hutchinson, 1990].
 * Noise of second order changes no regressor: pairs stay 0. */
static void draw_fields(darc_weak_work *work, double *hold, darc_random *random)
{
    size_t n = darc_weak_field(work);
    darc_random_signs(random, hold, (size_t)work->weak->channels * n);
}

/* z = hold - sign * z */
static void restore_fields(darc_weak_work *work, const double *hold,
                           bool less_fitted)
{
    size_t n = darc_weak_field(work);
    for (int c = 0; c < work->weak->channels; c++)
        for (size_t t = 0; t < n; t++)
            work->z[c][t] =
                hold[(size_t)c * n + t] - (less_fitted ? work->z[c][t] : 0);
}

/* Add one draw to the noise-only sums N and T. */
static void add_draw(darc_sums *s, darc_weak_work *work,
                     const darc_columns_room *b, const double *c, double weight,
                     darc_random *random)
{
    size_t k = (size_t)work->rows;
    int coeffs = s->coeffs, jj = coeffs * coeffs;
    double *sum = darc_calloc((size_t)jj, sizeof *sum);
    draw_fields(work, b->hold, random);
    restore_fields(work, b->hold, false);
    darc_weak_forward(work, b->reg);
    darc_columns_combine(work, b->x, b->reg, c);
    darc_columns_whiten(work, b, b->reg, coeffs, 'N');
    darc_columns_gram(sum, b->reg, k, coeffs);
    for (int i = 0; i < jj; i++)
        s->trace[i] += weight * sum[i];

    darc_columns_whiten(work, b, b->x, 1, 'N');
    darc_columns_whiten(work, b, b->x, 1, 'T');
    darc_weak_adjoint(work, b->x);
    restore_fields(work, b->hold, true);
    darc_weak_forward(work, b->reg);
    darc_columns_whiten(work, b, b->reg, coeffs, 'N');
    memset(sum, 0, (size_t)jj * sizeof *sum);
    darc_columns_gram(sum, b->reg, k, coeffs);
    for (int i = 0; i < jj; i++)
        s->noise[i] += weight * sum[i];
    darc_free(sum);
}

void darc_draw_add(darc_sums *s, darc_weak_work *work,
                   const darc_columns_room *b, const double *c,
                   const darc_effort *effort, double weight)
{
    darc_random random;
    darc_random_init(&random, OF_SUMS, (uint64_t)work->piece);
    for (int i = 0; i < effort->draws; i++)
        add_draw(s, work, b, c, weight / effort->draws, &random);
}

/* Give n white values a memory, and this RMS. */
static void redden(double *z, size_t n, double pole, double rms)
{
    double step = rms * sqrt(1 - pole * pole);
    z[0] *= rms;
    for (size_t t = 1; t < n; t++)
        z[t] = pole * z[t - 1] + step * z[t];
}

void darc_draw_noise(double *out, darc_weak_work *work, int draw, bool red)
{
    darc_random random;
    darc_random_init(&random, OF_MOMENTS,
                     (uint64_t)work->piece + ((uint64_t)draw << 32));
    size_t n = darc_weak_field(work);
    for (int c = 0; c < work->weak->channels; c++) {
        for (size_t t = 0; t < n; t++)
            work->z[c][t] = darc_random_normal(&random);
        if (red && work->weak->red[c] > 0)
            redden(work->z[c], n, work->weak->pole[c], work->weak->red[c]);
    }
    darc_weak_forward(work, out);
}
