#include "noise/spikes.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "stats/dense.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 4096, LEARNT = 20000, AROUND = 32, BESIDE = 8, MOST = 4 };

/* Added to the diagonal of least squares, relative: rounding. */
#define RIDGE 1e-9

/* Of a normal variable: its median size, that of four fifths, and the size of a
 * sample less the polynomial through six neighbours. */
static const double MEDIAN = 0.67449, UPPER = 1.28155, GAIN = 1.52;

static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, darc_stats_cmp);
    return n > 0 ? x[n / 2] : 0;
}

/* A sample less what six neighbours have there by a polynomial. */
static double deviation(const double *y, size_t i)
{
    return y[i] - 0.75 * (y[i - 1] + y[i + 1]) + 0.3 * (y[i - 2] + y[i + 2]) -
           0.05 * (y[i - 3] + y[i + 3]);
}

/* From samples begin .. end - 1, a stride apart. */
static double spread(const double *y, size_t begin, size_t end, size_t stride)
{
    double x[PLACES];
    size_t n = 0;
    for (size_t i = begin; i < end && n < PLACES; i += stride) {
        double d = deviation(y, i);
        if (isfinite(d))
            x[n++] = fabs(d);
    }
    return median(x, n) / MEDIAN / GAIN;
}

double darc_spikes_sd(const double *y, size_t n)
{
    return n > 6 ? spread(y, 3, n - 3, 1 + n / PLACES) : 0;
}

double darc_spikes_sd_near(const double *y, size_t n, size_t i)
{
    size_t begin = i > AROUND + 3 ? i - AROUND : 3;
    size_t end = i + AROUND + 4 < n ? i + AROUND : n - 3;
    return begin < end ? spread(y, begin, end, 1) : 0;
}

/* What neighbours tell of a sample: centre + sum w[k] (y[i-k-1] + y[i+k+1]). */
typedef struct {
    double centre, w[BESIDE];
    double sd; /* of what they do not tell; at least `least` */
} teller;

static double off_course(const teller *t, const double *y, size_t i)
{
    double sum = y[i] - t->centre;
    for (size_t k = 0; k < BESIDE; k++)
        sum -= t->w[k] * (y[i - k - 1] + y[i + k + 1] - 2 * t->centre);
    return sum;
}

/* Whether no sample around is far off, as far as t tells. */
static bool is_quiet(const teller *t, const double *y, size_t n, size_t i)
{
    for (size_t k = i - BESIDE; k <= i + BESIDE; k++)
        if (k >= BESIDE && k + BESIDE < n &&
            fabs(off_course(t, y, k)) > DARC_SPIKE_SEEN * t->sd)
            return false;
    return true;
}

/* Learn the weights from places where nothing is far off. */
static void learn(teller *t, const double *y, size_t n, double least)
{
    double a[BESIDE][BESIDE] = {{0}}, b[BESIDE] = {0}, x[PLACES];
    size_t stride = 1 + n / LEARNT, seen = 0;
    for (size_t i = BESIDE; i + BESIDE < n; i += stride) {
        double u[BESIDE], v = y[i] - t->centre, all = v;
        for (size_t k = 0; k < BESIDE; k++)
            all += u[k] = y[i - k - 1] + y[i + k + 1] - 2 * t->centre;
        if (!isfinite(all) || !is_quiet(t, y, n, i))
            continue;
        for (size_t r = 0; r < BESIDE; r++) {
            for (size_t k = 0; k < BESIDE; k++)
                a[r][k] += u[r] * u[k];
            b[r] += u[r] * v;
        }
        seen++;
    }
    if (seen < 4 * BESIDE || !(a[0][0] > 0))
        return;
    for (int r = 0; r < BESIDE; r++)
        a[r][r] *= 1 + RIDGE;
    if (!darc_dense_solve(a[0], b, BESIDE, 1))
        return;
    memcpy(t->w, b, sizeof b);
    seen = 0;
    stride = 1 + n / PLACES;
    for (size_t i = BESIDE; i + BESIDE < n && seen < PLACES; i += stride) {
        double d = off_course(t, y, i);
        if (isfinite(d))
            x[seen++] = fabs(d);
    }
    t->sd = fmax(median(x, seen) / MEDIAN, least);
}

/* The same of the samples around i: of those where nothing is far off, as long
 * as there are some. */
static double sd_near(const teller *t, const double *y, size_t n, size_t i)
{
    double all[2 * AROUND + 1], quiet[2 * AROUND + 1];
    size_t k = 0, q = 0, begin = i > AROUND + BESIDE ? i - AROUND : BESIDE;
    for (size_t j = begin; j <= i + AROUND && j + BESIDE < n; j++) {
        double d = fabs(off_course(t, y, j));
        if (!isfinite(d))
            continue;
        all[k++] = d;
        if (is_quiet(t, y, n, j))
            quiet[q++] = d;
    }
    double middle = q >= AROUND / 2 ? median(quiet, q) : median(all, k);
    double upper = q >= AROUND / 2 ? quiet[4 * q / 5] : all[4 * k / 5];
    return fmax(t->sd, fmax(middle / MEDIAN, upper / UPPER));
}

/* What is far off around a sample, and the spikes that explain it. */
typedef struct {
    double r[4 * BESIDE + 1], rest[4 * BESIDE + 1];
    int spikes, at[MOST];
    double size[MOST];
} scene;

