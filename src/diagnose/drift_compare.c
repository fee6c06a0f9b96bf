#include "diagnose/drift_compare.h"

#include "base/mem.h"
#include "coefficient/ratio.h"
#include "decide/pair.h"
#include "diagnose/drift_sequence.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void follow_functions(darc_drift *out, darc_followed *f,
                             const darc_drift_comparison *c, int q, int k)
{
    const darc_question *x = c->x;
    const darc_drift_parameters *by = c->by_parameters;
    const darc_estimates_equation *eq = c->fit[c->reference]->eq + q;
    *f = (darc_followed){.q = q, .k = k, .j = eq->first + k, .factor = 1};
    if (by != NULL) {
        f->vanishing = by->vanishing(by->user, k);
        out->equation[out->functions] = 0;
        out->function[out->functions++] = darc_strdup(by->name(by->user, k));
        return;
    }
    int e = x->equation[q];
    darc_text_t t;
    darc_text_init(t);
    f->vanishing = darc_ratio_may_vanish(x->model, x->io, e, k);
    darc_ratio_print(t, x->io, e, k, eq->reference - eq->first, &f->factor);
    out->equation[out->functions] = e;
    out->function[out->functions++] = darc_text_take(t);
    darc_text_clear(t);
}

static bool is_useless(const darc_estimates *e)
{
    char why[256];
    return darc_reading_is_useless(e, why, sizeof why);
}

/* The value at which the term of a function would be as large as the largest
 * one; 0 where that is not known. */
static double leading_size(const darc_estimates *e, const darc_followed *f)
{
    double share = e->eq[f->q].share[f->k];
    return share > 0 ? fabs(e->c[f->j]) / share : 0;
}

/* Set the size of a function to its mean over all recordings. */
static void find_size(darc_followed *f, const darc_drift_comparison *c)
{
    double sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (int i = 0; i < c->recordings; i++) {
        if (c->fit[i] == NULL || is_useless(c->fit[i]))
            continue;
        double size[2] = {fabs(c->fit[i]->c[f->j]),
                          f->vanishing ? leading_size(c->fit[i], f) : 0};
        for (int k = 0; k < 2; k++)
            if (size[k] > 0 && isfinite(size[k])) {
                sum[k] += size[k];
                count[k]++;
            }
    }
    int k = count[1] > 0;
    f->size = count[k] > 0 ? sum[k] / count[k] : 1;
}

/* Whether the reference tells coefficient j, or where they are parameters a
 * recording does. */
static bool is_told(const darc_drift_comparison *c, int j)
{
    bool told = c->fit[c->reference]->free[j];
    for (int i = 0; i < c->recordings && c->by_parameters != NULL; i++)
        told = told || (c->fit[i] != NULL && c->fit[i]->free[j]);
    return told;
}

/* Return the functions of out, to be freed. */
static darc_followed *list_functions(darc_drift *out,
                                     const darc_drift_comparison *c)
{
    const darc_estimates *e = c->fit[c->reference];
    size_t n = (size_t)e->coeffs;
    darc_followed *f = darc_calloc(n, sizeof *f);
    DARC_CALLOC(n, out->function, out->equation);
    for (int q = 0; q < e->equations; q++)
        for (int k = 0; k < e->eq[q].coeffs; k++)
            if (is_told(c, e->eq[q].first + k))
                follow_functions(out, f + out->functions, c, q, k);
    for (int j = 0; j < out->functions; j++)
        find_size(f + j, c);
    return f;
}

static darc_verdict judge_structure(const darc_estimates *e,
                                    const darc_drift_comparison *c)
{
    double least = 0, most = 0, tolerance = c->x->by->tolerance;
    if (c->by_parameters != NULL)
        return c->by_parameters->structure(c->by_parameters->user, e);
    for (int q = 0; q < e->equations; q++) {
        const darc_defect *d = &e->eq[q].defect;
        least = fmax(least, d->low);
        most = fmax(most, fmax(d->high, d->high_input));
    }
    if (darc_reading_fails(e, tolerance))
        return least <= tolerance || e->coarse ||
                       (e->coloured && !(tolerance > 0))
                   ? DARC_UNDECIDED
                   : DARC_INCONSISTENT;
    return tolerance > 0 && most > tolerance ? DARC_UNDECIDED : DARC_CONSISTENT;
}

