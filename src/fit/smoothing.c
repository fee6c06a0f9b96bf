#include "fit/smoothing.h"

#include "base/budget.h"
#include "base/mem.h"
#include "stats/lanes.h"
#include "weak/piece.h"

#include <assert.h>
#include <lapacke.h>
#include <string.h>

/* Set out to W c of the piece that is loaded. */
static void combine(double *out, const darc_weak_work *work, const double *c)
{
    size_t k = (size_t)work->rows;
    memset(out, 0, k * sizeof *out);
    for (int j = 0; j < work->weak->coeffs; j++)
        darc_lanes_add(out, c[j], work->w + (size_t)j * k, k);
}

/* Add what piece p makes. */
static darc_status add(double *lambda, darc_weak_work *work,
                       darc_weak_work *narrow, int p, const double *c,
                       darc_err *err)
{
    darc_weak_load(work, p);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
    darc_weak_covariance(work);
    darc_weak_load(narrow, p);
    assert(work->rows == narrow->rows);
    lapack_int k = work->rows, band = work->band;
    double *d = darc_calloc((size_t)k, sizeof *d);
    double *e = darc_calloc((size_t)k, sizeof *e);
    combine(d, work, c);
    combine(e, narrow, c);
    darc_lanes_add(d, -1, e, (size_t)k);
    bool ok =
        LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', k, band, work->ab, band + 1) == 0;
    if (ok)
        LAPACKE_dtbtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', k, band, 1, work->ab,
                       band + 1, d, k);
    *lambda += 4 * darc_lanes_dot(d, d, (size_t)k);
    darc_free(d);
    darc_free(e);
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
    darc_weak_work_free(a);
    darc_weak_work_free(b);
    return status;
}
