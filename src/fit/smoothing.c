#include "fit/smoothing.h"

#include "base/budget.h"
#include "base/mem.h"
#include "base/random.h"
#include "stats/lanes.h"
#include "weak/piece.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Set out to w c. */
static void combine(double *out, const darc_weak_work *work, const double *w,
                    const double *c)
{
    size_t k = (size_t)work->rows;
    memset(out, 0, k * sizeof *out);
    for (int j = 0; j < work->weak->coeffs; j++)
        darc_lanes_add(out, c[j], w + (size_t)j * k, k);
}

/* One draw of the same noise in the fields of both: the narrow one reaches less
 * far beyond the piece. */
static void draw(darc_weak_work *work, darc_weak_work *narrow, int piece)
{
    int ahead = work->weak->left - narrow->weak->left;
    size_t n = darc_weak_field(work), m = darc_weak_field(narrow);
    assert(ahead >= 0 && narrow->weak->right <= work->weak->right);
    for (int c = 0; c < darc_weak_channels(work->weak); c++) {
        bool drawn = c < work->weak->channels;
        darc_random random;
        darc_random_init(&random, (uint64_t)piece + 1, (uint64_t)c);
        for (size_t i = 0; i < n; i++)
            work->z[c][i] = drawn ? darc_random_normal(&random) : 0;
    }
    for (int c = 0; c < darc_weak_channels(narrow->weak); c++)
        if (c < narrow->weak->channels)
            memcpy(narrow->z[c], work->z[c] + ahead, m * sizeof **narrow->z);
        else
            memset(narrow->z[c], 0, m * sizeof **narrow->z);
}

static void subtract(double *d, const double *x, const double *y,
                     const darc_weak_work *work, const double *c)
{
    size_t k = (size_t)work->rows;
    double *e = darc_calloc(k, sizeof *e);
    combine(d, work, x, c);
    combine(e, work, y, c);
    darc_lanes_add(d, -1, e, k);
    darc_free(e);
}

static void load(darc_weak_work *work, int piece, const double *c)
{
    darc_weak_load(work, piece);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
}

/* Set d (rows x 2) to what the moments of piece p differ by, and to what one
 * draw of noise does. */
static void differ(double *d, darc_weak_work *work, darc_weak_work *narrow,
                   int p, const double *c)
{
    size_t k = (size_t)work->rows, n = k * (size_t)work->weak->coeffs;
    double *x = darc_calloc(n, sizeof *x), *y = darc_calloc(n, sizeof *y);
    subtract(d, work->w, narrow->w, work, c);
    draw(work, narrow, p);
    darc_weak_forward(work, x);
    darc_weak_forward(narrow, y);
    subtract(d + k, x, y, work, c);
    darc_free(x);
    darc_free(y);
}

/* Add what piece p makes. */
static darc_status add(double *lambda, darc_weak_work *work,
                       darc_weak_work *narrow, int p, const double *c,
                       darc_err *err)
{
    load(work, p, c);
    load(narrow, p, c);
    darc_weak_covariance(work);
    assert(work->rows == narrow->rows);
    lapack_int k = work->rows, band = work->band;
    double *d = darc_calloc(2 * (size_t)k, sizeof *d);
    differ(d, work, narrow, p, c);
    bool ok =
        LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', k, band, work->ab, band + 1) == 0;
    if (ok)
        LAPACKE_dtbtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', k, band, 2, work->ab,
                       band + 1, d, k);
    *lambda += 4 * (darc_lanes_dot(d, d, (size_t)k) -
                    darc_lanes_dot(d + k, d + k, (size_t)k));
    darc_free(d);
    return ok ? DARC_OK
              : darc_fail(err, DARC_DATA,
                          "%s: the covariance of the weak moments is singular",
                          work->weak->table->file);
}

darc_status darc_smoothing_doubt(double *lambda, const darc_weak *weak,
                                 const darc_weak *narrow, const double *c,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weak_work *a = darc_weak_work_new(weak);
    darc_weak_work *b = darc_weak_work_new(narrow);
    *lambda = 0;
    for (int p = 0; p < weak->pieces && status == DARC_OK; p++) {
        status = darc_budget_check(budget, err);
        if (status == DARC_OK)
            status = add(lambda, a, b, p, c, err);
    }
    *lambda = fmax(0, *lambda);
    darc_weak_work_free(a);
    darc_weak_work_free(b);
    return status;
}
