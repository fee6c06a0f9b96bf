#include "weak/columns.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <lapacke.h>
#include <string.h>

void darc_columns_whiten(const darc_weak_work *work, const darc_columns_room *b,
                         double *a, int r, char trans)
{
    lapack_int k = work->rows;
    LAPACKE_dtbtrs(LAPACK_COL_MAJOR, 'L', trans, 'N', k, work->band, r,
                   b->factor, work->band + 1, a, k);
}

void darc_columns_combine(const darc_weak_work *work, double *out,
                          const double *w, const double *c)
{
    size_t k = (size_t)work->rows;
    memset(out, 0, k * sizeof *out);
    for (int j = 0; j < work->weak->coeffs; j++)
        if (c[j] != 0)
            darc_lanes_add(out, c[j], w + (size_t)j * k, k);
}

void darc_columns_gram(double *h, const double *a, size_t k, int coeffs)
{
    for (int i = 0; i < coeffs; i++)
        for (int j = 0; j <= i; j++) {
            double sum =
                darc_lanes_dot(a + (size_t)i * k, a + (size_t)j * k, k);
            h[i * coeffs + j] += sum;
            if (i != j)
                h[j * coeffs + i] += sum;
        }
}

double *darc_columns_all(const darc_weak *weak)
{
    size_t e = (size_t)weak->equations, rows = weak->functions * e, at = 0;
    double *out = darc_calloc(rows * (size_t)weak->coeffs, sizeof *out);
    darc_weak_work *work = darc_weak_work_new(weak);
    for (int p = 0; p < weak->pieces; p++) {
        darc_weak_load(work, p);
        size_t own = (size_t)work->rows;
        for (size_t j = 0; j < (size_t)weak->coeffs; j++)
            memcpy(out + j * rows + at, work->w + j * own, own * sizeof *out);
        at += own;
    }
    darc_weak_work_free(work);
    return out;
}
