/* residual_run.c - a residual along all blocks, and its series, in memory or in
 * a temporary file. */
#include "base/mem.h"
#include "base/parallel.h"
#include "data/spool.h"
#include "pointwise/residual_inside.h"
#include "stats/columns.h"
#include "stats/lanes.h"

#include <math.h>
#include <string.h>

/* Blocks are worked in groups: what one thread does at a time. */
enum { GROUP = 64 };

/* Sums of squares over samples, of one function: over all, then over inner
 * ones. */
enum {
    VALUES,
    SIZES,
    INNER,
    RESPONSE,
    ROUNDING,
    NOISE, /* variances; so LEAST, and what ends in _NOISE and _LEAST */
    LEAST,
    NOISE4, /* squared covariances */
    COARSE,
    COARSE_LEAST,
    NEXT,
    NEXT_NOISE,
    NEXT_LEAST,
    SUMS
};

typedef struct {
    double max, of[SUMS];
} sums;

/* What all threads share. */
typedef struct {
    const darc_residual *r;
    sums *all; /* of each function */
    darc_residual_series *series;
} residual_pass;

/* A thread at work on a group. */
typedef struct {
    residual_pass *j;
    darc_residual_work work;
    sums *sums;    /* of each function, of the group */
    double **part; /* of the series; NULL: there is none */
    size_t at;     /* where it belongs */
} worker;

enum { TIME, VALUE, BAR, MARGIN, COLUMNS };

static void list_columns(double ***column, darc_residual_series *s)
{
    column[TIME] = &s->time;
    column[VALUE] = &s->value;
    column[BAR] = &s->bar;
    column[MARGIN] = &s->margin;
}

/* Make room for n values, in a temporary file or in memory. */
static darc_status open_series(darc_residual_series *s, size_t n, bool spooled,
                               darc_err *err)
{
    double **column[COLUMNS];
    int c;
    *s = (darc_residual_series){.count = n};
    list_columns(column, s);
    for (int i = 0; i < COLUMNS && !spooled; i++)
        *column[i] = darc_calloc(n, sizeof **column[i]);
    if (!spooled)
        return DARC_OK;
    DARC_NEED(darc_spool_new(&s->spool, 0, err));
    darc_spool_reserve(s->spool, n);
    for (int i = 0; i < COLUMNS; i++)
        darc_spool_widen(s->spool, &c);
    return DARC_OK;
}

/* Put n values there; from several threads. */
static darc_status put_series(darc_residual_series *s, size_t at,
                              double *const *part, size_t n, darc_err *err)
{
    double **to[COLUMNS];
    darc_status status = DARC_OK;
    list_columns(to, s);
    for (int c = 0; c < COLUMNS && status == DARC_OK; c++)
        if (s->spool != NULL)
            status = darc_spool_put(s->spool, c, at, part[c], n, err);
        else
            memcpy(*to[c] + at, part[c], n * sizeof(double));
    return status;
}

/* Add to n bars from `at` on. */
static darc_status raise_bars(darc_residual_series *s, size_t at, size_t n,
                              double by, darc_err *err)
{
    double bar[DARC_BLOCK];
    for (size_t t = 0, m; t < n; t += m) {
        m = n - t < DARC_BLOCK ? n - t : DARC_BLOCK;
        for (size_t i = 0; i < m; i++)
            bar[i] = s->bar[at + t + i] + by;
        if (s->spool == NULL)
            memcpy(s->bar + at + t, bar, m * sizeof *bar);
        else
            DARC_NEED(darc_spool_put(s->spool, BAR, at + t, bar, m, err));
    }
    return DARC_OK;
}

/* Map what was put there, adding the truncation to the bars of blocks that are
 * not inner. */
static darc_status close_series(darc_residual_series *s,
                                const darc_blocks *blocks, double truncation,
                                darc_err *err)
{
    double **column[COLUMNS];
    list_columns(column, s);
    for (int c = 0; c < COLUMNS && s->spool != NULL; c++)
        DARC_NEED(darc_spool_map_column(s->spool, c, column[c], err));
    for (size_t i = 0; i < blocks->runs; i++) {
        const darc_block *b = &blocks->run[i].all;
        if (!b->inner)
            DARC_NEED(raise_bars(s, b->at, b->n, truncation, err));
    }
    darc_residual_series_done(s, 0, s->count);
    return DARC_OK;
}

void darc_residual_series_clear(darc_residual_series *s)
{
    double **column[COLUMNS];
    list_columns(column, s);
    for (int c = 0; c < COLUMNS && s->spool == NULL; c++)
        darc_free(*column[c]);
    darc_spool_free(s->spool);
    *s = (darc_residual_series){0};
}

