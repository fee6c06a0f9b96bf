#include "fit/yardstick.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/sums.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "weak/piece.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    LAGS = DARC_YARDSTICK_LAGS,
    COPIES = DARC_YARDSTICK_COPIES,
    APART = DARC_YARDSTICK_APART
};

/* Sums over test functions, of one equation. */
typedef struct {
    size_t size;          /* of all arrays, in one piece from gram on */
    double *gram, *noise; /* coeffs x coeffs */
    double *library;      /* COPIES coeffs squared */
    double residual;
    double *lag;                   /* products of the noise in the residual */
    double red;                    /* the square of red noise in it */
    double square[LAGS + 1];       /* products of squares of the residual */
    double shows, functions_shown; /* d' V^-1 d, d drawn with M_q */
    double functions, functions_drawn;
    double past; /* share of the power of a column in library that its lack of
                    a past makes */
} sums;

typedef struct {
    const darc_gls *fit;
    const darc_point *at;
    double **factor;       /* of M_q, owned */
    sums *all;             /* by equation */
    int draw_every, draws; /* pieces in which noise is simulated; how often */
    int lags;              /* of noise */
} measuring;

typedef struct {
    const measuring *of;
    darc_weak_work *work;
    sums *part;
    double *x, *e; /* whitened columns of an equation, its residual */
    double *drawn; /* rows x coeffs of all equations: noise */
} worker;

static int coeffs_of(const darc_gls *fit, int q)
{
    return fit->first[q + 1] - fit->first[q];
}

static sums *new_sums(const darc_gls *fit, int lags)
{
    sums *s = darc_calloc((size_t)fit->equations, sizeof *s);
    for (int q = 0; q < fit->equations; q++) {
        int nn = coeffs_of(fit, q) * coeffs_of(fit, q);
        DARC_CARVE({&s[q].gram, nn}, {&s[q].noise, nn},
                   {&s[q].library, COPIES * COPIES * nn},
                   {&s[q].lag, lags + 1});
        s[q].size = (size_t)((2 + COPIES * COPIES) * nn + lags + 1);
    }
    return s;
}

static void free_sums(sums *s, int n)
{
    for (int q = 0; q < n; q++)
        darc_free(s[q].gram);
    darc_free(s);
}

static void zero(sums *s)
{
    memset(s->gram, 0, s->size * sizeof(double));
    memset(s->square, 0, sizeof s->square);
    s->residual = s->red = s->past = s->shows = 0;
    s->functions = s->functions_drawn = s->functions_shown = 0;
}

static void *open_worker(void *user)
{
    const measuring *of = user;
    worker *w = darc_calloc(1, sizeof *w);
    w->of = of;
    w->work = darc_weak_work_new(of->at->weak);
    w->part = new_sums(of->fit, of->lags);
    ptrdiff_t k = darc_weak_most_functions(of->at->weak), j = of->fit->coeffs;
    ptrdiff_t e = of->fit->equations;
    DARC_CARVE({&w->x, k * j}, {&w->e, k},
               {&w->drawn, k * e * (j > e ? j : e)});
    return w;
}

static void close_worker(void *state)
{
    worker *w = state;
    free_sums(w->part, w->of->fit->equations);
    darc_weak_work_free(w->work);
    DARC_FREE(w->x, w);
}

/* Take what the offset o of n rows takes up off m columns, so that the origin
 * of signals leaves no trace where the filter settles; return the coefficient
 * of the offset then. */
static double centre(double *x, const double *origin, const double *c, int n,
                     int m, int o)
{
    double offset = c[o];
    for (int j = 0; j < m; j++)
        if (j != o) {
            darc_lanes_add(x + j * n, -origin[j], x + o * n, (size_t)n);
            offset += c[j] * origin[j];
        }
    return offset;
}

/* Set x to the columns of equation q of w through F, and e to their sum with
 * the coefficients; return the number of rows.  The first ones, where the
 * filter has no past, are left out: they would count several times as much as
 * others. */
