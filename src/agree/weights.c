#include "agree/weights.h"

#include "agree/thresholds.h"
#include "base/mem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

/* sum_k (z_ki - mean_i) (z_kj - mean_j) */
static double covariance(const darc_weights *w, const darc_scores *s, size_t i,
                         size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < s->runs; k++) {
        const double *z = s->z + k * s->n;
        sum += (z[i] - w->mean[i]) * (z[j] - w->mean[j]);
    }
    return sum;
}

/* Set weight[i] to R_i, then the weights. */
static darc_status set_weights(darc_weights *w, const darc_scores *s,
                               darc_err *err)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double all = 0, own = covariance(w, s, i, i);
        for (size_t j = 0; j < s->n; j++) {
            double c = covariance(w, s, i, j);
            all += j == i ? 0 : c * c / (own * covariance(w, s, j, j));
        }
        w->weight[i] = all / (double)(s->n - 1);
        most = fmax(most, w->weight[i]);
    }
    for (size_t i = 0; i < s->n; i++) {
        if (w->weight[i] <= DARC_UNCORRELATED)
            return darc_fail(err, DARC_DOMAIN,
                             "'%s' is not correlated with any other output: "
                             "its weight would be infinite",
                             s->name[i]);
        w->weight[i] = most / w->weight[i];
        sum += w->weight[i];
    }
    for (size_t i = 0; i < s->n; i++)
        w->weight[i] /= sum;
    return DARC_OK;
}

static darc_status choose(darc_weights *w, const darc_scores *s, darc_err *err)
{
    if (s->n == 1) {
        w->weight[0] = 1;
        return DARC_OK;
    }
    w->equal = true;
    for (size_t i = 0; i < s->n; i++)
        w->weight[i] = 1 / (double)s->n;
    if (s->runs < DARC_CORRELATED_RUNS) {
        snprintf(w->note, sizeof w->note,
                 "equal weights: %zu run%s, at least 3 are needed for "
                 "correlations",
                 s->runs, s->runs == 1 ? "" : "s");
        return DARC_OK;
    }
    for (size_t i = 0; i < s->n; i++)
        if (covariance(w, s, i, i) <= /* but for the rounding of its mean */
            (double)s->runs * w->mean[i] * w->mean[i] * 16 * DBL_EPSILON *
                DBL_EPSILON) {
            snprintf(w->note, sizeof w->note,
                     "equal weights: '%.60s' is the same in every run",
                     s->name[i]);
            return DARC_OK;
        }
    w->equal = false;
    return set_weights(w, s, err);
}

darc_status darc_weights_init(darc_weights *w, const darc_scores *s,
                              darc_err *err)
{
    assert(s->runs > 0 && s->n > 0);
    *w = (darc_weights){0};
    for (size_t k = 0; k < s->runs * s->n; k++)
        if (!isfinite(s->z[k]))
            return darc_fail(err, DARC_DATA,
                             "run %zu: the consistency of '%s' is not a number",
                             k / s->n + 1, s->name[k % s->n]);
    w->weight = darc_calloc(s->n, sizeof *w->weight);
    w->mean = darc_calloc(s->n, sizeof *w->mean);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->runs; k++)
            w->mean[i] += s->z[k * s->n + i];
        w->mean[i] /= (double)s->runs;
    }
    darc_status status = choose(w, s, err);
    for (size_t i = 0; i < s->n; i++)
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
