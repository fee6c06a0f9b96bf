#include "agree/interval.h"

#include "agree/norms.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>

static darc_status check(const double *x, size_t n, const char *what,
                         darc_err *err)
{
    if (n < 2)
        return darc_fail(err, DARC_DATA,
                         "%zu %s run%s: an interval needs at least 2; the "
                         "samples of one run are no replicates",
                         n, what, n == 1 ? "" : "s");
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return darc_fail(err, DARC_DATA, "%s run %zu has no value", what,
                             i + 1);
    return DARC_OK;
}

/* Variance of the mean of x. */
static double mean_variance(const double *x, size_t n)
{
    double mean = darc_norms_mean(x, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)(n - 1) / (double)n;
}

static void finish(darc_interval *out, double variance, double tolerance)
{
    double t = -darc_stats_t_quantile((1 - out->level) / 2, out->dof);
    double half = t * sqrt(variance);
    out->difference = out->simulation - out->reference;
    out->low = out->difference - half;
    out->high = out->difference + half;
    out->tolerance = tolerance;
    out->zero_inside = out->low <= 0 && 0 <= out->high;
    out->within = -tolerance <= out->low && out->high <= tolerance;
}

darc_status darc_interval_paired(darc_interval *out, const double *reference,
                                 const double *simulation, size_t n,
                                 double level, double tolerance, darc_err *err)
{
    darc_status status;
    assert(level > 0 && level < 1 && tolerance >= 0);
    DARC_TRY(check(reference, n, "reference", err));
    DARC_TRY(check(simulation, n, "simulation", err));
    *out = (darc_interval){.method = "paired-t", .level = level};
    out->reference = darc_norms_mean(reference, n);
    out->simulation = darc_norms_mean(simulation, n);
    out->dof = (double)(n - 1);
    double mean = out->simulation - out->reference, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = simulation[i] - reference[i] - mean;
        sum += d * d;
    }
    finish(out, sum / out->dof / (double)n, tolerance);
done:
    return status;
}

darc_status darc_interval_welch(darc_interval *out, const double *reference,
                                size_t references, const double *simulation,
                                size_t simulations, double level,
                                double tolerance, darc_err *err)
{
    darc_status status;
    assert(level > 0 && level < 1 && tolerance >= 0);
    DARC_TRY(check(reference, references, "reference", err));
    DARC_TRY(check(simulation, simulations, "simulation", err));
    *out = (darc_interval){.method = "Welch", .level = level};
    out->reference = darc_norms_mean(reference, references);
    out->simulation = darc_norms_mean(simulation, simulations);
    double a = mean_variance(reference, references);
    double b = mean_variance(simulation, simulations);
    double da = (double)(references - 1), db = (double)(simulations - 1);
    /* Both constant: any degrees of freedom give the same, a point. */
    out->dof =
        a + b > 0 ? (a + b) * (a + b) / (a * a / da + b * b / db) : da + db;
    finish(out, a + b, tolerance);
done:
    return status;
}