void darc_residual_series_done(const darc_residual_series *s, size_t begin,
                               size_t end)
{
    if (s->spool != NULL)
        darc_spool_done(s->spool, begin, end);
}

static double sum_of_squares(const double *a, size_t n)
{
    return darc_lanes_dot(a, a, n);
}

static double square_of_difference(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t t = 0; t < n; t++)
        sum += (a[t] - b[t]) * (a[t] - b[t]);
    return sum;
}

static void add_stencil_noise(const darc_residual *r, darc_residual_work *w,
                              const darc_block *b, int f, double *s)
{
    double *some = w->part[0], *least = w->part[1];
    s[NOISE] += darc_lanes_sum(w->variance[f], b->n);
    s[LEAST] += darc_lanes_sum(least, b->n);
    for (int l = 0; l <= 2 * r->half; l++)
        s[NOISE4] += (l == 0 ? 1 : 2) * sum_of_squares(w->lag[l], b->n);
    darc_residual_variance(r, w, b, (darc_noisy){f, 0, 1, false}, some, least);
    s[COARSE_LEAST] += darc_lanes_sum(least, b->n);
    darc_residual_variance(r, w, b, (darc_noisy){f, 1, 2, false}, some, least);
    s[NEXT_NOISE] += darc_lanes_sum(some, b->n);
    s[NEXT_LEAST] += darc_lanes_sum(least, b->n);
}

static void add_block(const darc_residual *r, darc_residual_work *w,
                      const darc_block *b, sums *all)
{
    int lead = r->f.slope[r->lead];
    for (int f = 0; f < r->f.count; f++) {
        const double *v = w->value[0][f];
        double *s = all[f].of, values = sum_of_squares(v, b->n);
        s[VALUES] += values;
        s[SIZES] += sum_of_squares(w->size[f], b->n);
        for (size_t t = 0; t < b->n; t++)
            all[f].max = fmax(all[f].max, fabs(v[t]));
        darc_residual_variance(r, w, b, (darc_noisy){f, 0, -1, true},
                               w->variance[f], w->part[1]);
        if (!b->inner)
            continue;
        s[INNER] += values;
        s[ROUNDING] += sum_of_squares(w->bound[f], b->n);
        s[COARSE] += square_of_difference(v, w->value[1][f], b->n);
        s[NEXT] += square_of_difference(w->value[1][f], w->value[2][f], b->n);
        add_stencil_noise(r, w, b, f, s);
    }
    for (size_t t = 0; t < b->n && b->inner && lead >= 0; t++)
        all->of[RESPONSE] += pow(w->slope[lead][t] * w->in[0][r->lead][t], 2);
}

/* sd + |truncation| + rounding of function f; truncation where known. */
static double bar_at(const darc_residual_work *w, const darc_block *b, int f,
                     size_t t)
{
    double cut = b->inner ? fabs(w->value[0][f][t] - w->value[1][f][t]) : 0;
    return sqrt(w->variance[f][t]) + cut + w->bound[f][t];
}

static void write_series(worker *own, const darc_block *b)
{
    const darc_residual *r = own->j->r;
    const darc_residual_work *w = &own->work;
    for (size_t t = 0; t < b->n; t++) {
        size_t at = b->at - own->at + t;
        double margin = NAN;
        for (int f = 1; f < r->f.count; f++) {
            double v = fabs(w->value[0][f][t]);
            margin = fmin(margin, v > 0 ? v / bar_at(w, b, f, t) : 0);
        }
        own->part[TIME][at] = darc_table_time(r->table[0], b->start[0] + t);
        own->part[VALUE][at] = w->value[0][0][t];
        own->part[BAR][at] = bar_at(w, b, 0, t);
        own->part[MARGIN][at] = margin;
    }
}

static void do_block(worker *own, const darc_block *b)
{
    const darc_residual *r = own->j->r;
    darc_residual_work *w = &own->work;
    for (int rung = 0; rung < (b->inner ? DARC_RUNGS : 1); rung++) {
        darc_residual_derive(r, w, b, rung);
        darc_functions_values(&r->f, w->in[rung], w->value[rung], b->n);
    }
    darc_residual_input_errors(r, w, b);
    darc_functions_bounds(&r->f, w->in[0], w->error,
                          (darc_bounds){w->size, w->bound, w->spare}, b->n);
    darc_functions_slopes(&r->f, w->in[0], w->slope, b->n);
    add_block(r, w, b, own->sums);
    if (own->part != NULL)
        write_series(own, b);
}

