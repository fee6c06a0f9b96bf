#include "diagnose/watch.h"

#include "base/mem.h"
#include "base/random.h"
#include "diagnose/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double *copy_values(const double *x, int n)
{
    double *y = darc_calloc((size_t)n + 1, sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

/* Blocks of a size: where there are three, the first two become one. */
enum { ALIKE = 2 };

int darc_watch_blocks(const darc_watch *w)
{
    return ALIKE * (int)log2(w->room) + ALIKE + 2;
}

int darc_watch_sum_size(const darc_watch *w)
{
    return w->n + 2 * w->n * w->n;
}

void darc_watch_init_take(darc_watch *w)
{
    int blocks = darc_watch_blocks(w);
    ptrdiff_t alternatives = w->directions * DARC_WATCH_SIZES;
    w->windows = darc_calloc((size_t)blocks, sizeof *w->windows);
    w->sum = darc_calloc((size_t)(blocks * darc_watch_sum_size(w)), 8);
    DARC_CARVE({&w->change, alternatives}, {&w->trust, alternatives},
               {&w->odds, 2 * alternatives});
    w->blocks = 0;
}

void darc_watch_clear(darc_watch *w)
{
    DARC_FREE(w->direction, w->windows, w->sum, w->change);
    *w = (darc_watch){0};
}

void darc_watch_forget(darc_watch *w)
{
    w->blocks = 0;
    memset(w->odds, 0,
           (size_t)(2 * w->directions * w->sizes) * sizeof *w->odds);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* What a change along each direction shows by, in a sum of windows. */
typedef struct {
    double *rest;  /* directions x n: (1 - P)' g; owned, with what follows */
    double *sd;    /* of g' u */
    double *gives; /* g' u of a change of 1 */
} shows;

static void init_shows(shows *s, const darc_watch *w)
{
    ptrdiff_t d = w->directions;
    DARC_CARVE({&s->rest, d * w->n}, {&s->sd, d}, {&s->gives, d});
}

/* Set s for sums of windows; false where nothing is known.
 * P' g = (M0 + M)^-1 M g. */
static bool find_shows(shows *s, const darc_watch *w, const double *info,
                       const double *cov)
{
    int n = w->n, d = w->directions;
    double *all = copy_values(info, n * n),
           *pg = darc_calloc((size_t)(d * n), 8);
    for (int i = 0; i < n * n; i++)
        all[i] += w->info[i];
    for (int k = 0; k < d; k++)
        for (int i = 0; i < n; i++)
            pg[k * n + i] = dot(info + i * n, w->direction + k * n, n);
    bool fine = darc_dense_solve(all, pg, n, d);
    for (int k = 0; k < d && fine; k++) {
        double *rest = s->rest + k * n;
        const double *g = w->direction + k * n, *taken = pg + k * n;
        for (int i = 0; i < n; i++)
            rest[i] = g[i] - taken[i];
        s->sd[k] = sqrt(darc_dense_quadratic(cov, rest, n) +
                        darc_dense_quadratic(w->cov, taken, n));
        s->gives[k] = 0;
        for (int i = 0; i < n; i++)
            s->gives[k] += rest[i] * dot(info + i * n, g, n);
    }
    DARC_FREE(all, pg);
    return fine;
}

/* Return u' C^-1 u of all that the coefficients have moved by. */
static double all_of(const darc_watch *w, const double *sum)
{
    int n = w->n;
    const double *info = sum + n, *cov = sum + n + n * n;
    size_t size = (size_t)(n * n);
    double *m = copy_values(w->info, n * n), *p = copy_values(info, n * n),
           all = 0;
    double *c = darc_calloc(size, sizeof *c), *u = darc_calloc((size_t)n, 8);
    for (size_t i = 0; i < size; i++)
        m[i] += info[i];
    bool fine = darc_dense_solve(m, p, n, n);
    /* Column i of p is P' e_i, and then of m that of (1 - P)'. */
    for (int i = 0; i < n * n; i++)
        m[i] = (i / n == i % n ? 1 : 0) - p[i];
    for (int i = 0; i < n; i++) {
        u[i] = dot(m + i * n, sum, n);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] +=
                    m[i * n + k] * dot(cov + k * n, m + j * n, n) +
                    p[i * n + k] * dot(w->cov + k * n, p + j * n, n);
    }
    fine =
        fine && darc_dense_cholesky(c, n) && darc_dense_divide(c, 'N', u, n, 1);
    all = fine ? dot(u, u, n) : HUGE_VAL;
    DARC_FREE(m, p, c, u);
    return all;
}

/* Hold the sum of the last windows against the baseline; *most: what those
 * looked at before show. */
static void look_at_sum(darc_watch_finding *f, const darc_watch *w,
                        const double *sum, shows *s, double *most)
{
    int n = w->n, best = 0;
    double *square = darc_calloc((size_t)w->directions, sizeof *square);
    bool fine = find_shows(s, w, sum + n, sum + n + n * n);
    for (int k = 0; k < w->directions && fine; k++) {
        double z = dot(s->rest + k * n, sum, n) / s->sd[k];
        square[k] = z * z;
        best = square[k] > square[best] ? k : best;
    }
    if (fine && square[best] > *most) {
        memcpy(f->each, square, (size_t)w->directions * sizeof *square);
        *most = square[best];
        f->direction = best;
        f->change = dot(s->rest + best * n, sum, n) / s->gives[best];
        f->sd = s->sd[best] / s->gives[best];
        f->all = all_of(w, sum);
    }
    darc_free(square);
}

/* Take off block k, and leave its windows to the one behind or, where they are
 * too long ago, to none. */
static void take_off_block(darc_watch *w, int k, bool leave)
{
    int size = darc_watch_sum_size(w);
    double *from = w->sum + k * size;
    for (int i = 0; i < size && leave; i++)
        from[size + i] += from[i];
    w->windows[k + 1] += leave ? w->windows[k] : 0;
    w->blocks--;
    memmove(w->windows + k, w->windows + k + 1,
            (size_t)(w->blocks - k) * sizeof *w->windows);
    memmove(from, from + size, (size_t)((w->blocks - k) * size) * sizeof *from);
}

/* Append a window as a block. */
static void append_window(darc_watch *w, const double *b, const double *info,
                          const double *cov)
{
    int n = w->n;
    double *to = w->sum + w->blocks * darc_watch_sum_size(w);
    memcpy(to, b, (size_t)n * sizeof *to);
    memcpy(to + n, info, (size_t)(n * n) * sizeof *to);
    memcpy(to + n + n * n, cov, (size_t)(n * n) * sizeof *to);
    w->windows[w->blocks++] = 1;
    for (int k = w->blocks - 1 - ALIKE; k >= 0; k--)
        if (w->windows[k] == w->windows[k + ALIKE])
            take_off_block(w, k, true);
    int all = 0;
    for (int k = 0; k < w->blocks; k++)
        all += w->windows[k];
    if (all > w->room && w->blocks > 1)
        take_off_block(w, 0, false);
}

/* The largest that an exponent may be. */
#define MOST_EXPONENT 300.0

/* Set by and less so that exp(+- by u - less) is how much more probable a
 * window of information and covariance is with a change, u = g' b. */
static void set_exponents(double *by, double *less, const darc_watch *w,
                          const double *info, const double *cov)
{
    for (int k = 0, at = 0; k < w->directions; k++) {
        const double *g = w->direction + k * w->n;
        double m = darc_dense_quadratic(info, g, w->n);
        double v = darc_dense_quadratic(cov, g, w->n);
        double slope = v > 0 && m > 0 ? m / v : 0;
        for (int i = 0; i < w->sizes; i++, at++) {
            by[at] = w->trust[at] * w->change[at] * slope;
            less[at] = by[at] * w->change[at] * m / 2;
        }
    }
}

/* Take a window into the odds; return their mean.  Of each size one share, of
 * the next smaller one a half of it, a third, ... */
static double weigh_window(darc_watch *w, const double *by, const double *less,
                           const double *b)
{
    double mean = 0, shares = 0;
    for (int k = 0, at = 0; k < w->directions; k++) {
        double u = dot(w->direction + k * w->n, b, w->n);
        for (int i = 0; i < w->sizes; i++, at++) {
            double x = by[at] * u, *odds = w->odds + 2 * at;
            x = fmax(fmin(x, MOST_EXPONENT), -MOST_EXPONENT);
            double more = exp(x), keep = exp(-less[at]);
            odds[0] = (1 + odds[0]) * more * keep;
            odds[1] = (1 + odds[1]) / more * keep;
            mean += (odds[0] + odds[1]) / (i + 1);
            shares += 2.0 / (i + 1);
        }
    }
    return mean / shares;
}

bool darc_watch_take(darc_watch_finding *f, darc_watch *w, const double *b,
                     const double *info, const double *cov)
{
    int size = darc_watch_sum_size(w);
    ptrdiff_t alternatives = w->directions * w->sizes;
    double *sum, *by, *less, most = 0;
    shows s;
    DARC_CARVE({&sum, size}, {&by, alternatives}, {&less, alternatives});
    set_exponents(by, less, w, info, cov);
    f->statistic = log(fmax(weigh_window(w, by, less, b), DBL_MIN));
    append_window(w, b, info, cov);
    f->direction = 0;
    f->change = f->sd = f->all = NAN;
    memset(f->each, 0, (size_t)w->directions * sizeof *f->each);
    init_shows(&s, w);
    for (int k = w->blocks - 1; k >= 0; k--) {
        for (int i = 0; i < size; i++)
            sum[i] += w->sum[k * size + i];
        look_at_sum(f, w, sum, &s, &most);
    }
    DARC_FREE(s.rest, sum);
    bool alarm = f->statistic > w->threshold;
    if (alarm)
        darc_watch_forget(w);
    return alarm;
}

/* A simulation of windows without a change. */
typedef struct {
    darc_watch w;
    double *by, *less; /* as in set_exponents; owned, with what follows */
    double *root;      /* of S; n x n, lower, by columns */
    double *drift;     /* M M0^-1 root S0: what the baseline's error adds */
} windows;

/* Set root to the lower Cholesky factor of m, 0 above. */
static bool take_root(double *root, const double *m, int n)
{
    memcpy(root, m, (size_t)(n * n) * sizeof *root);
    if (!darc_dense_cholesky(root, n))
        return false;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            root[j * n + i] = 0;
    return true;
}

static bool set_roots(windows *s, const double *info, const double *cov)
{
    int n = s->w.n;
    double *m = copy_values(s->w.info, n * n),
           *r = copy_values(s->w.cov, n * n);
    bool fine = take_root(s->root, cov, n) && take_root(r, s->w.cov, n) &&
                darc_dense_solve(m, r, n, n);
    for (int j = 0; j < n && fine; j++)
        for (int i = 0; i < n; i++)
            s->drift[j * n + i] = dot(info + i * n, r + j * n, n);
    DARC_FREE(m, r);
    return fine;
}

/* Set to to b of a window. */
static void draw_window(double *to, const windows *s, const double *shift,
                        darc_random *r)
{
    int n = s->w.n;
    memcpy(to, shift, (size_t)n * sizeof *to);
    for (int j = 0; j < n; j++) {
        double z = darc_random_normal(r);
        for (int i = j; i < n; i++)
            to[i] += s->root[j * n + i] * z;
    }
}

/* Return alarms a window: of so many baselines, each for so many windows. */
static double rate_at(windows *s, double threshold, long each)
{
    int n = s->w.n;
    long alarms = 0;
    double most = exp(threshold);
    for (int base = 0; base < DARC_WATCH_BASELINES; base++) {
        double shift[DARC_WATCH_COEFFS] = {0}, b[DARC_WATCH_COEFFS];
        darc_random r;
        darc_random_init(&r, 1, (uint64_t)base);
        for (int j = 0; j < n; j++) {
            double z = darc_random_normal(&r);
            for (int i = 0; i < n; i++)
                shift[i] += s->drift[j * n + i] * z;
        }
        darc_watch_forget(&s->w);
        for (long k = 0; k < each; k++) {
            draw_window(b, s, shift, &r);
            if (!(weigh_window(&s->w, s->by, s->less, b) > most))
                continue;
            alarms++;
            darc_watch_forget(&s->w);
        }
    }
    darc_watch_forget(&s->w);
    return (double)alarms / ((double)each * DARC_WATCH_BASELINES);
}

/* Return the threshold of a rate: its logarithm falls by nearly 1 a unit. */
static double threshold_of(windows *s, double rate)
{
    double threshold = -log(rate);
    for (int i = 1 - DARC_WATCH_STEPS; i <= 0; i++) {
        double all = ldexp(DARC_WATCH_ALARMS / rate, 2 * i);
        long each = (long)(all / DARC_WATCH_BASELINES) + 1;
        threshold += log(fmax(rate_at(s, threshold, each), 0.5 / all) / rate);
    }
    return threshold;
}

/* Return what a window has to tell for a change, in nats, that the best test of
 * it alone finds after so many, on the average, at that rate of false alarms
 * [Lorden]: (exp h - 1 - h) / I = 1 / rate, (exp(-h) - 1 + h) / I = after. */
static double nats_of(double after, double rate)
{
    double h = 1 - log(after * rate);
    for (int i = 0; i < DARC_WATCH_ROUNDS; i++)
        h = log1p((exp(-h) - 1 + h) / (after * rate) + h);
    return (exp(-h) - 1 + h) / after;
}

/* Set the changes that are looked for: those that the best test finds after
 w->soon windows, 4 times as many, ...; but long before a false alarm,
 * and with a baseline many times as long. */
static void set_sizes(darc_watch *w, const double *info, const double *cov,
                      double rate)
{
    double after = fmin(w->soon, DARC_WATCH_BEFORE / rate);
    double last = fmin(w->room, DARC_WATCH_BEFORE / rate);
    after = fmin(after, w->room);
    for (w->sizes = 1;
         w->sizes < DARC_WATCH_SIZES && ldexp(after, 2 * w->sizes) <= last;)
        w->sizes++;
    for (int k = 0, at = 0; k < w->directions; k++) {
        const double *g = w->direction + k * w->n;
        double m = darc_dense_quadratic(info, g, w->n);
        double v = darc_dense_quadratic(cov, g, w->n);
        double base = darc_dense_quadratic(w->info, g, w->n) / m;
        for (int i = 0; i < w->sizes; i++, at++) {
            double n = ldexp(after, 2 * i);
            w->change[at] = m > 0 ? sqrt(2 * v * nats_of(n, rate)) / m : 0;
            w->trust[at] = m > 0 ? base / (base + n) : 0;
        }
    }
}

darc_status darc_watch_set(darc_watch *w, const double *info, const double *cov,
                           double rate, const darc_budget *budget,
                           darc_err *err)
{
    ptrdiff_t n = w->n;
    set_sizes(w, info, cov, rate);
    windows s = {.w = *w};
    DARC_CARVE({&s.by, w->directions * w->sizes},
               {&s.less, w->directions * w->sizes}, {&s.root, n * n},
               {&s.drift, n * n});
    set_exponents(s.by, s.less, w, info, cov);
    darc_status status =
        set_roots(&s, info, cov)
            ? darc_budget_check(budget, err)
            : darc_fail(err, DARC_DATA,
                        "the baseline does not tell all coefficients");
    if (status == DARC_OK && rate >= DARC_WATCH_RARE)
        w->threshold = threshold_of(&s, rate);
    else if (status == DARC_OK) {
        double rare = threshold_of(&s, DARC_WATCH_RARE);
        double often = threshold_of(&s, 10 * DARC_WATCH_RARE);
        w->threshold = rare + (rare - often) * log10(DARC_WATCH_RARE / rate);
    }
    darc_free(s.by);
    return status;
}

void darc_watch_explain(darc_watch_finding *f, const darc_watch *w,
                        const double *d, const double *cov)
{
    size_t n = (size_t)w->n, count = (size_t)w->directions + 1;
    double *b = darc_calloc(2 * n * count, sizeof *b), *x = b + n * count;
    int *all = darc_calloc(n, sizeof *all), best = -1;
    memcpy(b, d, n * sizeof *b);
    memcpy(b + n, w->direction, n * (count - 1) * sizeof *b);
    memcpy(x, b, n * count * sizeof *b);
    for (int i = 0; i < w->n; i++)
        all[i] = i;
    bool told = darc_solve_part(cov, w->n, all, w->n, x, (int)count);
    f->all = told ? darc_lanes_dot(d, x, n) : f->all;
    for (int k = 0; k < w->directions && told; k++) {
        const double *g = b + (size_t)(k + 1) * n;
        double info = darc_lanes_dot(g, g + n * count, n);
        double score = darc_lanes_dot(g, x, n);
        f->each[k] = info > 0 ? score * score / info : 0;
        if (best >= 0 && f->each[k] <= f->each[best])
            continue;
        best = k;
        f->direction = k;
        f->change = score / info;
        f->sd = 1 / sqrt(info);
    }
    DARC_FREE(all, b);
}
