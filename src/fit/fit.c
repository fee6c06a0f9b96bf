#include "fit/fit.h"

#include "base/budget.h"
#include "base/mem.h"
#include "fit/cut.h"
#include "fit/follow.h"
#include "fit/smoothing.h"
#include "fit/thresholds.h"
#include "stats/stats.h"
#include "weak/origin.h"
#include "weak/steps.h"
#include "weak/system.h"

#include <math.h>
#include <string.h>

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

/* Allow Q for what smoothing of estimated derivatives may have made: to is that
 * of the fit to noise alone. */
static darc_status allow_smoothing(darc_smoothing *to, darc_fit *f,
                                   const darc_weak *narrow,
                                   const darc_budget *budget, darc_err *err)
{
    darc_gls *g = &f->white;
    darc_point at = {.weak = f->weak, .c = g->c};
    if (narrow == NULL)
        return DARC_OK;
    DARC_NEED(darc_smoothing_take(to, &at, narrow, budget, err));
    f->smoothing = to->made;
    g->p_value =
        fmax(g->p_value, darc_stats_nchi2_sf(g->q, g->dof, f->smoothing));
    return DARC_OK;
}

/* Whether derivatives of held signals are smoothed: what is lost of their steps
 * is no bound of what others lose. */
static bool smooths_steps(const darc_fit *f)
{
    bool any = false;
    for (int v = 0; v < f->weak->vars; v++)
        any = any || (f->weak->var[v].half > 0 &&
                      f->r.signal[f->weak->var[v].deriv.unknown].held);
    return any;
}

/* Set f->shift to what smoothing may have moved the coefficients by. */
static darc_status shift_by_smoothing(darc_smoothing *from, darc_fit *f,
                                      const darc_weak *narrow,
                                      const darc_gls_task *task, darc_err *err)
{
    darc_point at = {.weak = f->weak,
                     .c = f->fit.c,
                     .metric = task->metric,
                     .rho = task->rho};
    if (narrow == NULL || smooths_steps(f))
        return DARC_OK;
    if (f->misfit)
        DARC_NEED(darc_smoothing_take(from, &at, narrow, task->budget, err));
    f->shift = darc_calloc((size_t)f->fit.coeffs, sizeof *f->shift);
    darc_smoothing_shift(f->shift, from, &f->fit);
    return DARC_OK;
}

/* Set fit to that of the coefficients, from white on, which is fitted. */
static darc_status fit_misfit(darc_fit *f, darc_gls_task *task,
                              const darc_question *x, double alpha,
                              darc_err *err)
{
    DARC_NEED(measure_fit(f, x, &f->white, err));
    bool lacks = f->white.p_value < alpha;
    f->misfit = lacks || f->r.coloured >= 0;
    task->start = &f->white;
    if (f->misfit) {
        task->metric = &f->metric;
        task->rho = lacks ? f->rho : NULL; /* else noise gives the weights */
        DARC_NEED(darc_gls_fit(&f->fit, task, err));
        DARC_NEED(measure_fit(f, x, &f->fit, err));
    } else {
        f->fit = f->white;
    }
    return DARC_OK;
}

/* The same again where outputs jump as coefficients say that were fitted as if
 * noise were white, which it is not; where that cannot be fitted all stays. */
static darc_status fit_colour(darc_fit *f, darc_gls_task *task,
                              const darc_question *x, const darc_table *table,
                              double alpha, darc_err *err)
{
    darc_weak *weak = NULL;
    darc_steps *steps = NULL;
    darc_gls white = {0};
    darc_gls_task again = {
        .model = task->model, .settled = task->settled, .budget = task->budget};
    if (f->misfit && f->r.coloured >= 0)
        DARC_NEED(darc_follow_colour(&weak, &steps, f, x, table, err));
    again.weak = weak;
    if (weak == NULL || darc_gls_fit(&white, &again, NULL) != DARC_OK) {
        darc_weak_free(weak);
        darc_steps_free(steps);
        darc_gls_clear(&white);
        return darc_budget_check(x->budget, err);
    }
    darc_weak_free(f->weak);
    darc_steps_free(f->r.steps);
    darc_gls_clear(&f->fit);
    darc_gls_clear(&f->white);
    f->weak = weak;
    f->r.steps = steps;
    f->white = white;
    *task = again;
    return fit_misfit(f, task, x, alpha, err);
}

static darc_status fit_all(darc_fit *f, const darc_question *x,
                           const darc_table *table, double alpha, darc_err *err)
{
    int *model = darc_calloc((size_t)f->r.equations, sizeof *model);
    for (int q = 0; q < f->r.equations; q++)
        model[q] = f->r.total[q].coeffs;
    darc_gls_task task = {
        .model = model, .settled = f->r.settled, .budget = x->budget};
    darc_smoothing smoothing = {0};
    darc_weak *narrow = NULL;
    darc_weak_data half = {.stretch = 0.5}; /* smoothers half as wide */
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
    DARC_TRY(fit_misfit(f, &task, x, alpha, err));
    if (stepped)
        DARC_TRY(fit_colour(f, &task, x, table, alpha, err));
    half.like = f->weak;
    half.margin = f->weak->margin;
    if (darc_weak_is_estimate(f->weak))
        DARC_TRY(darc_follow_open(&narrow, f, x, table, half, err));
    DARC_TRY(allow_smoothing(&smoothing, f, narrow, x->budget, err));
    for (int p = 0; p < f->weak->pieces; p++)
        f->used += f->weak->piece[p].end - f->weak->piece[p].begin;
    DARC_TRY(shift_by_smoothing(&smoothing, f, narrow, &task, err));
done:
    darc_smoothing_clear(&smoothing);
    darc_weak_free(narrow);
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
    DARC_FREE(f->y, f->rho, f->shift, f->spread);
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
