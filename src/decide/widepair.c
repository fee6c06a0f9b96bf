#include "decide/widepair.h"

#include "base/mem.h"
#include "decide/pair.h"
#include "decide/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the recordings --------------------------------------------------------
 */

/* Count the directions that recording i leaves; where it leaves none, there is
 * nothing to compare. */
static darc_status look_at(darc_widepair *p, int i, darc_err *err)
{
    darc_nullity f;
    double alpha = p->x->by->alpha * DARC_PAIR_GATE;
    darc_status status = darc_nullity_find(&f, &p->side[i].columns, alpha, err);
    p->free[i] = f.free;
    darc_nullity_clear(&f);
    if (status != DARC_OK || p->free[i] > 0)
        return status;
    darc_decision_say(&p->why, DARC_UNDECIDED,
                      "recording %c moves all %d terms independently of each "
                      "other: no coefficients fit it, and there are none to "
                      "compare",
                      'A' + i, p->terms);
    p->settled = true;
    return DARC_OK;
}

static darc_status open_sides(darc_widepair *p,
                              const darc_table *const table[2], darc_err *err)
{
    darc_status status = DARC_OK;
    for (int i = 0; i < 2 && status == DARC_OK; i++)
        status = darc_wideside_init(p->side + i, p->x, table[i], i, err);
    if (status == DARC_OK &&
        darc_regression_are_copies(&p->side[0].r, p->x, table)) {
        darc_decision_refuse_copies(&p->why);
        p->settled = true;
    }
    for (int i = 0; i < 2 && status == DARC_OK && !p->settled; i++)
        status = look_at(p, i, err);
    return status;
}

darc_status darc_widepair_init(darc_widepair *p, const darc_question *x,
                               const darc_table *const table[2], darc_err *err)
{
    darc_err why;
    darc_err_init(&why);
    *p = (darc_widepair){
        .x = x,
        .terms = (int)darc_question_equation(x, 0)->part->count,
        .free = {-1, -1},
        .why = darc_decision_none(x->by->alpha, x->by->tolerance)};
    darc_status status = open_sides(p, table, &why);
    if (status == DARC_DATA && (p->side[0].r.idle || p->side[1].r.idle)) {
        darc_decision_say(&p->why, DARC_UNDECIDED, "%s", why.message);
        p->settled = true;
        status = DARC_OK;
    }
    if (status != DARC_OK) {
        darc_fail(err, status, "%s", why.message);
        darc_widepair_clear(p);
    }
    return status;
}

void darc_widepair_clear(darc_widepair *p)
{
    darc_wideside_clear(p->side);
    darc_wideside_clear(p->side + 1);
    *p = (darc_widepair){.settled = false};
}

/* Let d be undecided again where a misfit may have other reasons. */
static void doubt(darc_decision *d, const darc_widepair *p)
{
    for (int i = 0; i < 2; i++)
        darc_wideside_doubt(d, p->side + i);
}

/* ---- all coefficients ------------------------------------------------------
 */

/* Changes of n coefficients by the fraction t move W c by t times the sum of
 * their terms at most, which is t sqrt(n) times the root of c'Gc. */
static double least_change(const darc_nullity *f, int n)
{
    return f->low / sqrt((double)n);
}

static void set_numbers(darc_decision *d, const darc_nullity *f, int tests)
{
    d->statistic = f->value[0];
    d->dof = f->dof;
    d->p_value = fmin(1, tests * f->p_value);
}

/* Decide by both recordings together. */
static void decide_equal(darc_decision *d, const darc_nullity *f,
                         const darc_widepair *p)
{
    int n = p->terms;
    const int *free = p->free;
    double t = d->tolerance, change = least_change(f, n);
    set_numbers(d, f, 1);
    d->detectable = f->free <= 1 ? f->detectable : NAN;
    if (f->free == 0)
        d->defect_low = change;
    if (f->free == 0 && (t == 0 || change > t))
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "the parameters differ: coefficients of the %d terms fit either "
            "recording, but none fit both; some change by at least %.2g %%",
            n, 100 * change);
    else if (f->free == 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "no coefficients fit both recordings, but that some change by "
            "more than the tolerance of %.3g %% is not shown",
            100 * t);
    else if (f->free > 1 || free[0] > 1 || free[1] > 1)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "%d terms, of which recording A moves %d independent ones beyond "
            "its noise, B %d, both together %d: some coefficients fit both, "
            "and a change in the other directions is not seen",
            n, n - free[0], n - free[1], n - f->free);
    else if (f->detectable > (t > 0 ? t : DARC_MEANING))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing shows a change, but one that moves the equation by less "
            "than %.2g %% of its leading term would not have been found",
            100 * f->detectable);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the parameters are the same: the same coefficients fit both "
            "recordings; a change that moves the equation by %.2g %% of its "
            "leading term would have been found",
            100 * f->detectable);
}

darc_status darc_widepair_equal(darc_decision *d, const darc_widepair *p,
                                darc_err *err)
{
    darc_nullity f;
    darc_moments both;
    *d = p->why;
    if (p->settled)
        return DARC_OK;
    darc_moments_stack(&both, &p->side[0].columns, &p->side[1].columns, NULL);
    darc_status status = darc_nullity_find(&f, &both, p->x->by->alpha, err);
    if (status == DARC_OK) {
        decide_equal(d, &f, p);
        doubt(d, p);
    }
    darc_nullity_clear(&f);
    darc_moments_clear(&both);
    return status;
}

