#include "fit/weakfit.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "stats/lanes.h"
#include "stats/stats.h"
#include "weak/weak_inside.h"

#include <math.h>
#include <string.h>

/* Sums over the moments of all pieces. */
typedef struct {
    double residual;     /* squares of e less their noise variance */
    double noise;        /* variance of that by noise: 2 tr V^2 */
    double *term, *mean; /* of term j: squares, sum; owned */
    double functions;
    double squares, most; /* of e */
    double sizes;         /* squares of the sums of the sizes of all terms */
} sums;

/* Return 2 tr V^2 of the lower band in ab. */
static double noise_of_squares(const darc_weak_work *work)
{
    size_t rows = (size_t)work->band + 1;
    double sum = 0;
    for (size_t i = 0; i < (size_t)work->functions; i++)
        for (size_t l = 0; l < rows; l++) {
            double v = work->ab[i * rows + l];
            sum += (l == 0 ? 2 : 4) * v * v;
        }
    return sum;
}

/* Add the terms of the moments at hand, and set e to their sum. */
static void add_terms(sums *s, double *e, double *size, const darc_weakfit *f,
                      const darc_weak_work *work)
{
    size_t k = (size_t)work->functions;
    memset(e, 0, k * sizeof *e);
    memset(size, 0, k * sizeof *size);
    for (int j = 0; j < f->model; j++)
        for (size_t i = 0; i < k; i++) {
            double x = f->fit.c[j] * work->w[(size_t)j * k + i];
            s->term[j] += x * x;
            s->mean[j] += x;
            e[i] += x;
            size[i] += fabs(x);
        }
    for (size_t i = 0; i < k; i++)
        s->most = fmax(s->most, fabs(e[i]));
    s->squares += darc_lanes_dot(e, e, k);
    s->sizes += darc_lanes_dot(size, size, k);
    s->functions += (double)k;
}

static void add_residual(sums *s, const double *e, const darc_weakfit *f,
                         darc_weak_work *work)
{
    size_t k = (size_t)work->functions, rows = (size_t)work->band + 1;
    darc_weak_load_partials(work);
    darc_weak_at(work, f->fit.c);
    darc_weak_covariance(work, f->fit.c, true);
    for (size_t i = 0; i < k; i++)
        s->residual += e[i] * e[i] - work->ab[i * rows];
    s->noise += noise_of_squares(work);
}

static int leading_term(const darc_weakfit *f)
{
    int lead = 0;
    for (int j = 0; j < f->model; j++)
        if (f->fit.size[j] == f->lambda)
            lead = j;
    return lead;
}

/* ---- over all pieces ------------------------------------------------------
 */

typedef struct {
    const darc_weakfit *f;
    sums all;
} plain;

typedef struct {
    const darc_weakfit *f;
    darc_weak_work *work;
    double *e, *size; /* by function of a piece */
    sums piece;
} plain_work;

static sums new_sums(const darc_weakfit *f)
{
    size_t n = (size_t)f->model;
    return (sums){.term = darc_calloc(n, sizeof(double)),
                  .mean = darc_calloc(n, sizeof(double))};
}

static void clear_sums(sums *s)
{
    darc_free(s->term);
    darc_free(s->mean);
}

static void *open_work(void *user)
{
    const plain *p = user;
    plain_work *w = darc_calloc(1, sizeof *w);
    w->f = p->f;
    w->work = darc_weak_work_new(p->f->weak);
    w->piece = new_sums(p->f);
    w->e = darc_calloc(w->work->capacity, sizeof *w->e);
    w->size = darc_calloc(w->work->capacity, sizeof *w->size);
    return w;
}

static void close_work(void *state)
{
    plain_work *w = state;
    darc_weak_work_free(w->work);
    clear_sums(&w->piece);
    darc_free(w->e);
    darc_free(w->size);
    darc_free(w);
}

static darc_status work_piece(void *state, size_t unit, darc_err *err)
{
    plain_work *w = state;
    sums *s = &w->piece;
    (void)err;
    double *term = s->term, *mean = s->mean;
    *s = (sums){.term = term, .mean = mean};
    memset(term, 0, (size_t)w->f->model * sizeof *term);
    memset(mean, 0, (size_t)w->f->model * sizeof *mean);
    darc_weak_load(w->work, (int)unit);
    add_terms(s, w->e, w->size, w->f, w->work);
    if (w->f->misfit)
        add_residual(s, w->e, w->f, w->work);
    return DARC_OK;
}

static void gather_piece(void *user, void *state, size_t unit)
{
    plain *p = user;
    const sums *s = &((plain_work *)state)->piece;
    (void)unit;
    p->all.residual += s->residual;
    p->all.noise += s->noise;
    p->all.functions += s->functions;
    p->all.squares += s->squares;
    p->all.sizes += s->sizes;
    p->all.most = fmax(p->all.most, s->most);
    for (int j = 0; j < p->f->model; j++) {
        p->all.term[j] += s->term[j];
        p->all.mean[j] += s->mean[j];
    }
}

static void summarise(darc_residual_summary *out, const darc_weakfit *f,
                      const sums *s)
{
    *out = (darc_residual_summary){
        .rms = sqrt(s->squares / s->functions),
        .max = s->most,
        .relative_rms = s->sizes > 0 ? sqrt(s->squares / s->sizes) : 0};
    for (int p = 0; p < f->weak->pieces; p++)
        out->used += f->weak->piece[p].end - f->weak->piece[p].begin;
}

static void set_shares(darc_weakfit *f, const sums *s, int lead)
{
    f->share = darc_calloc((size_t)f->model, sizeof *f->share);
    for (int j = 0; j < f->model; j++) {
        double part = s->term[lead] > 0 ? s->term[j] / s->term[lead] : 0;
        double weighed = f->lambda > 0 ? f->fit.size[j] / f->lambda : 1;
        f->share[j] = fmin(1, sqrt(fmax(0, fmax(part, weighed))));
    }
}

darc_status darc_weakfit_set_plain(darc_weakfit *f, bool offset, double alpha,
                                   const darc_budget *budget, darc_err *err)
{
    int lead = leading_term(f);
    plain p = {f, new_sums(f)};
    sums *s = &p.all;
    darc_parallel job = {&p,
                         (size_t)f->weak->pieces,
                         f->weak->threads,
                         open_work,
                         close_work,
                         work_piece,
                         gather_piece};
    darc_status status = darc_parallel_run(&job, budget, err);
    if (status == DARC_OK) {
        summarise(&f->moments, f, s);
        for (int j = 0; j < f->model && offset; j++)
            s->term[j] -= s->mean[j] * s->mean[j] / s->functions;
        set_shares(f, s, lead);
        double z = darc_stats_normal_quantile(1 - alpha);
        double most = fmax(0, s->residual + z * sqrt(s->noise));
        if (f->misfit)
            f->plain =
                s->term[lead] > 0 ? sqrt(most / s->term[lead]) : HUGE_VAL;
    }
    clear_sums(s);
    return status;
}