static int filter_columns(worker *w, const double *from, int q)
{
    const darc_gls *fit = w->of->fit;
    const darc_metric *metric = w->of->at->metric;
    const double *c = fit->c + fit->first[q];
    int n = w->work->functions, e = fit->equations, m = coeffs_of(fit, q);
    int lags = metric->lags, rest = n - lags;
    int o = metric->offset[q] - fit->first[q];
    if (rest <= 0)
        return 0;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++)
            w->x[j * n + k] =
                from[(size_t)(fit->first[q] + j) * (size_t)w->work->rows +
                     (size_t)(k * e + q)];
    double offset =
        o >= 0 ? centre(w->x, metric->origin + fit->first[q], c, n, m, o) : 0;
    LAPACKE_dtbtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, lags, m,
                        w->of->factor[q], lags + 1, w->x, n);
    memset(w->e, 0, (size_t)rest * sizeof *w->e);
    for (int j = 0; j < m; j++) {
        memmove(w->x + j * rest, w->x + j * n + lags,
                (size_t)rest * sizeof *w->x);
        darc_lanes_add(w->e, j == o ? offset : c[j], w->x + j * rest,
                       (size_t)rest);
    }
    return rest;
}

/* Return how many functions the filter, of corner frequency omega0, takes to
 * forget how it began: so many of 1 / omega0, half of all n at most.  *past
 * gets the share of what three poles leave then in the power of a column. */
static int settling(const worker *w, int q, int n, double *past)
{
    const darc_weak *weak = w->of->at->weak;
    double apart = w->of->at->metric->omega[q] * weak->step * weak->dt;
    *past = 0;
    if (!(apart > 0))
        return 0;
    int begin = (int)fmin(n / 2.0, DARC_YARDSTICK_SETTLED / apart);
    double x = apart * begin, left = (1 + x + x * x / 2) * exp(-x);
    *past = left * left * fmin(1, 1 / (2 * apart * (n - begin)));
    return begin;
}

/* Products of the columns with themselves a few functions apart: `rows` rows of
 * n. */
static void add_library(double *to, const double *x, int n, int m, int rows)
{
    int all = COPIES * m, used = rows - (COPIES - 1) * APART;
    for (int a = 0; a < all && used > 0; a++)
        for (int b = 0; b <= a; b++) {
            double sum =
                darc_lanes_dot(x + (a % m) * n + (a / m) * APART,
                               x + (b % m) * n + (b / m) * APART, (size_t)used);
            to[a * all + b] += sum;
            to[b * all + a] += a != b ? sum : 0;
        }
}

static void add_signals(worker *w, int q)
{
    sums *s = w->part + q;
    int n = filter_columns(w, w->work->w, q), m = coeffs_of(w->of->fit, q);
    darc_columns_gram(s->gram, 1, w->x, (size_t)n, m);
    int begin = settling(w, q, n, &s->past);
    add_library(s->library, w->x + begin, n, m, n - begin);
    s->functions += n;
    for (int k = 0; k < n; k++)
        w->e[k] *= w->e[k];
    s->residual += darc_lanes_sum(w->e, (size_t)n);
    for (int l = 0; l <= LAGS && l < n; l++)
        s->square[l] += darc_lanes_dot(w->e, w->e + l, (size_t)(n - l));
}

/* Add one draw of noise: of red noise, the square alone. */
static void add_draw(worker *w, int q, bool red)
{
    sums *s = w->part + q;
    int n = filter_columns(w, w->drawn, q), m = coeffs_of(w->of->fit, q);
    if (red) {
        s->red += darc_lanes_dot(w->e, w->e, (size_t)n);
        return;
    }
    for (int l = 0; l <= w->of->lags && l < n; l++)
        s->lag[l] += darc_lanes_dot(w->e, w->e + l, (size_t)(n - l));
    darc_columns_gram(s->noise, 1, w->x, (size_t)n, m);
    s->functions_drawn += n;
}

/* Set d to misfits of all equations, a column each: signs z through the
 * Cholesky factor of M_q [Hutchinson, 1990]. */
static void draw_misfits(worker *w, double *d)
{
    enum { OF_MISFITS = 3 };
    int e = w->of->fit->equations, n = w->work->functions;
    int rows = w->of->at->metric->lags + 1;
    size_t all = (size_t)w->work->rows;
    darc_random random;
    darc_random_init(&random, OF_MISFITS, (uint64_t)w->work->piece);
    memset(d, 0, all * (size_t)e * sizeof *d);
    for (int q = 0; q < e; q++) {
        const double *factor = w->of->factor[q];
        darc_random_signs(&random, w->e, (size_t)n);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < rows && k + i < n; i++)
                d[(size_t)q * all + (size_t)((k + i) * e + q)] +=
                    factor[(size_t)k * (size_t)rows + (size_t)i] * w->e[k];
    }
}

