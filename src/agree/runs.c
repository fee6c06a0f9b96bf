#include "agree/runs.h"

#include "agree/measures.h"
#include "agree/thresholds.h"
#include "base/mem.h"
#include "stats/stats.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

/* Check both sides and set what any method needs. */
static darc_status begin_interval(darc_interval *out, darc_runs reference,
                                  darc_runs simulation, double level,
                                  darc_err *err)
{
    assert(level > 0 && level < 1);
    for (int side = 0; side < 2; side++) {
        const char *what = side == 0 ? "reference" : "simulation";
        darc_runs x = side == 0 ? reference : simulation;
        if (x.n < 2)
            return darc_fail(err, DARC_DATA,
                             "%zu %s run%s: an interval needs at least 2; the "
                             "samples of one run are no replicates",
                             x.n, what, x.n == 1 ? "" : "s");
        for (size_t i = 0; i < x.n; i++)
            if (!isfinite(x.value[i]))
                return darc_fail(err, DARC_DATA, "%s run %zu has no value",
                                 what, i + 1);
    }
    *out = (darc_interval){
        .level = level,
        .reference = darc_norms_mean(reference.value, reference.n),
        .simulation = darc_norms_mean(simulation.value, simulation.n)};
    out->difference = out->simulation - out->reference;
    return DARC_OK;
}

static void finish_interval(darc_interval *out, double variance,
                            double tolerance)
{
    assert(tolerance >= 0);
    double t = -darc_stats_t_quantile((1 - out->level) / 2, out->dof);
    double half = t * sqrt(variance);
    out->low = out->difference - half;
    out->high = out->difference + half;
    out->tolerance = tolerance;
    out->zero_inside = out->low <= 0 && 0 <= out->high;
    out->within = -tolerance <= out->low && out->high <= tolerance;
}

darc_status darc_interval_paired(darc_interval *out, darc_runs reference,
                                 darc_runs simulation, double level,
                                 double tolerance, darc_err *err)
{
    assert(reference.n == simulation.n);
    DARC_NEED(begin_interval(out, reference, simulation, level, err));
    double n = (double)reference.n, sum = 0;
    for (size_t i = 0; i < reference.n; i++) {
        double d = simulation.value[i] - reference.value[i] - out->difference;
        sum += d * d;
    }
    out->method = "paired-t";
    out->dof = n - 1;
    finish_interval(out, sum / out->dof / n, tolerance);
    return DARC_OK;
}

/* Variance of the mean of x. */
static double mean_variance(darc_runs x, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < x.n; i++)
        sum += (x.value[i] - mean) * (x.value[i] - mean);
    return sum / (double)(x.n - 1) / (double)x.n;
}

darc_status darc_interval_welch(darc_interval *out, darc_runs reference,
                                darc_runs simulation, double level,
                                double tolerance, darc_err *err)
{
    DARC_NEED(begin_interval(out, reference, simulation, level, err));
    double a = mean_variance(reference, out->reference);
    double b = mean_variance(simulation, out->simulation);
    double da = (double)(reference.n - 1), db = (double)(simulation.n - 1);
    out->method = "Welch";
    /* Both constant: any degrees of freedom give the same, a point. */
    out->dof =
        a + b > 0 ? (a + b) * (a + b) / (a * a / da + b * b / db) : da + db;
    finish_interval(out, a + b, tolerance);
    return DARC_OK;
}

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

static darc_status choose_weights(darc_weights *w, const darc_scores *s,
                                  darc_err *err)
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
    w->weight = darc_calloc(2 * s->n, sizeof *w->weight);
    w->mean = w->weight + s->n;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->runs; k++)
            w->mean[i] += s->z[k * s->n + i];
        w->mean[i] /= (double)s->runs;
    }
    darc_status status = choose_weights(w, s, err);
    for (size_t i = 0; i < s->n; i++)
        w->consistency += w->weight[i] * w->mean[i];
    if (status != DARC_OK)
        darc_weights_clear(w);
    return status;
}

void darc_weights_clear(darc_weights *w)
{
    darc_free(w->weight);
    *w = (darc_weights){0};
}
