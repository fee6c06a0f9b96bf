#include "agree/feature.h"

#include "agree/measures.h"
#include "agree/thresholds.h"

#include <assert.h>
#include <math.h>

const char *darc_feature_name(darc_feature f)
{
    static const char *const name[] = {
        "rise_time",          "overshoot",     "steady_state",
        "steady_state_error", "settling_time", "peak",
        "peak_time",          "mean",          "rms"};
    assert(f < DARC_FEATURE_COUNT);
    return name[f];
}

/* The time at which y first reaches y_0 + part * h, between two samples by a
 * straight line. */
static double crossing(const double *t, const double *y, size_t n, double h,
                       double part)
{
    for (size_t i = 0; i < n; i++) {
        double reached = (y[i] - y[0]) / h;
        if (reached < part)
            continue;
        if (i == 0)
            return t[0];
        double before = (y[i - 1] - y[0]) / h;
        return t[i - 1] +
               (t[i] - t[i - 1]) * (part - before) / (reached - before);
    }
    return NAN;
}

/* The time after which y stays within `band` of y_end, by a straight line
 * between the samples. */
static double settling(const double *t, const double *y, size_t n, double end,
                       double band)
{
    size_t i = n;
    while (i > 0 && fabs(y[i - 1] - end) <= band)
        i--;
    if (i == 0 || i == n)
        return i == 0 ? 0 : NAN;
    double out = fabs(y[i - 1] - end), in = fabs(y[i] - end);
    double part = (y[i - 1] > end) == (y[i] > end) || in == 0
                      ? (out - band) / (out - in)
                      : (out - band) / (out + in);
    return t[i - 1] + (t[i] - t[i - 1]) * part - t[0];
}

void darc_feature_extract(double value[DARC_FEATURE_COUNT], const double *t,
                          const double *y, size_t n, double target)
{
    assert(n > 0);
    for (int f = 0; f < DARC_FEATURE_COUNT; f++)
        value[f] = NAN;
    size_t peak = 0, tail = n - n / DARC_TAIL;
    tail = tail == n ? n - 1 : tail;
    for (size_t i = 0; i < n; i++)
        peak = fabs(y[i] - y[0]) > fabs(y[peak] - y[0]) ? i : peak;
    double excursion = fabs(y[peak] - y[0]);
    value[DARC_FEATURE_PEAK] = y[peak];
    value[DARC_FEATURE_PEAK_TIME] = t[peak] - t[0];
    value[DARC_FEATURE_MEAN] = darc_norms_mean(y, n);
    value[DARC_FEATURE_RMS] =
        darc_norms_of(y, y, n).reference / sqrt((double)n);
    double low = y[tail], high = y[tail];
    for (size_t i = tail; i < n; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    if (!(high - low <= DARC_SETTLED * excursion))
        return;
    double end = darc_norms_mean(y + tail, n - tail);
    value[DARC_FEATURE_STEADY_STATE] = end;
    value[DARC_FEATURE_STEADY_ERROR] = target - end;
    /* A step that is lost in the unrest of the tail is none. */
    double h = end - y[0], most = 0;
    if (fabs(h) <= DARC_SETTLED * excursion)
        return;
    value[DARC_FEATURE_RISE_TIME] = crossing(t, y, n, h, DARC_RISE_TO) -
                                    crossing(t, y, n, h, DARC_RISE_FROM);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, (y[i] - end) / h);
    value[DARC_FEATURE_OVERSHOOT] = most < DARC_NO_OVERSHOOT ? 0 : most;
    value[DARC_FEATURE_SETTLING_TIME] =
        settling(t, y, n, end, DARC_SETTLING_BAND * fabs(h));
}

const char *darc_feature_missing(darc_feature f,
                                 const double value[DARC_FEATURE_COUNT])
{
    if (isnan(value[DARC_FEATURE_STEADY_STATE]))
        return "the signal does not settle";
    if (f == DARC_FEATURE_STEADY_ERROR)
        return "no target is given";
    return "there is no step between the begin and the end";
}

double darc_feature_consistency(double reference, double simulation,
                                double lambda)
{
    assert(lambda > 0);
    double error = fabs(simulation - reference);
    if (reference != 0)
        error /= fabs(reference);
    return exp(-lambda * error);
}