/* Add what misfits show in Q. */
static darc_status add_shown(worker *w, darc_err *err)
{
    darc_weak_work *work = w->work;
    darc_point at = {.weak = work->weak};
    int e = w->of->fit->equations;
    size_t rows = (size_t)work->rows;
    double *d = w->drawn;
    draw_misfits(w, d);
    darc_weak_covariance(work);
    darc_columns_room b = {.factor = work->ab};
    DARC_NEED(darc_sums_factorise(work->ab, work->band, work->rows, &at, err));
    darc_columns_whiten(work, &b, d, e, 'N');
    for (int q = 0; q < e; q++) {
        const double *x = d + (size_t)q * rows;
        w->part[q].shows += darc_lanes_dot(x, x, rows);
        w->part[q].functions_shown += work->functions;
    }
    return DARC_OK;
}

static darc_status work_piece(void *state, size_t unit, darc_err *err)
{
    worker *w = state;
    int e = w->of->fit->equations;
    darc_weak_load(w->work, (int)unit);
    for (int q = 0; q < e; q++) {
        zero(w->part + q);
        add_signals(w, q);
    }
    if (unit % (size_t)w->of->draw_every != 0)
        return DARC_OK;
    darc_weak_load_partials(w->work);
    darc_weak_at(w->work, w->of->fit->c);
    int cases = w->of->at->weak->reddens ? 2 : 1;
    for (int i = 0; i < cases * w->of->draws; i++) {
        bool red = i >= w->of->draws;
        darc_draw_noise(w->drawn, w->work, i % w->of->draws, red);
        for (int q = 0; q < e; q++)
            add_draw(w, q, red);
    }
    return add_shown(w, err);
}

static void gather_piece(void *user, void *state, size_t unit)
{
    measuring *of = user;
    const worker *w = state;
    (void)unit;
    for (int q = 0; q < of->fit->equations; q++) {
        const sums *s = w->part + q;
        sums *to = of->all + q;
        darc_lanes_add(to->gram, 1, s->gram, s->size);
        darc_lanes_add(to->square, 1, s->square, LAGS + 1);
        to->residual += s->residual;
        to->red += s->red;
        to->shows += s->shows;
        to->functions_shown += s->functions_shown;
        to->functions += s->functions;
        to->functions_drawn += s->functions_drawn;
        to->past = fmax(to->past, s->past);
    }
}

static darc_status factor_metrics(measuring *of, darc_err *err)
{
    const darc_weak *weak = of->at->weak;
    int n = darc_weak_most_functions(weak), lags = of->at->metric->lags;
    of->factor = darc_calloc((size_t)weak->equations, sizeof *of->factor);
    for (int q = 0; q < weak->equations; q++) {
        of->factor[q] =
            darc_calloc((size_t)(lags + 1) * (size_t)n, sizeof **of->factor);
        if (!darc_metric_factor(of->factor[q], of->at->metric, q, n))
            return darc_fail(err, DARC_DATA,
                             "%s: the terms of an equation are too small to be "
                             "compared",
                             weak->table->file);
    }
    return DARC_OK;
}

/* Independent squares in the residual: 2 mean^2 / variance of the mean. */
static double count_events(const sums *s)
{
    double k = s->functions, mean = s->residual / k, sum = 0;
    for (int l = 0; l <= LAGS; l++) {
        double weight = (l > 0 ? 2.0 : 1.0) * (1 - l / (LAGS + 1.0));
        sum += weight * (s->square[l] / k - mean * mean);
    }
    return sum > 0 && mean > 0 ? fmin(k, 2 * mean * mean * k / sum) : k;
}