static double sd_of(const darc_estimates *e, int j)
{
    return sqrt(e->cov[j * (e->coeffs + 1)]);
}

/* (y - x)/x and its standard deviation, for independent x and y. */
static void set_relative(darc_change *d, double x, double sd_x, double y,
                         double sd_y)
{
    d->relative = (y - x) / x;
    d->relative_sd = hypot(sd_y / x, y / x * (sd_x / x));
}

/* The p-value of a change, for what exceeds that which does not count. */
static double p_of(const darc_drift_test *t, double error_dof)
{
    double z = fmax(0, fabs(t->log) - t->ignored) / t->log_sd;
    if (isnan(t->log) || isnan(z))
        return NAN;
    return 2 * darc_stats_error_sf(z, error_dof);
}

/* Logarithms where a ratio is clear of 0, and keeps its sign. */
static void set_change(darc_change *d, darc_drift_test *t, const darc_pair *p,
                       const darc_followed *f, const double *slack)
{
    const darc_estimates *a = p->a, *b = p->b;
    double x = a->c[f->j], sd_x = sd_of(a, f->j);
    double y = b->c[f->j], sd_y = sd_of(b, f->j);
    double size = (fabs(x) + fabs(y)) / 2;
    bool clear = !f->vanishing && x * y > 0 &&
                 fabs(x) > DARC_DRIFT_CLEAR * sd_x &&
                 fabs(y) > DARC_DRIFT_CLEAR * sd_y;
    if (f->vanishing)
        size = f->size;
    d->value = y;
    d->sd = sd_y;
    t->log = clear ? log(y / x) : (y - x) / size;
    t->log_sd = clear ? hypot(sd_x / x, sd_y / y) : hypot(sd_x, sd_y) / size;
    t->ignored = (slack[f->j] + slack[a->coeffs + f->j]) / size;
    d->relative = t->log;
    d->relative_sd = t->log_sd;
    if (!f->vanishing)
        set_relative(d, x, sd_x, y, sd_y);
    d->p_value = a == b ? 1 : p_of(t, fmin(a->error_dof, b->error_dof));
}

/* Hold recording i against the reference, at level alpha. */
static void judge_recording(darc_drift_recording *r,
                            const darc_drift_comparison *c, int i, double alpha)
{
    if (c->by_parameters != NULL) {
        c->by_parameters->judge(c->by_parameters->user, r, c->fit[c->reference],
                                c->fit[i], alpha);
        return;
    }
    darc_decision d;
    bool untested;
    darc_criteria by = *c->x->by;
    darc_question x = *c->x;
    x.by = &by;
    by.alpha = alpha;
    darc_pair p = {
        .x = &x, .a = c->fit[c->reference], .b = c->fit[i], .bind = c->bind};
    /* coefficients may be the same because none is free */
    p.copies =
        p.a->eq->size == p.b->eq->size &&
        memcmp(p.a->c, p.b->c, (size_t)p.a->coeffs * sizeof *p.a->c) == 0;
    darc_status status = darc_pair_test(&d, &untested, &p, NULL, NULL);
    assert(status == DARC_OK); /* no relations are sought */
    (void)status;
    if (x.lost)
        darc_decision_withhold(&d);
    DARC_SAME(r, &d, verdict, p_value);
}

static void set_slack(double *slack, const darc_pair *p,
                      const darc_drift_comparison *c)
{
    if (c->by_parameters == NULL)
        darc_pair_slack(slack, p);
    for (int k = 0; k < p->a->coeffs && c->by_parameters != NULL; k++)
        slack[k] = c->x->by->tolerance * fabs(p->a->c[k]);
}

