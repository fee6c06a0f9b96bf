/* column_diff.c - columns that are estimated derivatives. */
#include "derive/column.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "noise/noisesums.h"
#include "stats/lanes.h"
#include "stats/stencil.h"

#include <math.h>
#include <string.h>

/* The formulas to choose from: widths in steps of about 1.6. */
static const darc_diff_spec formulas[] = {
    {DARC_DIFF_CENTRAL, 4, 0, 0}, {DARC_DIFF_CENTRAL, 6, 0, 0},
    {DARC_DIFF_SG, 0, 9, 4},      {DARC_DIFF_SG, 0, 15, 4},
    {DARC_DIFF_SG, 0, 25, 4},     {DARC_DIFF_SG, 0, 41, 4},
    {DARC_DIFF_SG, 0, 65, 4},     {DARC_DIFF_SG, 0, 105, 4}};

enum { FORMULAS = sizeof formulas / sizeof formulas[0], WIDEST = 52 };

/* ---- a stretch of what is differentiated --------------------------------- */

typedef struct {
    size_t begin; /* sample of the recording that comes first */
    double *own;  /* values that were computed; NULL: they are a signal's */
    darc_signal signal;
    darc_table table; /* of this one signal, cut where it is not known */
} stretch;

static void add_run(darc_table *view, size_t begin, size_t end)
{
    view->segment = darc_grow(view->segment, (size_t)view->segments,
                              &view->segment_alloc, sizeof *view->segment);
    view->segment[view->segments++] = (darc_segment){begin, end};
}

/* Cut the stretch into segments of the recording where x is known. */
static void cut(stretch *v, const darc_table *table)
{
    const double *x = v->signal.value;
    size_t n = v->table.samples;
    for (int s = 0; s < table->segments; s++) {
        size_t i = table->segment[s].begin, end = table->segment[s].end;
        if (end <= v->begin || i >= v->begin + n)
            continue;
        i = i < v->begin ? 0 : i - v->begin;
        end = end - v->begin < n ? end - v->begin : n;
        while (i < end) {
            size_t from = i;
            while (i < end && isfinite(x[i]))
                i++;
            if (i > from)
                add_run(&v->table, from, i);
            else
                i++;
        }
    }
}

/* Open samples begin .. end - 1, and up to `reach` more at either end. */
static darc_status open_stretch(stretch *v, const darc_column *col,
                                size_t begin, size_t end, size_t reach,
                                double perturb, darc_err *err)
{
    const darc_table *table = col->c->table;
    size_t from = begin > reach ? begin - reach : 0;
    size_t to = table->samples - end > reach ? end + reach : table->samples;
    darc_status status = DARC_OK;
    *v = (stretch){.begin = from, .signal = {.name = "", .unit = ""}};
    if (col->signal < 0) {
        v->own = v->signal.value = darc_malloc((to - from) * sizeof *v->own);
        status = darc_column_eval(col->arg, v->own, from, to, perturb, err);
    } else {
        v->signal.value = table->signal[col->signal].value + from;
    }
    v->table =
        (darc_table){.file = table->file,
                     .samples = to - from,
                     .time = table->time == NULL ? NULL : table->time + from,
                     .dt = table->dt,
                     .signals = 1,
                     .signal = &v->signal};
    if (status == DARC_OK)
        cut(v, table);
    return status;
}

static void close_stretch(stretch *v)
{
    darc_free(v->own);
    darc_free(v->table.segment);
}

/* ---- choosing the formula ------------------------------------------------ */

/* Sums over samples where a formula and the next finer one fit. */
typedef struct {
    double truncation[FORMULAS], gain[FORMULAS]; /* of squares */
    double count[FORMULAS];
    darc_noisesums noise;
} sums;

/* On uniform time: what a formula and the next finer one differ by is itself a
 * formula. */
typedef struct {
    int half;
    double *weight; /* 2 half + 1; NULL: not uniform, or not possible; owned */
    double gain;    /* squares of the weights of the formula, summed */
} difference;

typedef struct {
    const darc_column *col;
    difference d[FORMULAS];
    sums all;
} choice;

typedef struct {
    const choice *of;
    sums part;
    double *value, *truncation, *gain;
} choice_work;

