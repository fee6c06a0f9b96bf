#include "fit/columns.h"

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
