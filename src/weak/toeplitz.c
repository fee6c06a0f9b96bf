#include "weak/toeplitz.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <stdlib.h>
#include <string.h>

/* Whether noise of a channel reaches a group. */
static bool reaches(const darc_weak *weak, const darc_weak_group *group,
                    int channel)
{
    for (int v = 0; v < weak->vars; v++)
        for (int i = 0; i < weak->var[v].paths && group->noisy[v]; i++)
            if (weak->var[v].path[i].channel == channel)
                return true;
    return false;
}

/* Add the inflows of the groups of coefficient j, at the same rate. */
static bool add_inflows(darc_weak_bands *b, const darc_weak *weak, int j)
{
    bool same = true;
    for (int c = 0; c < weak->channels; c++) {
        darc_weak_inflow *in = b->inflow + b->inflows;
        bool any = false;
        for (int g = 0; g < weak->groups; g++) {
            const darc_weak_group *group = weak->group + g;
            if (group->coeff != j || !reaches(weak, group, c))
                continue;
            same = same && (!any || in->rate == group->rate);
            *in = (darc_weak_inflow){j, group->equation, c, group->rate};
            any = true;
        }
        b->inflows += any;
    }
    return same;
}

/* Whether uneven stamps do no more than scale the noise of channels: that has
 * no memory, and reaches terms at one rate. */
static bool are_scaled(const darc_weak_bands *b, const darc_weak *weak)
{
    bool scaled = weak->left + weak->right == 0;
    for (int i = 0; i < b->inflows; i++)
        for (int j = 0; j < i; j++)
            scaled = scaled && (b->inflow[i].channel != b->inflow[j].channel ||
                                b->inflow[i].rate == b->inflow[j].rate);
    return scaled;
}

/* product[m] = row times `other`, m functions before it: sample t of a row is
 * sample t + m*step of one m functions before. */
static void multiply_rows(double *product, int lags, const double *row,
                          const double *other, int step, int width)
{
    for (int m = -lags; m <= lags; m++) {
        int by = m * step, n = width - abs(by);
        if (n > 0)
            product[lags + m] =
                by >= 0 ? darc_lanes_dot(row, other + by, (size_t)n)
                        : darc_lanes_dot(row - by, other, (size_t)n);
    }
}

static const double *product_of(const darc_weak_bands *b, int i, int j)
{
    return b->product +
           (size_t)(i * b->inflows + j) * (2 * (size_t)b->lags + 1);
}

darc_weak_bands *darc_weak_bands_new(const darc_weak *weak)
{
    darc_weak_bands *b = darc_calloc(1, sizeof *b);
    size_t room = (size_t)(weak->coeffs * weak->channels) + 1;
    bool same = true;
    b->inflow = darc_calloc(room, sizeof *b->inflow);
    for (int j = 0; j < weak->coeffs; j++)
        same = add_inflows(b, weak, j) && same;
    b->scaled = same && are_scaled(b, weak);
    b->lags = (weak->support + weak->left + weak->right) / weak->step;
    int n = b->inflows, width = weak->support + 1 + weak->left + weak->right;
    double *row = darc_calloc((size_t)(n * width) + 1, sizeof *row);
    b->product = darc_calloc((size_t)(n * n * (2 * b->lags + 1)) + 1,
                             sizeof *b->product);
    for (int i = 0; i < n; i++)
        darc_weak_unit_row(weak, b->inflow[i].coeff, b->inflow[i].channel,
                           row + i * width);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (b->inflow[i].channel == b->inflow[j].channel)
                multiply_rows((double *)product_of(b, i, j), b->lags,
                              row + i * width, row + j * width, weak->step,
                              width);
    darc_free(row);
    return b;
}

void darc_weak_bands_free(darc_weak_bands *b)
{
    if (b == NULL)
        return;
    DARC_FREE(b->inflow, b->product, b);
}

void darc_weak_toeplitz_init(darc_weak_toeplitz *l, const darc_weak *weak,
                             const double *gain, const double *c)
{
    const darc_weak_bands *b = weak->bands;
    int e = weak->equations, coeffs = weak->coeffs;
    size_t n = 2 * (size_t)b->lags + 1;
    *l = (darc_weak_toeplitz){.equations = e,
                              .coeffs = coeffs,
                              .first = weak->first,
                              .lags = b->lags};
    l->own = darc_calloc(n * (size_t)(e * e), sizeof *l->own);
    l->cross = darc_calloc(n * (size_t)(coeffs * e), sizeof *l->cross);
    for (int i = 0; i < b->inflows; i++)
        for (int j = 0; j < b->inflows; j++) {
            const darc_weak_inflow *to = b->inflow + i, *from = b->inflow + j;
            double factor = c[from->coeff] * (gain ? gain[from->rate] : 1);
            size_t own = (size_t)(to->equation * e + from->equation) * n;
            size_t cross = (size_t)(to->coeff * e + from->equation) * n;
            darc_lanes_add(l->own + own, c[to->coeff] * factor,
                           product_of(b, i, j), n);
            darc_lanes_add(l->cross + cross, factor, product_of(b, i, j), n);
        }
}

void darc_weak_toeplitz_clear(darc_weak_toeplitz *l)
{
    DARC_FREE(l->own, l->cross);
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
