#include "fit/follow.h"

#include "base/budget.h"
#include "base/mem.h"
#include "fit/changes.h"
#include "fit/errors.h"
#include "fit/thresholds.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

darc_status darc_follow_open(darc_weak **weak, const darc_fit *f,
                             const darc_question *x, const darc_table *table,
                             darc_weak_data data, darc_err *err)
{
    int n = f->r.equations;
    const darc_total_struct **total = darc_calloc((size_t)n, sizeof *total);
    for (int q = 0; q < n; q++)
        total[q] = f->r.total + q;
    data.table = table;
    data.signal = f->r.signal;
    data.channel = f->r.channel;
    data.channels = f->r.channels;
    data.steps = f->r.steps;
    data.threads = x->by->threads;
    darc_status status = darc_weak_new(weak, total, n, &data, err);
    darc_free(total);
    return status;
}

/* Whether an output lies on one side of a step. */
static bool has_side(const darc_fit *f, const darc_steps *s,
                     const darc_table *table, int u)
{
    darc_weak_data data = {.table = table, .signal = f->r.signal};
    return f->r.column[u] >= 0 &&
           darc_steps_has_side(s, &data, f->r.total, f->r.equations, u);
}

/* An output that jumps with the input is sampled with it: until it is known by
 * how much, neither is corrected, which leaves both alike. */
void darc_follow_begin(darc_fit *f, const darc_table *table)
{
    darc_regression *r = &f->r;
    darc_steps *s = darc_steps_new(table, r->signal, r->unknowns);
    bool any = false;
    for (int u = 0; u < r->unknowns && s != NULL; u++)
        any = any || has_side(f, s, table, u);
    darc_steps_free(s);
    darc_steps_free(r->steps);
    r->steps = any ? darc_steps_none(r->unknowns) : NULL;
}

/* Return the largest change of a coefficient, in standard deviations; HUGE_VAL
 * where none has any: the fit broke down. */
static double change(const darc_gls *a, const double *c)
{
    double most = -1;
    for (int j = 0; j < a->coeffs; j++) {
        double sd = sqrt(a->cov[j * (a->coeffs + 1)]);
        if (a->free[j] && sd > 0)
            most = fmax(most, fabs(a->c[j] - c[j]) / sd);
    }
    return most < 0 ? HUGE_VAL : most;
}

/* Return the steps, with outputs that follow as the coefficients say; twice
 * where the places of steps depend on how outputs bend. */
static darc_steps *steps_by(const darc_regression *r, const bool *before,
                            const int *first, const double *c,
                            const darc_table *table)
{
    darc_weak_data data = {.table = table, .signal = r->signal};
    darc_steps *s = NULL;
    for (int i = 0; i < 2; i++) {
        if (i > 0 && !darc_changes_place(r, s, table))
            break;
        darc_steps_free(s);
        s = darc_steps_new(table, r->signal, r->unknowns);
        if (s == NULL)
            break;
        memcpy(s->before, before, (size_t)r->unknowns * sizeof *s->before);
        darc_steps_follow(s, &data, r->total, r->equations, first, c);
    }
    return s;
}

/* What is followed. */
typedef struct {
    darc_fit *f;
    const darc_gls_task *task;
    const darc_question *x;
    const darc_table *table;
} following;

/* Fit with the steps that follow from the coefficients c: r->steps. */
static darc_status fit_with(darc_gls *next, const following *w,
                            const bool *before, const darc_gls *from,
                            const double *c, darc_err *err)
{
    darc_regression *r = &w->f->r;
    darc_weak_data like = {.like = w->f->weak};
    darc_weak *weak = NULL;
    darc_gls_task again = *w->task;
    darc_steps_free(r->steps);
    r->steps = steps_by(r, before, from->first, c, w->table);
    darc_status status =
        darc_follow_open(&weak, w->f, w->x, w->table, like, err);
    again.weak = weak;
    again.start = from;
    again.quiet = true;
    if (status == DARC_OK)
        status = darc_gls_fit(next, &again, err);
    darc_weak_free(weak);
    return status;
}

/* Set fit and r->steps to where both agree, from `fit` on: steps by
 * coefficients that go the whole way to those that are fitted with them, or a
 * part of it, where the way does not become shorter; back half of it, where
 * these steps leave more than those before.  fit->q: HUGE_VAL, where no such
 * place is found. */
static darc_status follow(darc_gls *fit, const following *w, const bool *before,
                          darc_err *err)
{
    size_t n = (size_t)fit->coeffs;
    double *by = darc_calloc(2 * n + 2, sizeof *by), *from = by + n + 1;
    double part = 1, last = HUGE_VAL, most = HUGE_VAL;
    bool back = false;
    darc_status status = DARC_OK;
    memcpy(by, fit->c, n * sizeof *by);
    for (int i = 0; part > DARC_FOLLOW_LEAST && i < DARC_FOLLOW_TURNS &&
                    (back || last >= DARC_FOLLOW_DONE);
         i++) {
        darc_gls next = {0};
        DARC_TRY(darc_budget_check(w->x->budget, err));
        status = fit_with(&next, w, before, fit, by, err);
        back = status == DARC_DATA || (status == DARC_OK && next.q > most);
        if (back && i > 0) {
            status = DARC_OK;
            darc_gls_clear(&next);
            part *= 0.5;
        } else {
            DARC_TRY(status);
            double moved = change(&next, by);
            part *= moved > DARC_FOLLOW_SHORTER * last ? 0.5 : 1;
            last = moved;
            most = DARC_FOLLOW_MORE * next.q;
            memcpy(from, by, n * sizeof *by);
            darc_gls_clear(fit);
            *fit = next;
        }
        for (size_t j = 0; j < n; j++)
            by[j] = from[j] + part * (fit->c[j] - from[j]);
    }
    if (back || last > DARC_FOLLOW_LOST)
        fit->q = HUGE_VAL;
done:
    darc_free(by);
    return status;
}

