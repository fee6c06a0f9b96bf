#include "fit/draw.h"

#include "base/mem.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(0x2545F4914F6CDD1D)) >> 11) /
           9007199254740992.0;
}

static double normal(uint64_t *state)
{
    double r = sqrt(-2 * log(1 - uniform(state)));
    return r * cos(6.28318530717958647692 * uniform(state));
}

/* Noise of second order changes no regressor: pairs stay 0. */
static void draw_fields(darc_weak_work *work, double *hold, uint64_t *state)
{
    size_t n = darc_weak_field(work);
    for (int c = 0; c < work->weak->channels; c++)
        for (size_t t = 0; t < n; t++)
            hold[(size_t)c * n + t] = normal(state);
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
                     uint64_t *state)
{
    size_t k = (size_t)work->rows;
    int coeffs = s->coeffs, jj = coeffs * coeffs;
    double *sum = darc_calloc((size_t)jj, sizeof *sum);
    draw_fields(work, b->hold, state);
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
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)work->piece;
    for (int i = 0; i < effort->draws; i++)
        add_draw(s, work, b, c, weight / effort->draws, &state);
}

void darc_draw_noise(double *out, darc_weak_work *work, int draw, bool worst)
{
    uint64_t state = UINT64_C(0xD1B54A32D192ED03) + (uint64_t)work->piece +
                     ((uint64_t)draw << 32);
    size_t n = darc_weak_field(work);
    for (int c = 0; c < work->weak->channels; c++)
        for (size_t t = 0; t < n; t++)
            work->z[c][t] = normal(&state) * (worst ? work->weak->worst[c] : 1);
    darc_weak_forward(work, out);
}
