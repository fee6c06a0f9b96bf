#include "agree/measures.h"

#include "agree/thresholds.h"
#include "base/mem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static darc_norms scaled(const double *r, const double *s, size_t n,
                         double scale)
{
    double rr = 0, ss = 0, dd = 0;
    for (size_t i = 0; i < n; i++) {
        double a = r[i] * scale, b = s[i] * scale, d = a - b;
        rr += a * a;
        ss += b * b;
        dd += d * d;
    }
    return (darc_norms){sqrt(rr) / scale, sqrt(ss) / scale, sqrt(dd) / scale};
}

/* Return the norms; squares that overflow or underflow do no harm. */
static darc_norms norms_of(const double *r, const double *s, size_t n)
{
    assert(n > 0);
    darc_norms m = scaled(r, s, n, 1);
    double most = m.reference + m.simulation + m.difference;
    /* Squares are safe while no norm comes near sqrt of the range. */
    if (most > 1e-140 && most < 1e140)
        return m;
    double largest = fmax(darc_norms_max(r, n), darc_norms_max(s, n));
    if (largest < 4 * DBL_MIN)
        return m;
    return scaled(r, s, n, 1 / largest);
}

double darc_norms_max(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

double darc_norms_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

double darc_theil_classical(const double *r, const double *s, size_t n)
{
    darc_norms m = norms_of(r, s, n);
    double both = m.reference + m.simulation;
    return both > 0 ? m.difference / both : 0;
}

double darc_theil_reference(const double *r, const double *s, size_t n)
{
    darc_norms m = norms_of(r, s, n);
    return m.reference > 0 ? m.difference / m.reference : m.difference;
}

double darc_theil_proximity(double coefficient, double lambda)
{
    assert(coefficient >= 0 && lambda > 0);
    return exp(-lambda * coefficient);
}

darc_grey darc_grey_degree(const double *r, const double *s, size_t n,
                           double lambda)
{
    assert(n > 0 && lambda > 0);
    darc_grey g = {1, HUGE_VAL, 0, false};
    for (size_t i = 0; i < n; i++) {
        double d = fabs(r[i] - s[i]);
        g.least = d < g.least ? d : g.least;
        g.most = d > g.most ? d : g.most;
    }
    if (g.most == 0)
        return g;
    double sum = 0, far = lambda * g.most;
    for (size_t i = 0; i < n; i++)
        sum += (g.least + far) / (fabs(r[i] - s[i]) + far);
    g.degree = sum / (double)n;
    g.parallel = g.least >= DARC_GREY_PARALLEL * g.most;
    return g;
}

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
    DARC_FILL(value, DARC_FEATURE_COUNT, NAN);
    size_t peak = 0, tail = n - n / DARC_TAIL;
    tail = tail == n ? n - 1 : tail;
    for (size_t i = 0; i < n; i++)
        peak = fabs(y[i] - y[0]) > fabs(y[peak] - y[0]) ? i : peak;
    double excursion = fabs(y[peak] - y[0]);
    value[DARC_FEATURE_PEAK] = y[peak];
    value[DARC_FEATURE_PEAK_TIME] = t[peak] - t[0];
    value[DARC_FEATURE_MEAN] = darc_norms_mean(y, n);
    value[DARC_FEATURE_RMS] = norms_of(y, y, n).reference / sqrt((double)n);
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

void darc_practice_errors(darc_errors *out, const double *r, const double *s,
                          size_t n, double nominal)
{
    assert(n > 0);
    *out = (darc_errors){0};
    double low = r[0], high = r[0], mean = darc_norms_mean(r, n), total = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(s[i] - r[i]);
        low = r[i] < low ? r[i] : low;
        high = r[i] > high ? r[i] : high;
        total += (r[i] - mean) * (r[i] - mean);
        if (e > out->max_error) {
            out->max_error = e;
            out->at = i;
        }
    }
    double norm = norms_of(r, s, n).difference;
    out->rms = norm / sqrt((double)n);
    double range = nominal > 0 ? nominal : high - low;
    out->nrmse = range > 0 ? out->rms / range : NAN;
    out->r_squared = high > low ? 1 - norm * norm / total : NAN;
}

/* Averages of blocks of k samples; the rest at the end is left out. */
static double *averaged(const double *x, size_t n, size_t k)
{
    double *a = darc_malloc(n / k * sizeof *a);
    for (size_t i = 0; i < n / k; i++)
        a[i] = darc_norms_mean(x + i * k, k);
    return a;
}

static double corridor(const double *r, const double *s, size_t n, double norm)
{
    double inner = DARC_ISO_INNER * norm, outer = DARC_ISO_OUTER * norm,
           sum = 0;
    for (size_t i = 0; i < n; i++) {
        double part = (outer - fabs(r[i] - s[i])) / (outer - inner);
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        sum += part * part;
    }
    return sum / (double)n;
}

/* Pearson's correlation of r[i] with s[i + shift] where both exist; NAN if one
 * side is constant. */