/* Where samples at steps lie of which the model does not say it; last, where it
 * does, the other way round. */
enum { BEHIND, BEFORE, CONTRARY, WAYS };

/* Return the outputs whose samples lie before steps; *another: it is not as in
 * the ways before.  Of those, `best` is the likeliest. */
static bool *sides(bool *another, const following *w, const darc_steps *s,
                   int way, const darc_steps *best)
{
    const darc_fit *f = w->f;
    bool *side = darc_calloc((size_t)f->r.unknowns + 1, sizeof *side);
    *another = way == BEHIND;
    for (int u = 0; u < f->r.unknowns; u++) {
        int said = darc_model_side(w->x->model, u);
        if (!has_side(f, s, w->table, u) || (way == CONTRARY && best == NULL))
            continue;
        if (said != 0)
            side[u] = (said < 0) != (way == CONTRARY);
        else
            side[u] = way == CONTRARY ? best->before[u] : way == BEFORE;
        *another = *another || (said != 0) == (way == CONTRARY);
    }
    return side;
}

/* Fit with samples on these sides: r->steps, and q, what is left; HUGE_VAL:
 * none fits. */
static darc_status fit_sides(double *q, const following *w, const bool *side,
                             darc_err *err)
{
    darc_gls fit = {0};
    darc_gls_task from = *w->task;
    from.start = &w->f->white;
    from.stay = true;
    from.quiet = true;
    darc_status status = darc_gls_fit(&fit, &from, err);
    if (status == DARC_OK)
        status = follow(&fit, w, side, err);
    *q = status == DARC_OK ? fit.q : HUGE_VAL;
    darc_gls_clear(&fit);
    return status == DARC_DATA ? DARC_OK : status;
}

/* Set r->steps to those of the likeliest sides. */
static darc_status choose_sides(const following *w, const darc_steps *s,
                                darc_err *err)
{
    darc_fit *f = w->f;
    darc_regression *r = &f->r;
    darc_steps *origin = r->steps, *best = NULL; /* f->weak still has it */
    darc_status status = DARC_OK;
    double least = HUGE_VAL;
    r->steps = NULL;
    for (int way = 0; way < WAYS && status == DARC_OK; way++) {
        double q = HUGE_VAL;
        bool another, *side = sides(&another, w, s, way, best);
        if (another && way == CONTRARY)
            f->contrary = fit_sides(&q, w, side, NULL) == DARC_OK &&
                          f->white.dof * log(least / q) > DARC_FOLLOW_CONTRARY;
        else if (another)
            status = fit_sides(&q, w, side, err);
        darc_free(side);
        if (status == DARC_OK && way != CONTRARY && q < least) {
            least = q;
            darc_steps_free(best);
            best = r->steps;
            r->steps = NULL;
        }
    }
    darc_steps_free(origin);
    darc_steps_free(r->steps);
    r->steps = best;
    f->torn = best == NULL;
    return status;
}

darc_status darc_follow_steps(bool *stepped, darc_fit *f,
                              const darc_gls_task *task, const darc_question *x,
                              const darc_table *table, darc_err *err)
{
    darc_regression *r = &f->r;
    darc_weak_data data = {.table = table, .signal = f->r.signal};
    darc_steps *s = darc_steps_new(table, r->signal, r->unknowns);
    *stepped = s != NULL && s->count > 0 &&
               darc_steps_follow(s, &data, r->total, r->equations,
                                 f->white.first, f->white.c);
    darc_steps_free(s);
    if (!*stepped)
        return DARC_OK;
    s = darc_steps_new(table, r->signal, r->unknowns);
    const following w = {f, task, x, table};
    darc_status status = choose_sides(&w, s, err);
    darc_steps_free(s);
    return status;
}

darc_status darc_follow_colour(darc_weak **weak, darc_steps **steps,
                               darc_fit *f, const darc_question *x,
                               const darc_table *table, darc_err *err)
{
    darc_regression *r = &f->r;
    darc_weak_data like = {.like = f->weak};
    darc_octaves spectrum = {0};
    double loud;
    *weak = NULL;
    *steps = NULL;
    darc_status status =
        darc_errors_take(&f->fit, &loud, &spectrum, f->weak, x->budget, err);
    darc_octaves_clear(&spectrum);
    if (status != DARC_OK || !(loud > 0))
        return status;
    darc_steps *origin = r->steps;
    *steps = r->steps = darc_follow_like(f, r, table);
    status = darc_follow_open(weak, f, x, table, like, NULL);
    r->steps = origin;
    if (status != DARC_OK) { /* it stays as it is */
        darc_steps_free(*steps);
        *steps = NULL;
    }
    return DARC_OK;
}

static bool jumps(const darc_steps *s, int u)
{
    bool any = false;
    for (size_t k = 0; s->jump[u] != NULL && k < s->count && !any; k++)
        any = s->jump[u][k] != 0;
    return any;
}

bool darc_follow_jumps(const darc_fit *f, int u)
{
    return f->r.steps != NULL && f->r.column[u] >= 0 && jumps(f->r.steps, u);
}

darc_steps *darc_follow_like(const darc_fit *f, const darc_regression *r,
                             const darc_table *table)
{
    return f->r.steps == NULL
               ? NULL
               : steps_by(r, f->r.steps->before, f->fit.first, f->fit.c, table);
}