/* Compare recording i with the reference, function by function. */
static void compare_functions(darc_drift *out, const darc_drift_comparison *c,
                              int i, const darc_followed *f)
{
    darc_drift_recording *r = out->recording + i;
    darc_pair p = {
        .x = c->x, .a = c->fit[c->reference], .b = c->fit[i], .bind = c->bind};
    double *slack = darc_calloc(2 * (size_t)p.a->coeffs, sizeof *slack);
    bool useless = is_useless(p.a) || is_useless(p.b);
    set_slack(slack, &p, c);
    r->structure = judge_structure(p.b, c);
    r->p_value = NAN;
    if (i != c->reference && !useless)
        judge_recording(r, c, i, c->x->by->alpha);
    else if (!useless && r->structure != DARC_INCONSISTENT)
        r->verdict = DARC_CONSISTENT;
    DARC_CALLOC((size_t)out->functions, r->change, r->test);
    for (int j = 0; j < out->functions; j++)
        set_change(r->change + j, r->test + j, &p, f + j, slack);
    darc_free(slack);
}

static bool is_compared(const darc_drift *out, int i)
{
    return out->recording[i].change != NULL && i != out->reference;
}

/* Correct the p-values of recordings, and judge those again that differ no
 * more: at the level which the correction leaves them.  Where the course tells
 * that something changed, at the level of the campaign, there is nothing to
 * correct for: every recording has the verdict of a pair. */
static void correct_recordings(darc_drift *out, const darc_drift_comparison *c)
{
    double alpha = c->x->by->alpha;
    double **p = darc_calloc((size_t)out->recordings, sizeof *p);
    double *alone = darc_calloc((size_t)out->recordings, sizeof *alone);
    int n = 0;
    for (int i = 0; i < out->recordings; i++) {
        alone[i] = out->recording[i].p_value;
        if (is_compared(out, i) && !isnan(alone[i]))
            p[n++] = &out->recording[i].p_value;
    }
    darc_stats_holm(p, n);
    for (int i = 0; i < out->recordings; i++) {
        darc_drift_recording *r = out->recording + i;
        double corrected = r->p_value;
        if (!is_compared(out, i) || !(alone[i] < alpha) || corrected < alpha)
            continue;
        judge_recording(r, c, i, alpha * alone[i] / corrected);
        r->p_value = corrected;
    }
    DARC_FREE(p, alone);
}

/* A function moved only in a recording that differs as a whole: in a campaign
 * without change both families together keep the level. */
static void correct_changes(darc_drift *out, double alpha)
{
    size_t most = (size_t)out->recordings * (size_t)(out->functions + 1);
    double **p = darc_calloc(most, sizeof *p);
    int n = 0;
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; is_compared(out, i) && j < out->functions; j++)
            if (!isnan(out->recording[i].change[j].p_value))
                p[n++] = &out->recording[i].change[j].p_value;
    darc_stats_holm(p, n);
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; is_compared(out, i) && j < out->functions; j++) {
            const darc_drift_recording *r = out->recording + i;
            darc_change *d = r->change + j;
            d->moved = r->verdict == DARC_INCONSISTENT && r->p_value < alpha &&
                       d->p_value < alpha;
        }
    darc_free(p);
}

/* Return whether a recording that differs, but not once the covariates' effect
 * is taken off, may differ all the same: of a function that moved that effect
 * is not certain, or some change is in doubt. */
static bool may_differ(const darc_drift_recording *r, const darc_change *plain,
                       const darc_drift *out, double alpha)
{
    bool may = out->doubts > 0;
    double count = (double)out->functions * out->recordings;
    double z = darc_stats_error_quantile(1 - alpha / 2, HUGE_VAL);
    for (int j = 0; j < out->functions; j++)
        may = may || (plain[j].p_value * count < alpha &&
                      !(fabs(r->test[j].shift) > z * r->test[j].shift_sd));
    return may;
}

/* Compare again what is told of recordings at the covariates of the reference:
 * adjusted (NULL: that is not known). */