/* ---- classes of coefficients -----------------------------------------------
 */

typedef struct {
    slong least;
    int size;
} class;

static int by_size(const void *a, const void *b)
{
    const class *x = a, *y = b;
    if (x->size != y->size)
        return y->size - x->size;
    return (x->least > y->least) - (x->least < y->least);
}

/* Set list (terms places) to the classes, large ones first, and to empty ones
 * behind them. */
static void list_classes(class *list, const slong *least, slong first,
                         int terms)
{
    for (int j = 0; j < terms; j++)
        list[j] = (class){least[j], 0};
    for (int j = 0; j < terms; j++)
        list[least[j] - first].size++;
    qsort(list, (size_t)terms, sizeof *list, by_size);
}

/* Mark the terms of class k; return whether both recordings with these shared
 * can be looked at. */
static bool share(bool *shared, const class *k, const slong *least,
                  const darc_widepair *p)
{
    for (int j = 0; j < p->terms; j++)
        shared[j] = least[j] == k->least;
    return 2 * p->terms - k->size <= DARC_WIDE_TERMS &&
           darc_moments_stack_size(&p->side[0].columns, &p->side[1].columns,
                                   shared) <= DARC_WIDE_NUMBERS;
}

/* A vector that fits both recordings exists in any case where they leave more
 * directions together than the class has coefficients. */
static bool can_tell(const class *k, const darc_widepair *p)
{
    return k->size > 1 && p->free[0] + p->free[1] <= k->size;
}

/* Look whether both recordings can share the coefficients of class k, one of
 * `tests`; d keeps the clearest answer. */
static darc_status try_class(darc_decision *d, const class *k,
                             const bool *shared, int tests,
                             const darc_widepair *p, darc_err *err)
{
    darc_nullity f;
    darc_moments both;
    darc_status status = darc_budget_check(p->x->budget, err);
    if (status != DARC_OK)
        return status;
    darc_moments_stack(&both, &p->side[0].columns, &p->side[1].columns, shared);
    status = darc_nullity_find(&f, &both, p->x->by->alpha / tests, err);
    darc_moments_clear(&both);
    if (status != DARC_OK)
        goto done;
    double change = least_change(&f, k->size);
    bool rejected = f.free == 0 && (d->tolerance == 0 || change > d->tolerance);
    bool clearer = isnan(d->p_value) || tests * f.p_value < d->p_value;
    if (clearer)
        set_numbers(d, &f, tests);
    if (rejected && (clearer || d->verdict != DARC_INCONSISTENT)) {
        d->defect_low = change;
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "others have changed besides: such a change leaves the ratios of "
            "%d of the %d coefficients alone, and none that fit both "
            "recordings do; some change by at least %.2g %%",
            k->size, p->terms, 100 * change);
    }
done:
    darc_nullity_clear(&f);
    return status;
}

/* Say why nothing was shown; largest: of the classes. */
static void decide_open(darc_decision *d, const darc_widepair *p, int largest,
                        int tests)
{
    int n = p->terms;
    if (d->verdict == DARC_INCONSISTENT)
        return;
    if (largest < 2)
        darc_decision_say(d, DARC_UNDECIDED,
                          "such a change leaves no ratio of the %d "
                          "coefficients alone: what it leaves is not known",
                          n);
    else if (tests == 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "such a change leaves the ratios of at most %d of the %d "
            "coefficients alone, and recording A moves %d of the terms "
            "independently, B %d: %s",
            largest, n, n - p->free[0], n - p->free[1],
            p->free[0] + p->free[1] > largest
                ? "too few to tell"
                : "together that is more than can be computed");
    else
        darc_decision_say(
            d, DARC_UNDECIDED,
            "no other change is seen: coefficients fit both recordings whose "
            "ratios are the same where such a change leaves them alone (%d of "
            "%d at most; recording A moves %d of the terms independently, B "
            "%d); but what else the model binds is not tested",
            largest, n, n - p->free[0], n - p->free[1]);
}

darc_status darc_widepair_changed(darc_decision *d, const darc_widepair *p,
                                  const slong *least, slong first,
                                  darc_err *err)
{
    darc_status status = DARC_OK;
    int n = p->terms, tests = 0;
    *d = p->why;
    if (p->settled)
        return DARC_OK;
    class *list = darc_calloc((size_t)n, sizeof *list);
    bool *shared = darc_calloc((size_t)n, sizeof *shared);
    least += first;
    list_classes(list, least, first, n);
    for (int k = 0; k < n && k < DARC_WIDE_CLASSES; k++)
        tests += can_tell(list + k, p) && share(shared, list + k, least, p);
    for (int k = 0; k < n && k < DARC_WIDE_CLASSES && list[0].size < n; k++)
        if (can_tell(list + k, p) && share(shared, list + k, least, p))
            DARC_TRY(try_class(d, list + k, shared, tests, p, err));
    if (list[0].size == n)
        DARC_TRY(darc_widepair_equal(d, p, err));
    else
        decide_open(d, p, list[0].size, tests);
    doubt(d, p);
done:
    darc_free(list);
    darc_free(shared);
    return status;
}