static bool is_possible(int formula, int order)
{
    return formulas[formula].kind != DARC_DIFF_SG ||
           formulas[formula].degree >= order;
}

/* Samples on either side that a formula, the finer one too, or an estimate of
 * noise takes. */
static size_t reach_of(int order)
{
    size_t central = (size_t)order / 2 + 4;
    return central > WIDEST ? central : WIDEST;
}

static void *open_work(void *user)
{
    choice_work *w = darc_calloc(1, sizeof *w);
    w->of = user;
    const darc_column *col = w->of->col;
    size_t n = col->c->block + 2 * reach_of(col->order);
    w->value = darc_malloc(n * sizeof *w->value);
    w->truncation = darc_malloc(n * sizeof *w->truncation);
    w->gain = darc_malloc(n * sizeof *w->gain);
    return w;
}

static void close_work(void *state)
{
    choice_work *w = state;
    darc_free(w->value);
    darc_free(w->truncation);
    darc_free(w->gain);
    darc_free(w);
}

/* Add to the difference's weights those of the formula, times sign. */
static darc_status add_weights(difference *d, const darc_diff_spec *spec,
                               double sign, const darc_column *col,
                               darc_err *err)
{
    darc_differ *formula;
    darc_status status =
        darc_differ_new(&formula, spec, col->order, col->c->table, err);
    if (status != DARC_OK)
        return status;
    int half = darc_differ_half(formula, col->order);
    double *w = darc_calloc(2 * (size_t)half + 1, sizeof *w);
    darc_differ_weights(formula, col->order, 0, w);
    if (d->weight == NULL || half > d->half) {
        size_t n = 2 * (size_t)half + 1, old = 2 * (size_t)d->half + 1;
        double *wider = darc_calloc(n, sizeof *wider);
        if (d->weight != NULL)
            memcpy(wider + (half - d->half), d->weight, old * sizeof *wider);
        darc_free(d->weight);
        d->weight = wider;
        d->half = half;
    }
    for (int j = 0; j <= 2 * half; j++) {
        d->weight[j + d->half - half] += sign * w[j];
        d->gain += sign > 0 ? w[j] * w[j] : 0;
    }
    darc_free(w);
    darc_differ_free(formula);
    return DARC_OK;
}

/* Set the differences of the possible formulas. */
static darc_status open_differences(choice *to, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int f = 0; f < FORMULAS && to->col->c->table->dt > 0; f++) {
        if (!is_possible(f, to->col->order))
            continue;
        darc_diff_spec finer = darc_diff_spec_finer(formulas + f);
        DARC_TRY(add_weights(to->d + f, formulas + f, 1, to->col, err));
        DARC_TRY(add_weights(to->d + f, &finer, -1, to->col, err));
    }
done:
    return status;
}

static void try_difference(choice_work *w, int f, const stretch *v,
                           size_t first, size_t last)
{
    const difference *d = w->of->d + f;
    size_t half = (size_t)d->half;
    bool odd = w->of->col->order % 2 == 1;
    for (int s = 0; s < v->table.segments; s++) {
        const darc_segment *g = v->table.segment + s;
        size_t begin = g->begin + half;
        size_t end = g->end > half ? g->end - half : 0;
        begin = begin > first ? begin : first;
        end = end < last ? end : last;
        if (begin >= end)
            continue;
        size_t n = end - begin;
        darc_stencil_apply(w->truncation, d->weight + half, d->half, odd,
                           v->signal.value + begin, n);
        w->part.truncation[f] +=
            darc_lanes_dot(w->truncation, w->truncation, n);
        w->part.gain[f] += (double)n * d->gain;
        w->part.count[f] += (double)n;
    }
}

static darc_status try_formula(choice_work *w, int f, const stretch *v,
                               size_t first, size_t last, darc_err *err)
{
    darc_status status =
        darc_differ_signal(&v->table, 0, w->of->col->order, formulas + f,
                           w->value, w->truncation, w->gain, err);
    if (status != DARC_OK)
        return status;
    double truncation = 0, gain = 0;
    size_t count = 0;
    for (size_t i = first; i < last; i++)
        if (isfinite(w->value[i]) && isfinite(w->truncation[i])) {
            truncation += w->truncation[i] * w->truncation[i];
            gain += w->gain[i] * w->gain[i];
            count++;
        }
    w->part.truncation[f] = truncation;
    w->part.gain[f] = gain;
    w->part.count[f] = (double)count;
    return DARC_OK;
}

