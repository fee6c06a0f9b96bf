#include "stats/hac.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/fft.h"
#include "stats/sandwich.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    int columns, parts;
    double samples; /* of a part */
    int half;       /* frequencies, the last is half */
    darc_fft_plan plan;
    double *re, *im; /* by column (the last: errors) and part; owned */
    double *inverse; /* of X'X */
    double *lever;   /* by part: sums of 1 - leverage, half + 2 each */
    double *sum;     /* half + 2: sums over frequencies */
    double *smooth;  /* half + 1 */
    double *own;     /* columns: of a frequency */
} spectra;

typedef struct {
    const double *re, *im;
} series;

static series series_of(const spectra *s, int column, int part)
{
    ptrdiff_t at = (ptrdiff_t)(column * s->parts + part) * 2 * s->half;
    return (series){s->re + at, s->im + at};
}

/* The real part of x conj(y) at frequency i, or the imaginary one. */
static double product(series x, series y, int i, bool real)
{
    return real ? x.re[i] * y.re[i] + x.im[i] * y.im[i]
                : x.re[i] * y.im[i] - x.im[i] * y.re[i];
}

static void open_spectra(spectra *s, const double *h, int columns, int parts,
                         size_t n)
{
    int all = 2;
    while ((size_t)all < n)
        all *= 2;
    *s = (spectra){.columns = columns,
                   .parts = parts,
                   .samples = (double)n,
                   .half = all / 2};
    ptrdiff_t room = (ptrdiff_t)all * parts * (columns + 1);
    DARC_CARVE({&s->re, room}, {&s->im, room}, {&s->inverse, columns * columns},
               {&s->lever, parts * (s->half + 2)}, {&s->sum, s->half + 2},
               {&s->smooth, s->half + 1}, {&s->own, columns});
    darc_fft_plan_init(&s->plan, all);
    int *index = darc_calloc((size_t)columns + 1, sizeof *index);
    for (int k = 0; k < columns; k++)
        index[k] = k;
    darc_sandwich(s->inverse, h, h, columns, index, columns);
    darc_free(index);
}

static void transform(spectra *s, int column, const double *x)
{
    size_t n = (size_t)s->samples;
    for (int q = 0; q < s->parts; q++) {
        ptrdiff_t at = (ptrdiff_t)(column * s->parts + q) * 2 * s->half;
        memcpy(s->re + at, x + (size_t)q * n, n * sizeof *x);
        darc_fft_run(&s->plan, s->re + at, s->im + at);
    }
}

/* The neighbours of a frequency. */
static void neighbours(const spectra *s, int i, int *from, int *end)
{
    double near = DARC_HAC_NEAR * 2 * s->half / s->samples;
    int h = (int)fmax(near, i * DARC_HAC_SHARE);
    *from = i - h < 0 ? 0 : i - h;
    *end = i + h > s->half ? s->half + 1 : i + h + 1;
}

/* Set the sums of what the fit leaves of the errors of a part. */
static void set_lever(spectra *s, int part)
{
    double *to = s->lever + part * (s->half + 2);
    for (int i = 0; i <= s->half; i++) {
        double taken = 0;
        for (int imaginary = 0; imaginary < 2; imaginary++) {
            for (int k = 0; k < s->columns; k++) {
                series x = series_of(s, k, part);
                s->own[k] = imaginary ? x.im[i] : x.re[i];
            }
            taken += darc_dense_quadratic(s->inverse, s->own, s->columns);
        }
        to[i + 1] = to[i] + 1 - fmin(1, taken / s->samples);
    }
}

/* Set the cross spectrum of the errors of two parts, or one of them. */
static void set_spectrum(spectra *s, int q, int p, bool real)
{
    const double *a = s->lever + q * (s->half + 2);
    const double *b = s->lever + p * (s->half + 2);
    series x = series_of(s, s->columns, q), y = series_of(s, s->columns, p);
    s->sum[0] = 0;
    for (int i = 0; i <= s->half; i++)
        s->sum[i + 1] = s->sum[i] + product(x, y, i, real);
    for (int i = 0; i <= s->half; i++) {
        int from, end;
        neighbours(s, i, &from, &end);
        double left = sqrt((a[end] - a[from]) * (b[end] - b[from]));
        left = fmax(left, DARC_HAC_LEAST * (end - from));
        s->smooth[i] = (s->sum[end] - s->sum[from]) / left;
    }
}

/* Add what errors of parts q and p make of the products of scores. */
static void add_parts(double *j, spectra *s, int q, int p)
{
    double all = 2.0 * s->half * s->samples;
    for (int real = 0; real < 2; real++) {
        set_spectrum(s, q, p, real == 1);
        for (int k = 0; k < s->columns; k++)
            for (int l = 0; l < s->columns; l++) {
                series x = series_of(s, k, q), y = series_of(s, l, p);
                double sum = 0;
                for (int i = 0; i <= s->half; i++)
                    sum += (i == 0 || i == s->half ? 1 : 2) * s->smooth[i] *
                           product(x, y, i, real == 1);
                j[k * s->columns + l] += sum / all;
            }
    }
}

/* Return the degrees of freedom of the variance of coefficient k: two of every
 * frequency that the smoothed spectrum of its weights holds. */
static double dof_of(spectra *s, int k)
{
    double one = 0, two = 0;
    for (int q = 0; q < s->parts; q++) {
        for (int i = 0; i <= s->half; i++) {
            double re = 0, im = 0;
            for (int l = 0; l < s->columns; l++) {
                series x = series_of(s, l, q);
                re += s->inverse[k * s->columns + l] * x.re[i];
                im += s->inverse[k * s->columns + l] * x.im[i];
            }
            s->sum[i + 1] = s->sum[i] + re * re + im * im;
        }
        for (int i = 0; i <= s->half; i++) {
            int from, end;
            neighbours(s, i, &from, &end);
            double w = (s->sum[end] - s->sum[from]) / (end - from);
            one += w;
            two += w * w;
        }
    }
    return two > 0 ? one * one / two * s->samples / s->half : 1;
}

double darc_hac(double *j, const darc_hac_rows *of)
{
    spectra s;
    double doubt = 0;
    int columns = of->columns, parts = of->parts;
    open_spectra(&s, of->h, columns, parts, of->n);
    for (int k = 0; k < columns; k++)
        transform(&s, k, of->x + (size_t)k * of->n * (size_t)parts);
    transform(&s, columns, of->e);
    for (int q = 0; q < parts; q++)
        set_lever(&s, q);
    memset(j, 0, (size_t)(columns * columns) * sizeof *j);
    for (int q = 0; q < parts; q++)
        for (int p = 0; p < parts; p++)
            add_parts(j, &s, q, p);
    for (int k = 0; k < columns; k++)
        doubt += 1 / dof_of(&s, k) / columns;
    darc_fft_plan_clear(&s.plan);
    darc_free(s.re);
    return doubt > 0 ? 1 / doubt : HUGE_VAL;
}
