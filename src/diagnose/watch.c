#include "diagnose/watch.h"

#include "base/mem.h"
#include "base/random.h"
#include "diagnose/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static double *copy_values(const double *x, int n)
{
    double *y = darc_calloc((size_t)n + 1, sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

void darc_watch_init_take(darc_watch *w)
{
    size_t n = (size_t)w->n;
    w->ring = darc_calloc((size_t)w->room * (n + 2 * n * n), sizeof *w->ring);
    w->taken = 0;
}

void darc_watch_clear(darc_watch *w)
{
    DARC_FREE(w->direction, w->ring);
    *w = (darc_watch){0};
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- one length ---------------------------------------------------------- */

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

/* x' m x */
static double quadratic_form(const double *x, const double *m, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * dot(m + i * n, x, n);
    return sum;
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
    bool fine = LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, d, all, n, pg, n) == 0;
    for (int k = 0; k < d && fine; k++) {
        double *rest = s->rest + k * n;
        const double *g = w->direction + k * n, *taken = pg + k * n;
        for (int i = 0; i < n; i++)
            rest[i] = g[i] - taken[i];
        s->sd[k] = sqrt(quadratic_form(rest, cov, n) +
                        quadratic_form(taken, w->cov, n));
        s->gives[k] = 0;
        for (int i = 0; i < n; i++)
            s->gives[k] += rest[i] * dot(info + i * n, g, n);
    }
    DARC_FREE(all, pg);
    return fine;
}

/* ---- the stream ---------------------------------------------------------- */

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
    bool fine = LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, n, m, n, p, n) == 0;
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
        fine && LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, c, n) == 0 &&
        LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, 1, c, n, u, n) == 0;
    all = fine ? dot(u, u, n) : HUGE_VAL;
    DARC_FREE(m, p, c, u);
    return all;
}

/* The lengths looked at: half as long again each. */
static int next_length(int length)
{
    return length + (length + 1) / 2;
}

/* Hold the sum of the last windows, as in the ring, against the baseline. */
static void look_at_sum(darc_watch_finding *f, const darc_watch *w,
                        const double *sum, shows *s)
{
    int n = w->n, best = 0;
    double *square = darc_calloc((size_t)w->directions, sizeof *square);
    bool fine = find_shows(s, w, sum + n, sum + n + n * n);
    for (int k = 0; k < w->directions && fine; k++) {
        double z = dot(s->rest + k * n, sum, n) / s->sd[k];
        square[k] = z * z;
        best = square[k] > square[best] ? k : best;
    }
    if (fine && square[best] > f->statistic) {
        memcpy(f->each, square, (size_t)w->directions * sizeof *square);
        f->statistic = square[best];
        f->direction = best;
        f->change = dot(s->rest + best * n, sum, n) / s->gives[best];
        f->sd = s->sd[best] / s->gives[best];
        f->all = all_of(w, sum);
    }
    darc_free(square);
}

bool darc_watch_take(darc_watch_finding *f, darc_watch *w, const double *b,
                     const double *info, const double *cov)
{
    int n = w->n, size = n + 2 * n * n;
    double *to = w->ring + w->taken % w->room * size;
    double *sum = darc_calloc((size_t)size, sizeof *sum);
    shows s;
    memcpy(to, b, (size_t)n * sizeof *to);
    memcpy(to + n, info, (size_t)(n * n) * sizeof *to);
    memcpy(to + n + n * n, cov, (size_t)(n * n) * sizeof *to);
    w->taken++;
    f->statistic = 0;
    f->direction = 0;
    f->change = f->sd = f->all = NAN;
    memset(f->each, 0, (size_t)w->directions * sizeof *f->each);
    init_shows(&s, w);
    for (int k = 1, next = 1; k <= w->room && k <= w->taken; k++) {
        const double *from = w->ring + (w->taken - k) % w->room * size;
        for (int i = 0; i < size; i++)
            sum[i] += from[i];
        if (k == next) {
            look_at_sum(f, w, sum, &s);
            next = next_length(next);
        }
    }
    DARC_FREE(s.rest, sum);
    bool alarm = f->statistic > w->threshold;
    w->taken = alarm ? 0 : w->taken;
    return alarm;
}

/* ---- the threshold ------------------------------------------------------- */

/* A simulation of windows without a change. */
typedef struct {
    const darc_watch *w;
    int lengths;
    double *weight; /* lengths x directions x n: z = weight' b; owned, with
                       what follows */
    double *root;   /* of S; n x n, lower, by columns */
    double *drift;  /* M M0^-1 root S0: what the baseline's error adds */
    double *sum;    /* ring of running sums, (room + 1) x n */
} windows;

/* Set root to the lower Cholesky factor of m, 0 above. */
static bool take_root(double *root, const double *m, int n)
{
    memcpy(root, m, (size_t)(n * n) * sizeof *root);
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, root, n) != 0)
        return false;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            root[j * n + i] = 0;
    return true;
}