static darc_status try_formulas(void *state, size_t unit, darc_err *err)
{
    choice_work *w = state;
    const darc_column *col = w->of->col;
    const darc_table *table = col->c->table;
    size_t begin = unit * col->c->block, end = begin + col->c->block;
    stretch v;
    end = end < table->samples ? end : table->samples;
    memset(&w->part, 0, sizeof w->part);
    darc_status status =
        open_stretch(&v, col, begin, end, reach_of(col->order), 0, err);
    size_t first = begin - v.begin, last = end - v.begin;
    if (status == DARC_OK)
        darc_noisesums_add(&w->part.noise, &v.table, 0, first, last);
    for (int f = 0; f < FORMULAS && status == DARC_OK; f++)
        if (w->of->d[f].weight != NULL)
            try_difference(w, f, &v, first, last);
        else if (is_possible(f, col->order))
            status = try_formula(w, f, &v, first, last, err);
    close_stretch(&v);
    darc_table_done(table, begin, end);
    return status;
}

static void gather(void *user, void *state, size_t unit)
{
    choice *to = user;
    const choice_work *w = state;
    (void)unit;
    for (int f = 0; f < FORMULAS; f++) {
        to->all.truncation[f] += w->part.truncation[f];
        to->all.gain[f] += w->part.gain[f];
        to->all.count[f] += w->part.count[f];
    }
    for (int k = 0; k <= DARC_NOISE_ORDERS; k++) {
        to->all.noise.square[k] += w->part.noise.square[k];
        to->all.noise.count[k] += w->part.noise.count[k];
    }
}

/* Take the formula for which the root of the mean of
 * truncation^2 + (gain sd)^2 is least. */
static void take_best(darc_column *col, const sums *all)
{
    darc_noise noise;
    darc_noisesums_estimate(&noise, &all->noise);
    double variance = noise.order > 0 ? noise.sd * noise.sd : 0;
    for (int f = 0; f < FORMULAS; f++) {
        if (all->count[f] == 0)
            continue;
        double error = sqrt((all->truncation[f] + variance * all->gain[f]) /
                            all->count[f]);
        if (!isfinite(error) || (col->fits && !(error < col->error)))
            continue;
        col->fits = true;
        col->error = error;
        col->formula = formulas[f];
    }
}

darc_status darc_column_choose(darc_column *col, darc_err *err)
{
    const darc_column_context *c = col->c;
    choice own = {.col = col};
    darc_parallel job = {&own,       (c->table->samples - 1) / c->block + 1,
                         c->threads, open_work,
                         close_work, try_formulas,
                         gather};
    darc_status status = open_differences(&own, err);
    if (status == DARC_OK)
        status = darc_parallel_run(&job, c->budget, err);
    if (status == DARC_OK)
        take_best(col, &own.all);
    for (int f = 0; f < FORMULAS; f++)
        darc_free(own.d[f].weight);
    return status;
}

/* ---- values ---------------------------------------------------------------
 */

darc_status darc_column_derivative(const darc_column *col, double *out,
                                   size_t begin, size_t end, double perturb,
                                   darc_err *err)
{
    size_t n = end - begin;
    stretch v;
    if (!col->fits) {
        for (size_t i = 0; i < n; i++)
            out[i] = NAN;
        return DARC_OK;
    }
    darc_status status =
        open_stretch(&v, col, begin, end, reach_of(col->order), perturb, err);
    double *value = darc_malloc(v.table.samples * sizeof *value);
    if (status == DARC_OK)
        status = darc_differ_signal(&v.table, 0, col->order, &col->formula,
                                    value, NULL, NULL, err);
    for (size_t i = 0; i < n && status == DARC_OK; i++)
        out[i] = value[begin - v.begin + i] + perturb * col->error;
    darc_free(value);
    close_stretch(&v);
    return status;
}
