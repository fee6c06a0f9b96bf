#include "agree/weights.h"

#include "base/mem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

/* sum_k (z_ki - mean_i) (z_kj - mean_j) */
static double covariance(const darc_weights *w, const double *z, size_t runs,
                         size_t n, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < runs; k++)
        sum += (z[k * n + i] - w->mean[i]) * (z[k * n + j] - w->mean[j]);
    return sum;
}

static void set_means(darc_weights *w, const double *z, size_t runs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < runs; k++)
            sum += z[k * n + i];
        w->mean[i] = sum / (double)runs;
    }
}

/* Whether column i is constant but for the rounding of its mean. */
static bool is_constant(const darc_weights *w, const double *z, size_t runs,
                        size_t n, size_t i)
{
    double v = covariance(w, z, runs, n, i, i), m = w->mean[i];
    return v <= (double)runs * m * m * 16 * DBL_EPSILON * DBL_EPSILON;
}

static void set_equal(darc_weights *w, size_t n)
{
    w->equal = true;
    for (size_t i = 0; i < n; i++)
        w->weight[i] = 1 / (double)n;
}

/* Set weight[i] to R_i. */
static void set_dependence(darc_weights *w, const double *z, size_t runs,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            double c = covariance(w, z, runs, n, i, j);
            sum += j == i ? 0
                          : c * c /
                                (covariance(w, z, runs, n, i, i) *
                                 covariance(w, z, runs, n, j, j));
        }
        w->weight[i] = sum / (double)(n - 1);
    }
}

static darc_status set_weights(darc_weights *w, size_t n,
                               const char *const *name, darc_err *err)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, w->weight[i]);
    for (size_t i = 0; i < n; i++) {
        /* r^2 of independent runs is about 1 / runs; rounding is far below. */
        if (w->weight[i] <= 1e-20)
            return darc_fail(err, DARC_DOMAIN,
                             "'%s' is not correlated with any other output: "
                             "its weight would be infinite",
                             name[i]);
        w->weight[i] = most / w->weight[i];
        sum += w->weight[i];
    }
    for (size_t i = 0; i < n; i++)
        w->weight[i] /= sum;
    return DARC_OK;
}

static darc_status choose(darc_weights *w, const double *z, size_t runs,
                          size_t n, const char *const *name, darc_err *err)
{
    if (n == 1) {
        w->weight[0] = 1;
        return DARC_OK;
    }
    if (runs < 3) {
        set_equal(w, n);
        snprintf(w->note, sizeof w->note,
                 "equal weights: %zu run%s, at least 3 are needed for "
                 "correlations",
                 runs, runs == 1 ? "" : "s");
        return DARC_OK;
    }
    for (size_t i = 0; i < n; i++)
        if (is_constant(w, z, runs, n, i)) {
            set_equal(w, n);
            snprintf(w->note, sizeof w->note,
                     "equal weights: '%.60s' is the same in every run",
                     name[i]);
            return DARC_OK;
        }
    set_dependence(w, z, runs, n);
    return set_weights(w, n, name, err);
}

darc_status darc_weights_init(darc_weights *w, const double *z, size_t runs,
                              size_t n, const char *const *name, darc_err *err)
{
    assert(runs > 0 && n > 0);
    *w = (darc_weights){0};
    for (size_t k = 0; k < runs * n; k++)
        if (!isfinite(z[k]))
            return darc_fail(err, DARC_DATA,
                             "run %zu: the consistency of '%s' is not a number",
                             k / n + 1, name[k % n]);
    w->weight = darc_calloc(n, sizeof *w->weight);
    w->mean = darc_calloc(n, sizeof *w->mean);
    set_means(w, z, runs, n);
    darc_status status = choose(w, z, runs, n, name, err);
    for (size_t i = 0; i < n; i++)
        w->consistency += w->weight[i] * w->mean[i];
    if (status != DARC_OK)
        darc_weights_clear(w);
    return status;
}

void darc_weights_clear(darc_weights *w)
{
    darc_free(w->weight);
    darc_free(w->mean);
    *w = (darc_weights){0};
}