static double shifted(const double *r, const double *s, size_t n, long shift)
{
    size_t k = (size_t)labs(shift), m = n - k;
    const double *a = shift < 0 ? r + k : r, *b = shift > 0 ? s + k : s;
    double ma = darc_norms_mean(a, m), mb = darc_norms_mean(b, m);
    double aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < m; i++) {
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
        ab += (a[i] - ma) * (b[i] - mb);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

/* The shift in samples, smallest of the best, and a fraction from a parabola
 * through its neighbours; false when there is no correlation. */
static int best_shift(long *best, double *fraction, const double *r,
                      const double *s, size_t n)
{
    long most = (long)(n / DARC_ISO_SHIFT);
    double high = -HUGE_VAL;
    for (long k = 0; k <= most; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double c = shifted(r, s, n, sign * k);
            if (c > high + DARC_ISO_TIE) {
                high = c;
                *best = sign * k;
            }
        }
    *fraction = 0;
    if (high == -HUGE_VAL)
        return 0;
    if (labs(*best) < most) {
        double a = shifted(r, s, n, *best - 1);
        double b = shifted(r, s, n, *best + 1), bend = a - 2 * high + b;
        *fraction = bend < 0 ? 0.5 * (a - b) / bend : 0;
    }
    return 1;
}

/* Steps of a warping path. */
enum { BOTH, REFERENCE, SIMULATION };

/* Relative L1 distance along the path of least squared distance within a
 * band of 10 %. */
static double warped_distance(const double *r, const double *s, size_t n)
{
    size_t band = n / DARC_ISO_WINDOW + 1, width = 2 * band + 1;
    double *cost = darc_malloc(2 * (width + 2) * sizeof *cost);
    unsigned char *step = darc_calloc(n * width, 1);
    double *before = cost, *now = cost + width + 2;
    for (size_t k = 0; k < width + 2; k++)
        before[k] = now[k] = HUGE_VAL;
    /* Cell k of row i stands for j = i + k - band; now[k + 1] holds it. */
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < width; k++) {
            double least = HUGE_VAL;
            unsigned char how = BOTH;
            if (i + k < band || i + k - band >= n) {
                now[k + 1] = HUGE_VAL;
                continue;
            }
            if (i == 0 && k == band)
                least = 0;
            if (before[k + 1] < least)
                least = before[k + 1];
            if (before[k + 2] < least) {
                least = before[k + 2];
                how = REFERENCE;
            }
            if (now[k] < least) {
                least = now[k];
                how = SIMULATION;
            }
            double d = r[i] - s[i + k - band];
            now[k + 1] = least + d * d;
            step[i * width + k] = how;
        }
        DARC_SWAP(double *, before, now);
    }
    double distance = 0, size = 0;
    for (size_t i = n - 1, k = band;;) {
        size_t j = i + k - band;
        distance += fabs(r[i] - s[j]);
        size += fabs(r[i]);
        if (i == 0 && j == 0)
            break;
        unsigned char how = step[i * width + k];
        i -= how != SIMULATION;
        k = how == REFERENCE ? k + 1 : how == SIMULATION ? k - 1 : k;
    }
    DARC_FREE(cost, step);
    return size > 0 ? distance / size : NAN;
}

/* Slope at sample i per sample, averaged over it and its neighbours. */
static double slope_at(const double *x, size_t n, size_t i)
{
    const size_t k = DARC_ISO_NEIGHBOURS;
    size_t a = i < k ? 0 : i - k, b = i + k >= n ? n - 1 : i + k;
    double sum = 0;
    for (size_t j = a; j <= b; j++) {
        size_t left = j == 0 ? 0 : j - 1, right = j + 1 == n ? j : j + 1;
        sum += (x[right] - x[left]) / (double)(right - left);
    }
    return sum / (double)(b - a + 1);
}

static double slope_distance(const double *r, const double *s, size_t n)
{
    double distance = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        double a = slope_at(r, n, i);
        distance += fabs(slope_at(s, n, i) - a);
        size += fabs(a);
    }
    return size > 0 ? distance / size : NAN;
}

/* 1 at e = 0, falling linearly to 0 at limit. */
static double linear_score(double e, double limit)
{
    return e >= limit ? 0 : (limit - e) / limit; /* NAN stays */
}

static void rate(darc_iso18571 *out, const double *r, const double *s, size_t n,
                 double dt, double nominal)
{
    long shift = 0;
    double fraction, norm = nominal > 0 ? nominal : darc_norms_max(r, n);
    if (!(norm > 0)) {
        out->undefined = "the reference is zero: give a nominal value";
        return;
    }
    out->corridor = corridor(r, s, n, norm);
    if (!best_shift(&shift, &fraction, r, s, n)) {
        out->undefined = "a constant signal has no phase";
        return;
    }
    out->shift = ((double)shift + fraction) * dt;
    out->phase =
        linear_score((double)labs(shift) / (double)n, 1.0 / DARC_ISO_SHIFT);
    size_t k = (size_t)labs(shift);
    r += shift < 0 ? k : 0;
    s += shift > 0 ? k : 0;
    out->magnitude =
        linear_score(warped_distance(r, s, n - k), DARC_ISO_MAGNITUDE);
    out->slope = linear_score(slope_distance(r, s, n - k), DARC_ISO_SLOPE);
    out->rating = DARC_ISO_CORRIDOR_WEIGHT * out->corridor +
                  DARC_ISO_WEIGHT * (out->phase + out->magnitude + out->slope);
    if (isnan(out->rating))
        out->undefined = "the part of the reference that is compared is "
                         "constant";
    else
        out->grade = out->rating > DARC_ISO_EXCELLENT ? "excellent"
                     : out->rating > DARC_ISO_GOOD    ? "good"
                     : out->rating > DARC_ISO_FAIR    ? "fair"
                                                      : "poor";
}

void darc_practice_iso18571(darc_iso18571 *out, const darc_matched *m,
                            double nominal)
{
    size_t n = m->n;
    *out = (darc_iso18571){NAN, NAN, NAN, NAN, NAN, "", NAN, n, NULL};
    if (n < DARC_ISO_SAMPLES) {
        out->undefined = "fewer than 20 samples";
        return;
    }
    size_t k = (n + DARC_ISO_POINTS - 1) / DARC_ISO_POINTS;
    double *r = averaged(m->reference, n, k);
    double *s = averaged(m->simulation, n, k);
    out->points = n / k;
    rate(out, r, s, out->points, m->dt * (double)k, nominal);
    DARC_FREE(r, s);
}
