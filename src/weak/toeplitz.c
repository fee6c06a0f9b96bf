#include "weak/toeplitz.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <stdlib.h>
#include <string.h>

/* Return the sum of a(t) b(t + shift), both of `width` values. */
static double shifted(const double *a, const double *b, int shift, int width)
{
    int n = width - abs(shift);
    if (n <= 0)
        return 0;
    return shift >= 0 ? darc_lanes_dot(a, b + shift, (size_t)n)
                      : darc_lanes_dot(a - shift, b, (size_t)n);
}

/* band[lags + m] += row times `other`, m functions before it: sample t of a
 * row is sample t + m*step of one m functions before. */
static void add_products(double *band, const darc_weak_toeplitz *l,
                         const double *row, const double *other, int step,
                         int width)
{
    for (int m = -l->lags; m <= l->lags; m++)
        band[l->lags + m] += shifted(row, other, m * step, width);
}

/* Add what a channel does; all holds a row of each equation at c. */
static void add_channel(darc_weak_toeplitz *l, darc_weak_work *work,
                        int channel, const double *c)
{
    const darc_weak *weak = work->weak;
    int width = weak->support + 1 + weak->left + weak->right,
        n = 2 * l->lags + 1;
    int e = l->equations;
    double *all = darc_calloc((size_t)(e * width), sizeof *all);
    double *part = darc_calloc((size_t)width, sizeof *part);
    double *unit = darc_calloc((size_t)l->coeffs, sizeof *unit);
    darc_weak_at(work, c);
    for (int q = 0; q < e; q++)
        darc_weak_row(work, channel, 0, q, all + q * width);
    for (int q = 0; q < e; q++)
        for (int p = 0; p < e; p++)
            add_products(l->own + (q * e + p) * n, l, all + q * width,
                         all + p * width, weak->step, width);
    for (int q = 0; q < e; q++)
        for (int j = weak->first[q]; j < weak->first[q + 1]; j++) {
            unit[j] = 1;
            darc_weak_at(work, unit);
            darc_weak_row(work, channel, 0, q, part);
            unit[j] = 0;
            for (int p = 0; p < e; p++)
                add_products(l->cross + (j * e + p) * n, l, part,
                             all + p * width, weak->step, width);
        }
    darc_free(all);
    darc_free(part);
    darc_free(unit);
}

void darc_weak_toeplitz_init(darc_weak_toeplitz *l, const darc_weak *weak,
                             const double *c)
{
    darc_weak_work *work = darc_weak_work_new(weak);
    int e = weak->equations, coeffs = weak->coeffs;
    *l = (darc_weak_toeplitz){
        .equations = e,
        .coeffs = coeffs,
        .first = weak->first,
        .lags = (weak->support + weak->left + weak->right) / weak->step};
    size_t n = 2 * (size_t)l->lags + 1;
    work->samples = weak->margin + weak->support + 1;
    work->partial = work->piece; /* numbers: nothing has to be loaded */
    for (int g = 0; g < weak->groups; g++)
        for (int v = 0; v < weak->vars; v++)
            if (weak->group[g].noisy[v])
                darc_laurent_is_number(weak->group[g].by + v,
                                       work->number + g * weak->vars + v);
    l->own = darc_calloc(n * (size_t)(e * e), sizeof *l->own);
    l->cross = darc_calloc(n * (size_t)(coeffs * e), sizeof *l->cross);
    for (int channel = 0; channel < weak->channels; channel++)
        add_channel(l, work, channel, c);
    darc_weak_work_free(work);
}

void darc_weak_toeplitz_clear(darc_weak_toeplitz *l)
{
    darc_free(l->own);
    darc_free(l->cross);
    *l = (darc_weak_toeplitz){0};
}

void darc_weak_toeplitz_fill(double *ab, int band, int rows,
                             const darc_weak_toeplitz *l)
{
    int e = l->equations;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i <= band && r + i < rows; i++) {
            int k = r / e, p = r % e, kk = (r + i) / e, q = (r + i) % e;
            ab[(size_t)r * (size_t)(band + 1) + (size_t)i] =
                kk - k > l->lags ? 0
                                 : l->own[(q * e + p) * (2 * l->lags + 1) +
                                          l->lags + (kk - k)];
        }
}

/* Add to out[k*e] the sum of band[m] x[(k - m)*e]. */
static void convolve(double *out, const double *band, int lags, const double *x,
                     int functions, int e)
{
    for (int m = -lags; m <= lags; m++) {
        int from = m > 0 ? m : 0, to = m < 0 ? functions + m : functions;
        if (e == 1 && from < to)
            darc_lanes_add(out + from, band[lags + m], x + (from - m),
                           (size_t)(to - from));
        for (int k = from; e > 1 && k < to; k++)
            out[k * e] += band[lags + m] * x[(k - m) * e];
    }
}

void darc_weak_toeplitz_apply(const darc_weak_toeplitz *l, double *out,
                              const double *x, int rows)
{
    int e = l->equations, n = 2 * l->lags + 1;
    memset(out, 0, (size_t)rows * (size_t)l->coeffs * sizeof *out);
    for (int q = 0; q < e; q++)
        for (int j = l->first[q]; j < l->first[q + 1]; j++)
            for (int p = 0; p < e; p++) {
                const double *band = l->cross + (j * e + p) * n;
                if (darc_lanes_dot(band, band, (size_t)n) > 0)
                    convolve(out + (size_t)j * (size_t)rows + q, band, l->lags,
                             x + p, rows / e, e);
            }
}
