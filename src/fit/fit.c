#include "fit/fit.h"

#include "base/budget.h"
#include "base/mem.h"
#include "base/random.h"
#include "fit/cut.h"
#include "fit/follow.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/stats.h"
#include "weak/origin.h"
#include "weak/piece.h"
#include "weak/system.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One draw of the same noise in the fields of both: the narrow one reaches less
 * far beyond the piece. */
static void draw_fields(darc_weak_work *work, darc_weak_work *narrow, int piece)
{
    int ahead = work->weak->left - narrow->weak->left;
    size_t n = darc_weak_field(work), m = darc_weak_field(narrow);
    assert(ahead >= 0 && narrow->weak->right <= work->weak->right);
    for (int c = 0; c < darc_weak_channels(work->weak); c++) {
        bool drawn = c < work->weak->channels && !work->weak->bound[c];
        darc_random random;
        darc_random_init(&random, (uint64_t)piece + 1, (uint64_t)c);
        for (size_t i = 0; i < n; i++)
            work->z[c][i] = drawn ? darc_random_normal(&random) : 0;
    }
    for (int c = 0; c < darc_weak_channels(narrow->weak); c++)
        if (c < narrow->weak->channels)
            memcpy(narrow->z[c], work->z[c] + ahead, m * sizeof **narrow->z);
        else
            memset(narrow->z[c], 0, m * sizeof **narrow->z);
}

/* Set d to (x - y) c. */
static void subtract(double *d, const double *x, const double *y,
                     const darc_weak_work *work, const double *c)
{
    size_t k = (size_t)work->rows;
    double *e = darc_calloc(k, sizeof *e);
    darc_columns_combine(work, d, x, c);
    darc_columns_combine(work, e, y, c);
    darc_lanes_add(d, -1, e, k);
    darc_free(e);
}

static void load(darc_weak_work *work, int piece, const double *c)
{
    darc_weak_load(work, piece);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
}

/* Let draws of noise count at steps too, where all are at samples: edges that
 * the fit places take up noise of the samples around them. */
static void count_sides(darc_weak_work *work)
{
    darc_weak_steps_load(work);
    work->sided = true;
    for (int i = 0; i < work->steps; i++)
        work->sided = work->sided && work->step[i].on;
}

/* Add d' V^-1 d of piece p, d twice what its moments differ by, less that of
 * what one draw of noise does. */
static darc_status add_smoothing(double *lambda, darc_weak_work *work,
                                 darc_weak_work *narrow, int p, const double *c,
                                 darc_err *err)
{
    load(work, p, c);
    load(narrow, p, c);
    count_sides(work);
    count_sides(narrow);
    darc_weak_covariance(work);
    assert(work->rows == narrow->rows);
    ptrdiff_t k = work->rows, n = k * work->weak->coeffs;
    darc_point at = {.weak = work->weak};
    darc_columns_room b = {.factor = work->ab};
    double *d, *x, *y;
    DARC_CARVE({&d, 2 * k}, {&x, n}, {&y, n});
    subtract(d, work->w, narrow->w, work, c);
    draw_fields(work, narrow, p);
    darc_weak_forward(work, x);
    darc_weak_forward(narrow, y);
    subtract(d + k, x, y, work, c);
    darc_status status =
        darc_sums_factorise(work->ab, work->band, work->rows, &at, err);
    if (status == DARC_OK) {
        darc_columns_whiten(work, &b, d, 2, 'N');
        *lambda += 4 * (darc_lanes_dot(d, d, (size_t)k) -
                        darc_lanes_dot(d + k, d + k, (size_t)k));
    }
    darc_free(d);
    return status;
}

/* Set *lambda to d' V^-1 d, d twice what the moments e(c) of weak differ from
 * those of narrow: the same system, margin and test functions with smoothers
 * half as wide; one draw of noise is taken off.  Q is noncentral chi-square
 * with no more than that.  (A derivative that stays inside a term is estimated
 * by a polynomial over 2h + 1 samples, which loses what varies faster.  A
 * smoother half as wide loses no more than half of that: of a smooth signal the
 * loss grows with the square of the width at least, and where power falls with
 * the frequency squared a half lies beyond twice the frequency.) */
static darc_status doubt_smoothing(double *lambda, const darc_weak *weak,
                                   const darc_weak *narrow, const double *c,
                                   const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weak_work *a = darc_weak_work_new(weak);
    darc_weak_work *b = darc_weak_work_new(narrow);
    *lambda = 0;
    for (int p = 0; p < weak->pieces; p++) {
        DARC_TRY(darc_budget_check(budget, err));
        DARC_TRY(add_smoothing(lambda, a, b, p, c, err));
    }
    *lambda = fmax(0, *lambda);
done:
    darc_weak_work_free(a);
    darc_weak_work_free(b);
    return status;
}