static bool set_weights(windows *s, const double *info, const double *cov)
{
    const darc_watch *w = s->w;
    int n = w->n;
    bool fine = true;
    double *m = darc_calloc((size_t)(2 * n * n), sizeof *m);
    shows at;
    init_shows(&at, w);
    for (int l = 0, k = 1; l < s->lengths && fine; l++, k = next_length(k)) {
        for (int i = 0; i < n * n; i++) {
            m[i] = k * info[i];
            m[n * n + i] = k * cov[i];
        }
        fine = find_shows(&at, w, m, m + n * n);
        for (int i = 0; i < w->directions * n && fine; i++)
            s->weight[l * w->directions * n + i] = at.rest[i] / at.sd[i / n];
    }
    DARC_FREE(at.rest, m);
    return fine;
}

static bool set_roots(windows *s, const double *info, const double *cov)
{
    int n = s->w->n;
    double *m = copy_values(s->w->info, n * n),
           *r = copy_values(s->w->cov, n * n);
    bool fine = take_root(s->root, cov, n) && take_root(r, s->w->cov, n) &&
                LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, n, m, n, r, n) == 0;
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
    int n = s->w->n;
    memcpy(to, shift, (size_t)n * sizeof *to);
    for (int j = 0; j < n; j++) {
        double z = darc_random_normal(r);
        for (int i = j; i < n; i++)
            to[i] += s->root[j * n + i] * z;
    }
}

/* Return whether the running sums, of `taken` windows, exceed the threshold. */
static bool exceeds(const windows *s, long taken, double threshold)
{
    const darc_watch *w = s->w;
    int n = w->n, ring = w->room + 1;
    const double *last = s->sum + taken % ring * n;
    double b[DARC_WATCH_COEFFS];
    for (int l = 0, k = 1; k <= w->room && k <= taken;
         l++, k = next_length(k)) {
        const double *first = s->sum + (taken - k) % ring * n;
        const double *weight = s->weight + l * w->directions * n;
        for (int i = 0; i < n; i++)
            b[i] = last[i] - first[i];
        for (int d = 0; d < w->directions; d++) {
            double z = dot(weight + d * n, b, n);
            if (z * z > threshold)
                return true;
        }
    }
    return false;
}

/* Return alarms a window: of so many baselines, each for so many windows. */
static double rate_at(const windows *s, double threshold, long each)
{
    int n = s->w->n, ring = s->w->room + 1;
    long alarms = 0;
    for (int base = 0; base < DARC_WATCH_BASELINES; base++) {
        double shift[DARC_WATCH_COEFFS] = {0}, b[DARC_WATCH_COEFFS];
        darc_random r;
        darc_random_init(&r, 1, (uint64_t)base);
        for (int j = 0; j < n; j++) {
            double z = darc_random_normal(&r);
            for (int i = 0; i < n; i++)
                shift[i] += s->drift[j * n + i] * z;
        }
        long taken = 0;
        memset(s->sum, 0, (size_t)n * sizeof *s->sum);
        for (long k = 0; k < each; k++) {
            draw_window(b, s, shift, &r);
            const double *before = s->sum + taken % ring * n;
            double *to = s->sum + (taken + 1) % ring * n;
            for (int i = 0; i < n; i++)
                to[i] = before[i] + b[i];
            if (!exceeds(s, ++taken, threshold))
                continue;
            alarms++;
            taken = 0;
            memset(s->sum, 0, (size_t)n * sizeof *s->sum);
        }
    }
    return (double)alarms / ((double)each * DARC_WATCH_BASELINES);
}

/* Return the threshold of a rate: its logarithm falls by nearly 1/2 a unit. */
static double threshold_of(const windows *s, double rate)
{
    double threshold = 4 - 2 * log(rate);
    for (int i = 1 - DARC_WATCH_STEPS; i <= 0; i++) {
        double all = ldexp(DARC_WATCH_ALARMS / rate, 2 * i);
        long each = (long)(all / DARC_WATCH_BASELINES) + 1;
        threshold +=
            2 * log(fmax(rate_at(s, threshold, each), 0.5 / all) / rate);
    }
    return threshold;
}

darc_status darc_watch_set(darc_watch *w, const double *info, const double *cov,
                           double rate, const darc_budget *budget,
                           darc_err *err)
{
    ptrdiff_t n = w->n;
    windows s = {.w = w};
    for (int k = 1; k <= w->room; k = next_length(k))
        s.lengths++;
    DARC_CARVE({&s.weight, s.lengths * w->directions * n}, {&s.root, n * n},
               {&s.drift, n * n}, {&s.sum, (w->room + 1) * n});
    bool fine = set_weights(&s, info, cov) && set_roots(&s, info, cov);
    darc_status status =
        fine ? darc_budget_check(budget, err)
             : darc_fail(err, DARC_DATA,
                         "the baseline does not tell all coefficients");
    if (status == DARC_OK && rate >= DARC_WATCH_RARE)
        w->threshold = threshold_of(&s, rate);
    else if (status == DARC_OK) {
        double rare = threshold_of(&s, DARC_WATCH_RARE);
        double often = threshold_of(&s, 10 * DARC_WATCH_RARE);
        w->threshold = rare + (rare - often) * log10(DARC_WATCH_RARE / rate);
    }
    darc_free(s.weight);
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
