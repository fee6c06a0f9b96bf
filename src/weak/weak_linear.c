#include "weak/weak_linear.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* Set row to A_q of the first function at c. */
static void first_row(darc_weak_work *work, int channel, const double *c,
                      double *row, double *b)
{
    darc_weak_at(work, c);
    darc_weak_row(work, channel, 0, row, b);
}

/* Return the sum of a(t) b(t - shift), both of `width` values. */
static double shifted(const double *a, const double *b, int shift, int width)
{
    int n = width - abs(shift);
    if (n <= 0)
        return 0;
    return shift >= 0 ? darc_lanes_dot(a, b + shift, (size_t)n)
                      : darc_lanes_dot(a - shift, b, (size_t)n);
}

/* Fill own and cross; sample t of row k is sample t + m*step of row k - m. */
static void fill_bands(darc_weak_linear *l, darc_weak_work *work,
                       const double *c)
{
    const darc_weak *weak = work->weak;
    int width = weak->support + 1 + 2 * weak->pad, n = 2 * l->band + 1;
    double *row = darc_calloc((size_t)width, sizeof *row);
    double *part = darc_calloc((size_t)width, sizeof *part);
    double *b = darc_calloc((size_t)weak->support + 1, sizeof *b);
    double *unit = darc_calloc((size_t)l->coeffs, sizeof *unit);
    for (int q = 0; q < l->channels; q++) {
        first_row(work, q, c, row, b);
        for (int m = 0; m <= l->band; m++)
            l->own[q * (l->band + 1) + m] =
                shifted(row, row, m * weak->step, width);
        for (int j = 0; j < l->coeffs; j++) {
            unit[j] = 1;
            first_row(work, q, unit, part, b);
            unit[j] = 0;
            for (int m = -l->band; m <= l->band; m++)
                l->cross[j * n + l->band + m] +=
                    shifted(part, row, m * weak->step, width);
        }
    }
    darc_free(row);
    darc_free(part);
    darc_free(b);
    darc_free(unit);
}

static darc_status factorise(darc_weak_linear *l, const darc_weak *weak,
                             darc_err *err)
{
    int rows = l->band + 1;
    l->factor =
        darc_calloc((size_t)rows * (size_t)l->functions, sizeof *l->factor);
    for (int k = 0; k < l->functions; k++)
        for (int m = 0; m <= l->band && k + m < l->functions; m++)
            for (int q = 0; q < l->channels; q++)
                l->factor[(size_t)k * (size_t)rows + (size_t)m] +=
                    l->own[q * rows + m];
    if (LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', l->functions, l->band, l->factor,
                       rows) == 0)
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: the covariance of the weak moments is singular",
                     weak->table->file);
}

darc_status darc_weak_linear_init(darc_weak_linear *l, const darc_weak *weak,
                                  const double *c, darc_err *err)
{
    darc_weak_work *work = darc_weak_work_new(weak);
    *l = (darc_weak_linear){
        .coeffs = weak->coeffs, .channels = weak->channels, .band = work->band};
    for (int p = 0; p < weak->pieces; p++)
        if (weak->piece[p].functions > l->functions)
            l->functions = weak->piece[p].functions;
    work->samples = weak->margin + weak->support + 1;
    l->own = darc_calloc((size_t)(l->channels * (l->band + 1)), sizeof *l->own);
    l->cross =
        darc_calloc((size_t)(l->coeffs * (2 * l->band + 1)), sizeof *l->cross);
    fill_bands(l, work, c);
    darc_weak_work_free(work);
    darc_status status = factorise(l, weak, err);
    if (status != DARC_OK)
        darc_weak_linear_clear(l);
    return status;
}

void darc_weak_linear_clear(darc_weak_linear *l)
{
    darc_free(l->own);
    darc_free(l->cross);
    darc_free(l->factor);
    *l = (darc_weak_linear){0};
}

/* Add to out[k] the sum of band[m] x[k - m], first <= m <= last. */
static void convolve(double *out, const double *band, int first, int last,
                     const double *x, int functions)
{
    for (int m = first; m <= last; m++) {
        int from = m > 0 ? m : 0, to = m < 0 ? functions + m : functions;
        if (from < to)
            darc_lanes_add(out + from, band[m], x + (from - m),
                           (size_t)(to - from));
    }
}

void darc_weak_linear_apply(const darc_weak_linear *l, double *out,
                            double *share, const double *x, int functions)
{
    size_t k = (size_t)functions;
    memset(out, 0, k * (size_t)l->coeffs * sizeof *out);
    for (int j = 0; j < l->coeffs; j++)
        convolve(out + (size_t)j * k,
                 l->cross + j * (2 * l->band + 1) + l->band, -l->band, l->band,
                 x, functions);
    for (int q = 0; q < l->channels; q++)
        for (int m = 0; m <= l->band && m < functions; m++)
            share[q] += (m == 0 ? 1 : 2) * l->own[q * (l->band + 1) + m] *
                        darc_lanes_dot(x, x + m, k - (size_t)m);
}