/* Whether a free constant takes up where a signal has its zero: a given one, as
 * of free fall, is a term like others, and so is one beside derivatives. */
static bool takes_up_origin(const darc_fit *f, int q)
{
    return !f->r.settled[q] && darc_origin_is_free(f->weak, q);
}

static darc_status measure_fit(darc_fit *f, const darc_question *x,
                               const darc_gls *fit, darc_err *err)
{
    int n = f->weak->coeffs;
    bool *input = darc_calloc((size_t)n, sizeof *input);
    int *offset = darc_calloc((size_t)f->r.equations, sizeof *offset);
    for (int q = 0; q < f->r.equations; q++)
        offset[q] = takes_up_origin(f, q) ? darc_origin_offset(f->weak, q) : -1;
    for (int q = 0; q < f->r.equations; q++)
        for (int j = f->weak->first[q]; j < f->weak->first[q + 1]; j++)
            input[j] = darc_regression_has_input(x, f->r.total + q,
                                                 j - f->weak->first[q]);
    darc_metric_clear(&f->metric);
    darc_metric_init(&f->metric, f->weak, fit->c, offset);
    for (int q = 0; q < f->r.equations; q++)
        darc_yardstick_clear(f->y + q);
    darc_point at = {.weak = f->weak, .c = fit->c, .metric = &f->metric};
    darc_status status =
        darc_yardstick_measure(f->y, fit, &at, input, x->budget, err);
    for (int q = 0; q < f->r.equations && status == DARC_OK; q++)
        f->rho[q] = darc_yardstick_rho(f->y + q);
    DARC_FREE(input, offset);
    return status;
}

/* Columns that hold the same samples are one measurement: what an equation
 * makes of the other it makes of noise that both share. */
static darc_status check_columns(darc_fit *f, const darc_table *table,
                                 darc_err *err)
{
    const int *column = f->r.column;
    for (int u = 0; u < f->r.unknowns; u++)
        for (int w = 0; w < u && column[u] >= 0; w++) {
            if (column[w] < 0 ||
                !darc_table_is_copy(table, column[u], table, column[w]))
                continue;
            f->r.idle = true;
            return darc_fail(err, DARC_DATA,
                             "%s: the signals '%s' and '%s' hold the same "
                             "samples: one of them was not measured",
                             table->file, table->signal[column[w]].name,
                             table->signal[column[u]].name);
        }
    return DARC_OK;
}

/* Fit with the narrower functions that more asks for; take that fit where it is
 * the test or not refused, and those functions where they are not refused. */
static darc_status refine(darc_fit *f, darc_gls_task *task,
                          const darc_question *x, const darc_weak_data *more,
                          double alpha, darc_err *err)
{
    darc_gls fit = {0};
    darc_weak *weak = NULL;
    darc_status status = DARC_OK;
    if (darc_follow_open(&weak, f, x, more->table, *more, NULL) != DARC_OK ||
        weak->support >= f->weak->support ||
        weak->functions > DARC_FIT_RICH_FUNCTIONS)
        goto done;
    task->weak = weak;
    if (darc_gls_fit(&fit, task, NULL) != DARC_OK) {
        status = darc_budget_check(x->budget, err);
        goto done;
    }
    bool holds = fit.p_value >= alpha;
    if (holds) {
        weak = f->weak;
        f->weak = (darc_weak *)task->weak;
    }
    if (holds || !more->fine) {
        darc_gls_clear(&f->white);
        f->white = fit;
        fit = (darc_gls){0};
    }
done:
    task->weak = f->weak;
    darc_weak_free(weak);
    darc_gls_clear(&fit);
    return status;
}

/* Set white to the fit to noise alone.  Where functions that reach up to the
 * harmonics are refused weak stays at the bulk of the power; finer ones, which
 * see noise and hum far above the signals too, refuse nothing. */
static darc_status fit_noise(darc_fit *f, darc_gls_task *task,
                             const darc_question *x, const darc_table *table,
                             double alpha, darc_err *err)
{
    darc_status status;
    darc_weak_data bulk = {.table = table,
                           .support = x->by->support,
                           .like = x->by->like,
                           .rich = 1};
    darc_weak_data more = {.table = table, .rich = DARC_FIT_RICH};
    DARC_TRY(darc_follow_open(&f->weak, f, x, table, bulk, err));
    DARC_TRY(darc_regression_vanishes(&f->r, f->weak, x, table, err));
    DARC_TRY(check_columns(f, table, err));
    task->weak = f->weak;
    DARC_TRY(darc_gls_fit(&f->white, task, err));
    if (f->white.p_value < DARC_FIT_SURE * alpha || x->by->support > 0 ||
        x->by->like != NULL)
        goto done;
    DARC_TRY(refine(f, task, x, &more, alpha, err));
    more.fine = true;
    if (f->white.p_value >= alpha)
        DARC_TRY(refine(f, task, x, &more, alpha, err));
done:
    return status;
}

