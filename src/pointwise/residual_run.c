#include "base/mem.h"
#include "base/parallel.h"
#include "pointwise/residual_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Blocks are worked in groups: what one thread does at a time. */
enum { GROUP = 64 };

/* What all threads share. */
typedef struct {
    const darc_residual *r;
    darc_sums *all; /* of each function */
    darc_residual_series *series;
} job;

/* A thread at work on a group. */
typedef struct {
    job *j;
    darc_residual_work work;
    darc_sums *sums;           /* of each function of each block of the group */
    darc_residual_series part; /* of the group, if there is a series */
    size_t at;                 /* where it belongs */
} worker;

static double sum_squares(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t t = 0; t < n; t++) {
        double d = b == NULL ? a[t] : a[t] - b[t];
        sum += d * d;
    }
    return sum;
}

static double sum_of(const double *a, size_t n)
{
    double sum = 0;
    for (size_t t = 0; t < n; t++)
        sum += a[t];
    return sum;
}

static void add_noise(const darc_residual *r, darc_residual_work *w,
                      const darc_block *b, int f, darc_sums *s)
{
    double *some = w->part[0], *least = w->part[1];
    s->noise2 = sum_of(w->variance[f], b->n);
    s->least2 = sum_of(least, b->n);
    for (int l = 0; l <= 2 * r->half; l++)
        s->noise4 += (l == 0 ? 1 : 2) * sum_squares(w->lag[l], NULL, b->n);
    darc_residual_variance(r, w, b, (darc_noisy){f, 0, 1, false}, some, least);
    s->coarse_least2 = sum_of(least, b->n);
    darc_residual_variance(r, w, b, (darc_noisy){f, 1, 2, false}, some, least);
    s->next_noise2 = sum_of(some, b->n);
    s->next_least2 = sum_of(least, b->n);
}

static void add_response(const darc_residual *r, const darc_residual_work *w,
                         const darc_block *b, darc_sums *s)
{
    int column = r->f.slope[r->lead];
    if (column < 0)
        return;
    for (size_t t = 0; t < b->n; t++) {
        double q = w->slope[column][t] * w->in[0][r->lead][t];
        s->response2 += q * q;
    }
}

static void sum_inner(const darc_residual_work *w, const darc_block *b, int f,
                      darc_sums *s)
{
    s->inner2 = s->value2;
    s->rounding2 = sum_squares(w->bound[f], NULL, b->n);
    s->coarse2 = sum_squares(w->value[0][f], w->value[1][f], b->n);
    s->next2 = sum_squares(w->value[1][f], w->value[2][f], b->n);
}

static void sum_value(darc_sums *s, const double *value, const double *size,
                      size_t n)
{
    s->value2 = sum_squares(value, NULL, n);
    for (size_t t = 0; t < n; t++)
        s->max = fabs(value[t]) > s->max ? fabs(value[t]) : s->max;
    s->size2 = sum_squares(size, NULL, n);
}

static void sum_block(const darc_residual *r, darc_residual_work *w,
                      const darc_block *b, darc_sums *sums)
{
    for (int f = 0; f < r->f.count; f++) {
        darc_sums *s = sums + f;
        const double *v = w->value[0][f];
        sum_value(s, v, w->size[f], b->n);
        darc_residual_variance(r, w, b, (darc_noisy){f, 0, -1, true},
                               w->variance[f], w->part[1]);
        if (!b->inner)
            continue;
        sum_inner(w, b, f, s);
        add_noise(r, w, b, f, s);
    }
    if (b->inner)
        add_response(r, w, b, sums);
}

/* sd + |truncation| + rounding of function f; truncation where known. */
static double bar_at(const darc_residual_work *w, const darc_block *b, int f,
                     size_t t)
{
    double cut = b->inner ? fabs(w->value[0][f][t] - w->value[1][f][t]) : 0;
    return sqrt(w->variance[f][t]) + cut + w->bound[f][t];
}

static void write_series(const darc_residual *r, const darc_residual_work *w,
                         const darc_block *b, darc_residual_series *out,
                         size_t first)
{
    const darc_table *table = r->table[0];
    for (size_t t = 0; t < b->n; t++) {
        size_t i = b->start[0] + t, at = b->at - first + t;
        out->time[at] = table->time != NULL ? table->time[i]
                                            : table->t0 + (double)i * table->dt;
        out->value[at] = w->value[0][0][t];
        out->bar[at] = bar_at(w, b, 0, t);
        double margin = NAN;
        for (int f = 1; f < r->f.count; f++) {
            double v = fabs(w->value[0][f][t]);
            margin = fmin(margin, v > 0 ? v / bar_at(w, b, f, t) : 0);
        }
        out->margin[at] = margin;
    }
}

static void do_block(worker *own, const darc_block *b, darc_sums *sums)
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
    sum_block(r, w, b, sums);
    if (own->j->series != NULL)
        write_series(r, w, b, &own->part, own->at);
}

static void *open_worker(void *user)
{
    job *j = user;
    worker *w = darc_calloc(1, sizeof *w);
    w->j = j;
    darc_residual_work_init(&w->work, j->r);
    w->sums = darc_calloc(GROUP * (size_t)j->r->f.count, sizeof *w->sums);
    darc_status status = darc_residual_series_open(
        &w->part, j->series == NULL ? 0 : GROUP * DARC_BLOCK, false, NULL);
    assert(status == DARC_OK);
    (void)status;
    return w;
}

