#include "terms/jumps.h"

#include "base/budget.h"
#include "base/mem.h"
#include "fit/cut.h"
#include "terms/levelled.h"
#include "terms/likelihood.h"
#include "terms/readings.h"
#include "terms/thresholds.h"

#include <math.h>

/* Fit what lies between the jumps of inputs.  Return whether that can be done;
 * else f is clear. */
static bool fit_between(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha, bool staircases)
{
    darc_cut *cut =
        darc_cut_new(x, table, staircases ? DARC_CUT_STAIRS : DARC_CUT_JUMPS);
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_regression r = {0};
    if (cut == NULL)
        return false;
    darc_status status = darc_levelled_between(&r, x, cut, table);
    by.known = r.noise;
    by.jumps = cut->jumps;
    y.by = &by;
    if (status == DARC_OK &&
        darc_fit_question(f, &y, &cut->table, alpha, NULL) == DARC_OK)
        f->cut = cut;
    else {
        darc_fit_clear(f);
        darc_cut_free(cut);
    }
    darc_regression_clear(&r);
    return f->cut != NULL;
}

/* Set whole to the fit of the whole recording, with the noise that is seen
 * between the jumps: the inputs that jump are held from each sample to the
 * next, or jump anywhere between two. */
static darc_status fit_across(darc_fit *whole, const darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              double alpha, bool held)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    by.edges |= !held;
    by.jumps = f->cut->jumps;
    by.known = f->r.noise;
    y.by = &by;
    bool *hold = darc_cut_hold(x, held ? by.jumps : NULL);
    by.held = hold;
    darc_status status = darc_fit_question(whole, &y, table, alpha, NULL);
    darc_free(hold);
    return status;
}

/* f fits what lies between jumps.  Where that is not refused, what the jumps
 * make says how simple the signals are.  Where it is, or that, inputs are held
 * that agree with it.  Else the whole recording says by how much it is refused;
 * where less than a tolerance does not matter, with what its own spectrum shows
 * of noise, and the functions that go with it: a defect of some percent. */
static void look_across(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha)
{
    darc_fit free, held = {.weak = NULL};
    bool refused = f->white.p_value < alpha;
    bool known = fit_across(&free, f, x, table, alpha, false) == DARC_OK;
    bool holds = known && free.white.p_value >= alpha;
    for (int q = 0; q < f->r.equations && holds && !refused; q++) {
        f->y[q].arbitrary = free.y[q].arbitrary;
        f->y[q].excited = free.y[q].excited;
    }
    if (holds && !refused)
        goto done;
    if (fit_across(&held, f, x, table, alpha, true) == DARC_OK &&
        held.white.p_value >= alpha) {
        darc_fit_replace(f, &held);
        goto done;
    }
    if (refused && x->by->tolerance > 0) {
        darc_fit_clear(&free);
        known = darc_fit_question(&free, x, table, alpha, NULL) == DARC_OK;
    }
    if (refused && known && free.white.p_value < alpha)
        darc_fit_replace(f, &free);
done:
    darc_fit_clear(&free);
    darc_fit_clear(&held);
}

/* Whether an input is taken to be held: a *staircase, or what a controller
 * computed. */
static bool is_found(bool *staircase, const darc_fit *f)
{
    bool found = false;
    *staircase = false;
    for (int u = 0; u < f->r.unknowns; u++)
        if (f->r.held[u] == DARC_HELD_FOUND) {
            found = true;
            *staircase =
                *staircase || f->r.noise[u].colour != DARC_COLOUR_COMPUTED;
        }
    return found;
}

/* Whether f explains less than the other does. */
static bool is_worse(const darc_fit *f, const darc_fit *other)
{
    const darc_gls *a = &f->white, *b = &other->white;
    return a->p_value < b->p_value ||
           (a->p_value == b->p_value && a->q * b->dof > b->q * a->dof);
}