/* Allow Q for what smoothing of estimated derivatives may have made. */
static darc_status allow_smoothing(darc_fit *f, const darc_question *x,
                                   const darc_table *table, darc_err *err)
{
    darc_gls *g = &f->white;
    darc_weak *narrow;
    if (!darc_weak_is_estimate(f->weak))
        return DARC_OK;
    darc_weak_data half = {.like = f->weak,
                           .margin = f->weak->margin,
                           .stretch = 0.5}; /* smoothers half as wide */
    DARC_NEED(darc_follow_open(&narrow, f, x, table, half, err));
    darc_status status =
        doubt_smoothing(&f->smoothing, f->weak, narrow, g->c, x->budget, err);
    if (status == DARC_OK)
        g->p_value =
            fmax(g->p_value, darc_stats_nchi2_sf(g->q, g->dof, f->smoothing));
    darc_weak_free(narrow);
    return status;
}

static darc_status fit_all(darc_fit *f, const darc_question *x,
                           const darc_table *table, double alpha, darc_err *err)
{
    int *model = darc_calloc((size_t)f->r.equations, sizeof *model);
    for (int q = 0; q < f->r.equations; q++)
        model[q] = f->r.total[q].coeffs;
    darc_gls_task task = {
        .model = model, .settled = f->r.settled, .budget = x->budget};
    darc_status status;
    bool stepped;
    darc_follow_begin(f, table);
    DARC_TRY(fit_noise(f, &task, x, table, alpha, err));
    DARC_TRY(darc_follow_steps(&stepped, f, &task, x, table, err));
    if (stepped) {
        darc_weak_free(f->weak);
        darc_gls_clear(&f->white);
        f->weak = NULL;
        task.start = NULL;
        DARC_TRY(fit_noise(f, &task, x, table, alpha, err));
    }
    DARC_TRY(measure_fit(f, x, &f->white, err));
    bool lacks = f->white.p_value < alpha;
    f->misfit = lacks || f->r.coloured >= 0;
    DARC_TRY(allow_smoothing(f, x, table, err));
    task.start = &f->white;
    if (f->misfit) {
        task.metric = &f->metric;
        task.rho = lacks ? f->rho : NULL; /* else noise gives the weights */
    }
    for (int p = 0; p < f->weak->pieces; p++)
        f->used += f->weak->piece[p].end - f->weak->piece[p].begin;
    if (f->misfit) {
        DARC_TRY(darc_gls_fit(&f->fit, &task, err));
        DARC_TRY(measure_fit(f, x, &f->fit, err));
    } else {
        f->fit = f->white;
    }
done:
    darc_free(model);
    return status;
}

darc_status darc_fit_question(darc_fit *f, const darc_question *x,
                              const darc_table *table, double alpha,
                              darc_err *err)
{
    *f = (darc_fit){.weak = NULL, .loud = 1};
    DARC_NEED(darc_regression_init(&f->r, x, table, err));
    f->y = darc_calloc((size_t)x->equations, sizeof *f->y);
    f->rho = darc_calloc((size_t)x->equations, sizeof *f->rho);
    DARC_NEED(fit_all(f, x, table, alpha, err));
    return DARC_OK;
}

void darc_fit_clear(darc_fit *f)
{
    for (int q = 0; q < f->r.equations && f->y != NULL; q++)
        darc_yardstick_clear(f->y + q);
    darc_metric_clear(&f->metric);
    darc_octaves_clear(&f->spectrum);
    if (f->fit.c != f->white.c)
        darc_gls_clear(&f->fit);
    darc_gls_clear(&f->white);
    darc_weak_free(f->weak);
    darc_regression_clear(&f->r);
    DARC_FREE(f->y, f->rho, f->spread);
    darc_cut_free(f->cut);
    *f = (darc_fit){0};
}

void darc_fit_replace(darc_fit *f, darc_fit *by)
{
    darc_fit_clear(f);
    *f = *by;
    *by = (darc_fit){.weak = NULL};
}

double darc_fit_likelier(const darc_fit *f, const darc_fit *other)
{
    const darc_gls *a = &f->white, *b = &other->white;
    return fmin(a->dof, b->dof) * log(a->q * b->dof / (b->q * a->dof));
}