static void close_worker(void *state)
{
    worker *w = state;
    darc_residual_work_clear(&w->work);
    darc_residual_series_clear(&w->part);
    darc_free(w->sums);
    darc_free(w);
}

static size_t blocks_of_group(const job *j, size_t unit)
{
    size_t left = j->r->blocks.count - unit * GROUP;
    return left < GROUP ? left : GROUP;
}

/* The samples of the group are done with. */
static void leave_group(const darc_residual *r, size_t unit, size_t n)
{
    darc_block first = darc_blocks_at(&r->blocks, unit * GROUP);
    darc_block last = darc_blocks_at(&r->blocks, unit * GROUP + n - 1);
    for (int a = 0; a < r->relation->recordings; a++)
        darc_table_done(r->table[a], first.start[a], last.start[a] + last.n);
}

static darc_status work_group(void *state, size_t unit, darc_err *err)
{
    worker *w = state;
    job *j = w->j;
    size_t functions = (size_t)j->r->f.count, n = blocks_of_group(j, unit);
    size_t samples = 0;
    w->at = darc_blocks_at(&j->r->blocks, unit * GROUP).at;
    memset(w->sums, 0, GROUP * functions * sizeof *w->sums);
    for (size_t i = 0; i < n; i++) {
        darc_block b = darc_blocks_at(&j->r->blocks, unit * GROUP + i);
        do_block(w, &b, w->sums + i * functions);
        samples += b.n;
    }
    leave_group(j->r, unit, n);
    return j->series == NULL ? DARC_OK
                             : darc_residual_series_put(j->series, w->at,
                                                        &w->part, samples, err);
}

static void add_sums(darc_sums *a, const darc_sums *b)
{
    a->value2 += b->value2;
    a->max = fmax(a->max, b->max);
    a->inner2 += b->inner2;
    a->size2 += b->size2;
    a->response2 += b->response2;
    a->rounding2 += b->rounding2;
    a->noise2 += b->noise2;
    a->least2 += b->least2;
    a->noise4 += b->noise4;
    a->coarse2 += b->coarse2;
    a->coarse_least2 += b->coarse_least2;
    a->next2 += b->next2;
    a->next_noise2 += b->next_noise2;
    a->next_least2 += b->next_least2;
}

static void gather_group(void *user, void *state, size_t unit)
{
    job *j = user;
    const worker *w = state;
    size_t functions = (size_t)j->r->f.count;
    size_t n = j->all == NULL ? 0 : blocks_of_group(j, unit);
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < functions; f++)
            add_sums(j->all + f, w->sums + i * functions + f);
}

static darc_status work_all(job *j, int threads, const darc_budget *budget,
                            darc_err *err)
{
    darc_parallel p = {j,
                       (j->r->blocks.count + GROUP - 1) / GROUP,
                       threads,
                       open_worker,
                       close_worker,
                       work_group,
                       gather_group};
    return darc_parallel_run(&p, budget, err);
}

static void take_means(darc_residual_errors *e, const darc_sums *s, size_t used,
                       size_t inner)
{
    double n = (double)used, m = inner > 0 ? (double)inner : 1;
    *e = (darc_residual_errors){.used = used, .inner = inner, .max = s->max};
    e->rms = sqrt(s->value2 / n);
    e->size = sqrt(s->size2 / n);
    e->inner_rms = sqrt(s->inner2 / m);
    e->response = sqrt(s->response2 / m);
    e->rounding = sqrt(s->rounding2 / m);
    e->noise = sqrt(s->noise2 / m);
    e->noise_least = sqrt(s->least2 / m);
    e->noise_dof = s->noise4 > 0 ? s->noise2 * (s->noise2 / s->noise4) : m;
    e->truncation = sqrt(s->coarse2 / m);
    e->truncation_least = sqrt(s->coarse_least2 / m);
    e->next = sqrt(s->next2 / m);
    e->next_noise = sqrt(s->next_noise2 / m);
    e->next_least = sqrt(s->next_least2 / m);
}

static darc_status sum_up(const darc_residual *r, const darc_sums *sums,
                          int functions, darc_residual_errors *errors,
                          darc_err *err)
{
    for (int f = 0; f < functions; f++) {
        const darc_sums *s = sums + f;
        take_means(errors + f, s, r->blocks.used, r->blocks.inner);
        if (!isfinite(s->value2 + s->noise2 + s->rounding2 + s->coarse2))
            return darc_fail(err, DARC_DATA,
                             "%s: the relation leaves the range of numbers on "
                             "these data; scale the signals (--scale)",
                             r->table[0]->file);
    }
    return DARC_OK;
}

darc_status darc_residual_run(const darc_residual *residual, int threads,
                              const darc_budget *budget,
                              darc_residual_errors *errors,
                              darc_residual_series *series, darc_err *err)
{
    job j = {.r = residual, .series = series};
    darc_status status = DARC_OK;
    j.all = darc_calloc((size_t)residual->f.count, sizeof *j.all);
    if (series != NULL)
        DARC_TRY(darc_residual_series_open(series, residual->blocks.used,
                                           residual->table[0]->spool != NULL,
                                           err));
    DARC_TRY(work_all(&j, threads, budget, err));
    DARC_TRY(sum_up(residual, j.all, residual->f.count, errors, err));
    if (series != NULL)
        status = darc_residual_series_close(series, &residual->blocks,
                                            errors[0].truncation, err);
done:
    if (status != DARC_OK && series != NULL)
        darc_residual_series_clear(series);
    darc_free(j.all);
    return status;
}