/* How much a spike of one at place `at` puts at place i off. */
static double effect(const teller *t, int i, int at)
{
    int k = abs(i - at);
    return k == 0 ? 1 : k <= BESIDE ? -t->w[k - 1] : 0;
}

/* Set the sizes of the spikes by least squares, one after the other until they
 * settle, and what they leave. */
static void explain(scene *s, const teller *t)
{
    memcpy(s->rest, s->r, sizeof s->rest);
    memset(s->size, 0, sizeof s->size);
    for (int round = 0; round < 60; round++)
        for (int q = 0; q < s->spikes; q++) {
            double up = 0, down = 0;
            for (int i = 0; i <= 4 * BESIDE; i++) {
                double e = effect(t, i, s->at[q]);
                up += e * s->rest[i];
                down += e * e;
            }
            for (int i = 0; i <= 4 * BESIDE; i++)
                s->rest[i] -= up / down * effect(t, i, s->at[q]);
            s->size[q] += up / down;
        }
}

/* Whether it stands out on one side of both neighbours, the slope across taken
 * off, or of the next ones where these are spikes, too: a step does not. */
static bool stands_out(const double *y, size_t i, double size)
{
    int sides = 0;
    double slope = (y[i + 2] - y[i - 2]) / 4;
    for (int side = -1; side <= 1; side += 2)
        for (int k = 1; k <= 2; k++) {
            double step = y[i] - y[(size_t)((long)i + side * k)];
            if ((step + side * k * slope) * size > 0.6 * size * size) {
                sides++;
                break;
            }
        }
    return sides == 2;
}

/* Whether sample i is a spike of this size: it and up to two others explain
 * what is far off. */
static bool is_spike(double *size, const teller *t, const double *y, size_t i,
                     double sd)
{
    scene s = {.spikes = 0};
    int next = 2 * BESIDE;
    for (int k = 0; k <= 4 * BESIDE; k++) {
        s.r[k] = off_course(t, y, i + (size_t)k - 2 * BESIDE);
        if (isnan(s.r[k]))
            return false;
    }
    for (double far = HUGE_VAL; s.spikes < MOST;) {
        s.at[s.spikes++] = next;
        explain(&s, t);
        far = 0;
        next = 0;
        for (int k = 0; k <= 4 * BESIDE; k++) {
            if (k >= BESIDE && k <= 3 * BESIDE)
                far = fmax(far, fabs(s.rest[k]));
            if (fabs(s.rest[k]) > fabs(s.rest[next]))
                next = k;
        }
        if (far < DARC_SPIKE_NEAR * sd) {
            *size = s.size[0];
            return fabs(*size) > DARC_SPIKE_FAR * sd && stands_out(y, i, *size);
        }
    }
    return false;
}

/* Samples that are far off, in order; with what their neighbours tell, NAN:
 * no spike. */
typedef struct {
    size_t *at;
    double *value;
    size_t n, room;
} far_off;

static void add(far_off *f, size_t at, double value)
{
    if (f->n == f->room) {
        f->room = 2 * f->room + 16;
        f->at = darc_realloc(f->at, f->room, sizeof *f->at);
        f->value = darc_realloc(f->value, f->room, sizeof *f->value);
    }
    f->at[f->n] = at;
    f->value[f->n++] = value;
}

/* Keep the spikes; none where more is far off that is not beside one: then the
 * signal is like that. */
static size_t keep_far(far_off *f)
{
    size_t kept = 0, others = 0;
    for (size_t q = 0; q < f->n; q++) {
        bool beside = !isnan(f->value[q]);
        for (size_t k = q; k-- > 0 && f->at[q] - f->at[k] <= 2 * BESIDE;)
            beside = beside || !isnan(f->value[k]);
        for (size_t k = q + 1; k < f->n && f->at[k] - f->at[q] <= 2 * BESIDE;
             k++)
            beside = beside || !isnan(f->value[k]);
        others += !beside;
    }
    for (size_t q = 0; q < f->n; q++)
        if (!isnan(f->value[q])) {
            f->at[kept] = f->at[q];
            f->value[kept++] = f->value[q];
        }
    return 4 * others > kept ? 0 : kept;
}

size_t darc_spikes_find(size_t **at, double **value, const double *y, size_t n,
                        double least)
{
    far_off f = {0};
    teller t = {.w = {0.75, -0.3, 0.05}, .centre = isnan(y[0]) ? 0 : y[0]};
    t.sd = fmax(GAIN * darc_spikes_sd(y, n), least);
    for (int round = 0; round < 2 && t.sd > 0; round++)
        learn(&t, y, n, least);
    for (size_t i = 3 * BESIDE; i + 3 * BESIDE < n && t.sd > 0; i++) {
        double off = fabs(off_course(&t, y, i)), size;
        if (!(off > DARC_SPIKE_SEEN * t.sd))
            continue;
        double sd = sd_near(&t, y, n, i);
        if (is_spike(&size, &t, y, i, sd))
            add(&f, i, y[i] - size);
        else if (off > DARC_SPIKE_SEEN * sd && i >= 5 * BESIDE &&
                 i + 5 * BESIDE < n) /* spikes at the ends are not looked at */
            add(&f, i, NAN);
        if ((double)f.n > DARC_SPIKE_MOST * (double)n)
            break;
    }
    *at = f.at;
    *value = f.value;
    size_t kept = keep_far(&f);
    return (double)kept > DARC_SPIKE_SHARE * (double)n ? 0 : kept;
}
