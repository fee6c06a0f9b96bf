#include "fit/fitter.h"

#include "base/mem.h"
#include "stats/dense.h"
#include "weak/columns.h"
#include "weak/origin.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Set h to W'W over the pieces in use. */
static void moments(const darc_fitter *f, double *h)
{
    darc_weak_work *work = darc_weak_work_new(f->weak);
    for (int p = 0; p < f->weak->pieces; p += f->every) {
        darc_weak_load(work, p);
        darc_columns_gram(h, work->w, (size_t)work->rows, f->weak->coeffs);
    }
    darc_weak_work_free(work);
}

darc_status darc_fitter_out_of_range(const darc_weak *weak, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: the weak form leaves the range of numbers on these "
                     "data; scale the signals (--scale)",
                     weak->table->file);
}

/* Whether squares of n terms from the first on, over those of others, can be
 * squared. */
static bool in_range(const double *h, int j, int first, int n)
{
    double least = HUGE_VAL, most = 0;
    for (int i = first; i < first + n; i++) {
        least = fmin(least, h[i * (j + 1)]);
        most = fmax(most, h[i * (j + 1)]);
    }
    return isfinite(most) && least > sqrt(DBL_MIN) * most;
}

/* Set b (n x n) to W'W of the equation, less what the constant takes up that
 * is coefficient `offset` of it (-1: none), whose own row is left out; return
 * whether there is something left of every other term. */
static bool free_of_offset(double *b, const double *own, int j, int n,
                           int offset)
{
    bool any = true;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++) {
            double both = offset < 0
                              ? 0
                              : own[i * j + offset] * own[l * j + offset] /
                                    own[offset * (j + 1)];
            bool in = i != offset && l != offset;
            b[i * n + l] = in ? own[i * j + l] - both : 0;
        }
    for (int i = 0; i < n; i++)
        any = any && (i == offset || b[i * (n + 1)] > 0);
    return any;
}

/* Set the coefficients of equation q to the smallest eigenvector of W'W scaled
 * to a unit diagonal, a free constant projected out: where the signals have
 * their origin does not matter. */
static darc_status start_equation(darc_fitter *f, const double *h, int q,
                                  darc_err *err)
{
    int j = f->weak->coeffs, n = f->task->model[q], first = f->weak->first[q];
    if (!in_range(h, j, first, n))
        return darc_fitter_out_of_range(f->weak, err);
    const double *own = h + first * (j + 1);
    double *a = darc_calloc((size_t)n * (size_t)n, sizeof *a);
    double *b = darc_calloc((size_t)n * (size_t)n, sizeof *b);
    double *w = darc_calloc((size_t)n, sizeof *w), *c = f->c + first, rest = 0;
    int o = darc_origin_offset(f->weak, q), largest = 0;
    o = o < 0 || o - first >= n ? -1 : o - first;
    if (o >= 0 && (n < 3 || !free_of_offset(b, own, j, n, o)))
        o = -1;
    if (o < 0)
        free_of_offset(b, own, j, n, o);
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++)
            a[i * n + l] = i == o || l == o
                               ? (i == l ? 2 * n : 0) /* the largest of all */
                               : b[i * n + l] / sqrt(b[i * (n + 1)]) /
                                     sqrt(b[l * (n + 1)]);
    (void)!darc_dense_eigen(w, a, n, 'V');
    for (int i = 0; i < n; i++)
        largest = fabs(a[i]) > fabs(a[largest]) ? i : largest;
    f->reference[q] = first + largest;
    double unit = a[largest] / sqrt(b[largest * (n + 1)]);
    for (int i = 0; i < n; i++) {
        c[i] = i == o ? 0 : a[i] / sqrt(b[i * (n + 1)]) / unit;
        rest += o < 0 ? 0 : own[o * j + i] * c[i];
    }
    if (o >= 0)
        c[o] = -rest / own[o * (j + 1)];
    darc_free(a);
    darc_free(b);
    darc_free(w);
    return isfinite(1 / unit) ? DARC_OK
                              : darc_fitter_out_of_range(f->weak, err);
}

/* Coefficients as they start, and which are free. */
darc_status darc_fitter_start(darc_fitter *f, darc_err *err)
{
    int j = f->weak->coeffs;
    darc_status status = DARC_OK;
    const darc_gls *from = f->task->start;
    double *h = darc_calloc((size_t)j * (size_t)j, sizeof *h);
    if (from == NULL)
        moments(f, h);
    for (int q = 0; q < f->weak->equations && status == DARC_OK; q++) {
        int first = f->weak->first[q], n = f->task->model[q];
        f->reference[q] = first;
        for (int i = first; i < first + n; i++)
            f->c[i] = 1;
        if (f->task->settled[q])
            continue;
        if (from != NULL) {
            memcpy(f->c + first, from->c + from->first[q],
                   (size_t)n * sizeof *f->c);
            f->reference[q] = first + from->reference[q] - from->first[q];
        } else {
            status = start_equation(f, h, q, err);
        }
        for (int i = first; i < first + n; i++)
            if (i != f->reference[q])
                f->index[f->free++] = i;
    }
    darc_free(h);
    return status;
}
