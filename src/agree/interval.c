#include "agree/interval.h"

#include "agree/theil.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>

/* Check both sides and set what any method needs. */
static darc_status begin(darc_interval *out, darc_runs reference,
                         darc_runs simulation, double level, darc_err *err)
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

static void finish(darc_interval *out, double variance, double tolerance)
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
    DARC_NEED(begin(out, reference, simulation, level, err));
    double n = (double)reference.n, sum = 0;
    for (size_t i = 0; i < reference.n; i++) {
        double d = simulation.value[i] - reference.value[i] - out->difference;
        sum += d * d;
    }
    out->method = "paired-t";
    out->dof = n - 1;
    finish(out, sum / out->dof / n, tolerance);
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
    DARC_NEED(begin(out, reference, simulation, level, err));
    double a = mean_variance(reference, out->reference);
    double b = mean_variance(simulation, out->simulation);
    double da = (double)(reference.n - 1), db = (double)(simulation.n - 1);
    out->method = "Welch";
    /* Both constant: any degrees of freedom give the same, a point. */
    out->dof =
        a + b > 0 ? (a + b) * (a + b) / (a * a / da + b * b / db) : da + db;
    finish(out, a + b, tolerance);
    return DARC_OK;
}