/* Whether f holds an input that a controller computed. */
static bool is_computed(const darc_fit *f)
{
    bool computed = false;
    for (int u = 0; u < f->r.unknowns; u++)
        computed = computed || (f->r.held[u] != DARC_HELD_NOT &&
                                f->r.noise[u].colour == DARC_COLOUR_COMPUTED);
    return computed;
}

/* What a controller computed at a sample may act from the next on. */
static void look_later(darc_fit *f, const darc_question *x,
                       const darc_table *table, double alpha)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit late;
    by.shift = 1;
    y.by = &by;
    if (!is_computed(f) ||
        darc_levelled_fit(&late, &y, table, alpha, NULL) != DARC_OK)
        return;
    late.late = true;
    if (is_worse(f, &late))
        darc_fit_replace(f, &late);
    darc_fit_clear(&late);
}

/* Whether held inputs change at the samples, rather than between them, half a
 * sample earlier on average: that is not likelier by far, beside noise of this
 * shape and any size. */
static bool is_sampled(const darc_fit *f, const darc_question *x,
                       const darc_table *table, double alpha)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit early;
    by.shift = -0.5;
    by.known = f->r.noise;
    by.level = true;
    by.like = f->weak;
    y.by = &by;
    if (f->cut != NULL ||
        darc_fit_question(&early, &y, table, alpha, NULL) != DARC_OK)
        return false;
    bool sampled = !(darc_likelihood_likelier(f, &early) > DARC_EDGES_SHOWN);
    darc_fit_clear(&early);
    return sampled;
}

/* A staircase need not change at the samples: where that is refused, and less
 * likely than half a sample earlier, its edges are taken to be anywhere between
 * them.  What a controller computed is held, or a line between samples,
 * whichever explains more. */
static darc_status fit_as_seen(darc_fit *f, const darc_question *x,
                               const darc_table *table, double alpha,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    bool staircase;
    *f = (darc_fit){.weak = NULL};
    if (fit_between(f, x, table, alpha, false)) {
        look_across(f, x, table, alpha);
    } else {
        DARC_NEED(darc_budget_check(x->budget, err));
        status = darc_levelled_fit(f, x, table, alpha, err);
    }
    if (status != DARC_OK)
        return status;
    look_later(f, x, table, alpha);
    bool told = darc_readings_take(f, x, table, alpha);
    bool found = is_found(&staircase, f);
    bool refused = f->white.p_value < alpha;
    if (told || (refused && !found))
        return DARC_OK;
    if (!refused && !(found && f->r.coloured >= 0))
        return DARC_OK; /* beside noise of any size nothing is refused */
    if (staircase && is_sampled(f, x, table, alpha))
        return DARC_OK;
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit held = *f;
    *f = (darc_fit){.weak = NULL};
    y.by = &by;
    by.edges = true;
    if (fit_between(f, &y, table, alpha, true)) {
        look_across(f, &y, table, alpha);
    } else if (refused || staircase) {
        status = darc_fit_question(f, &y, table, alpha, err);
        f->torn = f->torn || staircase;
        if (status == DARC_OK && !staircase && is_worse(f, &held))
            darc_fit_replace(f, &held);
    } else {
        *f = held;
        return DARC_OK;
    }
    darc_fit_clear(&held);
    return status;
}

/* An input of small steps may be a staircase. */
darc_status darc_fit_init(darc_fit *f, const darc_question *x,
                          const darc_table *table, double alpha, darc_err *err)
{
    DARC_NEED(fit_as_seen(f, x, table, alpha, err));
    bool *small = darc_calloc((size_t)f->r.unknowns, sizeof *small);
    if (darc_readings_mark_small(small, f, x, table)) {
        darc_question y = *x;
        darc_criteria by = *x->by;
        darc_fit other = {.weak = NULL};
        by.small = small;
        y.by = &by;
        if (fit_as_seen(&other, &y, table, alpha, NULL) == DARC_OK &&
            darc_readings_are_stairs(&other, x, table, small))
            darc_fit_replace(f, &other);
        darc_fit_clear(&other);
    }
    darc_free(small);
    return DARC_OK;
}