static void compare_adjusted(darc_drift *out, const darc_drift_comparison *c,
                             const darc_followed *f,
                             darc_estimates *const *adjusted)
{
    darc_drift_comparison own = *c;
    const darc_estimates **fit =
        darc_calloc((size_t)c->recordings, sizeof *fit);
    memcpy((void *)fit, c->fit, (size_t)c->recordings * sizeof *fit);
    own.fit = fit;
    for (int i = 0; i < out->recordings; i++) {
        darc_drift_recording *r = out->recording + i;
        darc_change *plain = r->change;
        darc_drift_test *test = r->test;
        darc_verdict verdict = r->verdict;
        if (!is_compared(out, i))
            continue;
        if (adjusted[i] == NULL) {
            r->p_value = NAN;
            for (int j = 0; j < out->functions; j++)
                plain[j].p_value = NAN;
            if (verdict == DARC_INCONSISTENT || !darc_drift_is_told(c, i))
                r->verdict = DARC_UNDECIDED;
            continue;
        }
        fit[i] = adjusted[i];
        compare_functions(out, &own, i, f);
        for (int j = 0; j < out->functions; j++) {
            DARC_SAME(&r->change[j], &plain[j], value, sd);
            DARC_SAME(&r->test[j], &test[j], shift, shift_sd);
        }
        if (verdict == DARC_INCONSISTENT && r->verdict == DARC_CONSISTENT &&
            may_differ(r, plain, out, c->x->by->alpha))
            r->verdict = DARC_UNDECIDED;
        DARC_FREE(plain, test);
    }
    if (out->points + out->trends == 0)
        correct_recordings(out, &own);
    darc_free((void *)fit);
}

/* Values of coefficients become values of functions. */
static void rescale(darc_drift *out, const darc_followed *f)
{
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; j < out->functions && out->recording[i].change != NULL;
             j++) {
            out->recording[i].change[j].value /= f[j].factor;
            out->recording[i].change[j].sd /= fabs(f[j].factor);
        }
}

void darc_drift_compare(darc_drift *out, const darc_drift_comparison *c)
{
    assert(c->fit[c->reference] != NULL);
    *out = (darc_drift){.recordings = c->recordings, .reference = c->reference};
    out->recording = darc_calloc((size_t)c->recordings, sizeof *out->recording);
    darc_followed *f = list_functions(out, c);
    for (int i = 0; i < c->recordings; i++) {
        darc_drift_recording *r = out->recording + i;
        r->damaged = c->error[i] != NULL;
        r->error = r->damaged ? darc_strdup(c->error[i]) : NULL;
        r->fault = c->fault[i];
        r->pending = !r->damaged && c->fit[i] == NULL;
        r->verdict = DARC_UNDECIDED;
        r->baseline = c->reference;
        out->damaged += r->damaged;
        if (!r->damaged && !r->pending)
            compare_functions(out, c, i, f);
    }
    darc_estimates **adjusted =
        darc_calloc((size_t)c->recordings, sizeof *adjusted);
    darc_drift_date(out, c, f, adjusted);
    if (c->covariates > 0)
        compare_adjusted(out, c, f, adjusted);
    else if (out->points + out->trends == 0)
        correct_recordings(out, c);
    DARC_ALL_OF(darc_drift_unadjust, adjusted, c->recordings);
    darc_free((void *)adjusted);
    correct_changes(out, c->x->by->alpha);
    rescale(out, f);
    darc_free(f);
}

void darc_drift_clear(darc_drift *out)
{
    for (int i = 0; i < out->recordings && out->recording != NULL; i++)
        DARC_FREE(out->recording[i].error, out->recording[i].change,
                  out->recording[i].test);
    DARC_FREE_EACH(out->function, out->functions);
    DARC_FREE(out->function, out->equation, out->recording, out->point,
              out->trend, out->trend_baseline, out->slope, out->doubt,
              out->blind);
    *out = (darc_drift){0};
}