static void set_sizes(darc_yardstick *y, const double *c, const bool *has_input)
{
    int n = y->coeffs;
    y->lead = y->input = -1;
    for (int j = 0; j < n; j++) {
        double g = y->gram[j * (n + 1)] - y->noise[j * (n + 1)];
        y->size[j] = j == y->offset ? 0 : fabs(c[j]) * sqrt(fmax(0, g));
        if (y->lead < 0 || y->size[j] > y->size[y->lead])
            y->lead = j;
        if (has_input[j] && j != y->offset &&
            (y->input < 0 || y->size[j] > y->size[y->input]))
            y->input = j;
    }
}

static darc_yardstick_noise sum_noise(const double *lag, int lags, double drawn)
{
    darc_yardstick_noise n = {lag[0] / drawn, 0, 0};
    for (int l = 0; l <= lags; l++) {
        double r = lag[l] / drawn, times = l > 0 ? 2 : 1;
        n.spread += times * r * r;
        n.density += times * fabs(r);
    }
    return n;
}

static void set_yardstick(darc_yardstick *y, sums *s, const measuring *of,
                          int q)
{
    const darc_gls *fit = of->fit;
    const darc_weak *weak = of->at->weak;
    int offset = of->at->metric->offset[q];
    int n = coeffs_of(fit, q);
    const double *c = fit->c + fit->first[q];
    *y = (darc_yardstick){.first = fit->first[q],
                          .coeffs = n,
                          .offset = offset < 0 ? -1 : offset - fit->first[q],
                          .functions = s->functions,
                          .supports = s->functions * weak->step / weak->support,
                          .raise = weak->raise};
    double drawn = fmax(1, s->functions_drawn);
    DARC_CARVE({&y->gram, n * n}, {&y->noise, n * n}, {&y->size, n});
    for (int i = 0; i < n * n; i++) {
        y->gram[i] = s->gram[i] / s->functions;
        y->noise[i] = s->noise[i] / drawn;
    }
    if (y->offset >= 0)
        darc_project_out(y->gram, n, y->offset);
    y->residual = fmax(0, darc_dense_quadratic(y->gram, c, n));
    y->as = sum_noise(s->lag, of->lags, drawn);
    y->as.noisy = fmax(0, darc_dense_quadratic(y->noise, c, n));
    y->red = s->red / drawn;
    y->shows = s->functions * s->shows / fmax(1, s->functions_shown);
    y->events = count_events(s);
}

darc_status darc_yardstick_measure(darc_yardstick *y, const darc_gls *fit,
                                   const darc_point *at, const bool *has_input,
                                   const darc_budget *budget, darc_err *err)
{
    darc_status status;
    const darc_weak *weak = at->weak;
    int e = weak->equations;
    measuring of = {.fit = fit, .at = at};
    of.draw_every =
        darc_weak_stride(weak, (weak->pieces - 1) / DARC_YARDSTICK_PIECES + 1);
    of.draws = 1 + DARC_YARDSTICK_DRAWN /
                       (int)fmin(DARC_YARDSTICK_DRAWN, (double)weak->functions);
    of.lags = (weak->left + weak->right) / weak->step + LAGS;
    of.all = new_sums(fit, of.lags);
    for (int q = 0; q < e; q++)
        y[q] = (darc_yardstick){0};
    DARC_TRY(factor_metrics(&of, err));
    darc_parallel job = {&of,         (size_t)weak->pieces, weak->threads,
                         open_worker, close_worker,         work_piece,
                         gather_piece};
    DARC_TRY(darc_parallel_run(&job, budget, err));
    if (!(of.all->functions > 0))
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "%s: no stretch without a gap is long enough",
                           weak->table->file));
    for (int q = 0; q < e; q++) {
        set_yardstick(y + q, of.all + q, &of, q);
        set_sizes(y + q, fit->c + fit->first[q], has_input + fit->first[q]);
        int free = 0; /* but for what takes up an origin */
        for (int j = 0; j < y[q].coeffs; j++)
            free += fit->free[y[q].first + j] && j != y[q].offset;
        darc_excitation_measure(y + q, of.all[q].library, of.all[q].past, free);
    }
done:
    for (int q = 0; q < e && of.factor != NULL; q++)
        darc_free(of.factor[q]);
    darc_free(of.factor);
    free_sums(of.all, e);
    return status;
}

void darc_yardstick_clear(darc_yardstick *y)
{
    darc_free(y->gram);
    *y = (darc_yardstick){0};
}