static void *open_worker(void *user)
{
    residual_pass *j = user;
    worker *w = darc_calloc(1, sizeof *w);
    w->j = j;
    darc_residual_work_init(&w->work, j->r);
    w->sums = darc_calloc((size_t)j->r->f.count, sizeof *w->sums);
    if (j->series != NULL)
        w->part = darc_columns_new(COLUMNS, (size_t)GROUP * DARC_BLOCK);
    return w;
}

static void close_worker(void *state)
{
    worker *w = state;
    darc_residual_work_clear(&w->work);
    darc_columns_free(w->part);
    DARC_FREE(w->sums, w);
}

static darc_status work_group(void *state, size_t unit, darc_err *err)
{
    worker *w = state;
    const darc_residual *r = w->j->r;
    size_t begin = unit * GROUP, left = r->blocks.count - begin;
    darc_block first = darc_blocks_at(&r->blocks, begin), b = first;
    w->at = first.at;
    memset(w->sums, 0, (size_t)r->f.count * sizeof *w->sums);
    for (size_t i = begin; i < begin + (left < GROUP ? left : GROUP); i++) {
        b = darc_blocks_at(&r->blocks, i);
        do_block(w, &b);
    }
    for (int a = 0; a < r->relation->recordings; a++)
        darc_table_done(r->table[a], first.start[a], b.start[a] + b.n);
    return w->part == NULL ? DARC_OK
                           : put_series(w->j->series, w->at, w->part,
                                        b.at + b.n - w->at, err);
}

static void gather_group(void *user, void *state, size_t unit)
{
    residual_pass *j = user;
    const worker *w = state;
    (void)unit;
    for (int f = 0; f < j->r->f.count; f++) {
        j->all[f].max = fmax(j->all[f].max, w->sums[f].max);
        darc_lanes_add(j->all[f].of, 1, w->sums[f].of, SUMS);
    }
}

static darc_status take_means(darc_residual_errors *e, const sums *sum,
                              const darc_residual *r, darc_err *err)
{
    const double *s = sum->of;
    size_t used = r->blocks.used, inner = r->blocks.inner;
    double n = (double)used, m = inner > 0 ? (double)inner : 1;
    *e = (darc_residual_errors){
        .used = used,
        .inner = inner,
        .max = sum->max,
        .rms = sqrt(s[VALUES] / n),
        .size = sqrt(s[SIZES] / n),
        .inner_rms = sqrt(s[INNER] / m),
        .response = sqrt(s[RESPONSE] / m),
        .rounding = sqrt(s[ROUNDING] / m),
        .noise = sqrt(s[NOISE] / m),
        .noise_least = sqrt(s[LEAST] / m),
        .noise_dof = s[NOISE4] > 0 ? s[NOISE] * (s[NOISE] / s[NOISE4]) : m,
        .truncation = sqrt(s[COARSE] / m),
        .truncation_least = sqrt(s[COARSE_LEAST] / m),
        .next = sqrt(s[NEXT] / m),
        .next_noise = sqrt(s[NEXT_NOISE] / m),
        .next_least = sqrt(s[NEXT_LEAST] / m)};
    double all = 0; /* fourth powers only say how well the noise is known */
    for (int i = 0; i < SUMS; i++)
        all += i == NOISE4 ? 0 : s[i];
    return isfinite(all)
               ? DARC_OK
               : darc_fail(err, DARC_DATA,
                           "%s: the relation leaves the range of numbers on "
                           "these data; scale the signals (--scale)",
                           r->table[0]->file);
}

darc_status darc_residual_run(const darc_residual *residual, int threads,
                              const darc_budget *budget,
                              darc_residual_errors *errors,
                              darc_residual_series *series, darc_err *err)
{
    const darc_blocks *blocks = &residual->blocks;
    residual_pass j = {.r = residual, .series = series};
    darc_parallel p = {&j,           (blocks->count + GROUP - 1) / GROUP,
                       threads,      open_worker,
                       close_worker, work_group,
                       gather_group};
    darc_status status = DARC_OK;
    j.all = darc_calloc((size_t)residual->f.count, sizeof *j.all);
    if (series != NULL)
        DARC_TRY(open_series(series, blocks->used,
                             residual->table[0]->spool != NULL, err));
    DARC_TRY(darc_parallel_run(&p, budget, err));
    for (int f = 0; f < residual->f.count; f++)
        DARC_TRY(take_means(errors + f, j.all + f, residual, err));
    if (series != NULL)
        status = close_series(series, blocks, errors[0].truncation, err);
done:
    if (status != DARC_OK && series != NULL)
        darc_residual_series_clear(series);
    darc_free(j.all);
    return status;
}
