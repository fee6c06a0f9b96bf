#include "decide/pair.h"

#include "base/mem.h"
#include "base/text.h"
#include "coefficient/ratio.h"
#include "decide/thresholds.h"
#include "decide/witness.h"
#include "stats/columns.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const darc_pair *p;
    const bool *changed;
    darc_bindings bind; /* of a change */
    int count;          /* relations asked about */
    bool bound;         /* relations of one recording are imposed on both */
    int free;           /* coefficients */
    bool by_value;      /* the surest of those that are no origin decides */
    int compared;       /* how many */
    int *index;         /* of these; owned */
    darc_constraint c;  /* over the coefficients of A, then those of B */
    double *off, *cov;  /* what is left unexplained, of A then B; owned */
} testing;

static int coeffs(const testing *t)
{
    return t->p->a->coeffs;
}

static bool fails(const darc_pair *p)
{
    return darc_reading_fails(p->a, p->x->by->tolerance) ||
           darc_reading_fails(p->b, p->x->by->tolerance);
}

static double left_of(const darc_pair *p)
{
    return fmax(darc_reading_left(p->a), darc_reading_left(p->b));
}

/* What coefficient j of recording B may differ by: the fraction `tolerance`; of
 * the largest term where it may vanish; anything, for an origin. */
static double slack_of(const darc_pair *p, int q, int k)
{
    const darc_estimates_equation *eq = p->b->eq + q;
    int j = eq->first + k;
    double tolerance = p->x->by->tolerance, size = fabs(p->b->c[j]);
    if (!p->b->free[j])
        return 0;
    if (eq->origin && j == eq->offset)
        return HUGE_VAL;
    if (eq->share[k] > 0 &&
        darc_ratio_may_vanish(p->x->model, p->x->io, p->x->equation[q], k))
        size /= eq->share[k];
    return tolerance * size;
}

void darc_pair_slack(double *slack, const darc_pair *p)
{
    int n = p->a->coeffs;
    bool misfit = fails(p);
    for (int q = 0; q < p->a->equations; q++)
        for (int k = 0; k < p->a->eq[q].coeffs; k++) {
            int j = p->a->eq[q].first + k;
            slack[j] = misfit && p->a->free[j] ? p->a->bias[j] : 0;
            slack[n + j] = slack_of(p, q, k);
            slack[n + j] += misfit && p->b->free[j] ? p->b->bias[j] : 0;
        }
}

static void fill_constraint(darc_constraint *c, const testing *t)
{
    const darc_pair *p = t->p;
    int n = coeffs(t), all = 2 * n;
    for (int i = 0; i < 2; i++) {
        const darc_estimates *e = i == 0 ? p->a : p->b;
        const double *v = e->bare != NULL ? e->bare_cov : e->cov;
        memcpy(c->x + i * n, e->bare != NULL ? e->bare : e->c,
               (size_t)n * sizeof *c->x);
        for (int k = 0; k < n; k++)
            memcpy(c->v + (i * n + k) * all + i * n, v + k * n,
                   (size_t)n * sizeof *v);
    }
    darc_pair_slack(c->slack, p);
    c->error_dof = darc_estimates_error_dof(p->a, p->b);
}

/* h_i = b_j - a_j */
static void differences(const testing *t, const double *x, double *h,
                        double *jac)
{
    int n = coeffs(t);
    memset(jac, 0, (size_t)(t->free * 2 * n) * sizeof *jac);
    for (int i = 0; i < t->free; i++) {
        int j = t->index[i];
        h[i] = x[n + j] - x[j];
        jac[i * 2 * n + j] = -1;
        jac[i * 2 * n + n + j] = 1;
    }
}

/* The relations of A, then those of B. */
static void each_by_itself(const void *user, const double *x, double *h,
                           double *jac)
{
    const testing *t = user;
    const darc_bindings *b = t->p->bind;
    int n = coeffs(t), m = t->bound ? b->count : 0;
    double *own = darc_calloc((size_t)(m * n) + 1, sizeof *own);
    for (int i = 0; i < 2 && m > 0; i++) {
        darc_bindings_evaluate(b, x + i * n, h + i * m, own);
        for (int k = 0; k < m; k++) {
            double *row = jac + (size_t)(i * m + k) * 2 * (size_t)n;
            memset(row, 0, 2 * (size_t)n * sizeof *row);
            memcpy(row + i * n, own + k * n, (size_t)n * sizeof *row);
        }
    }
    darc_free(own);
}

static void all_relations(const void *user, const double *x, double *h,
                          double *jac)
{
    const testing *t = user;
    int m = t->bound ? 2 * t->p->bind->count : 0;
    each_by_itself(t, x, h, jac);
    jac += (size_t)m * 2 * (size_t)coeffs(t);
    if (t->changed != NULL)
        darc_bindings_evaluate(&t->bind, x, h + m, jac);
    else
        differences(t, x, h + m, jac);
}

/* Of what all relations add to Q, take off what those of each recording by
 * itself do: they are not asked about. */
static void take_off(testing *t)
{
    darc_constraint c;
    darc_constraint_init(&c, 2 * coeffs(t), 2 * t->p->bind->count);
    fill_constraint(&c, t);
    c.relations = each_by_itself;
    c.user = t;
    darc_constraint_solve(&c);
    t->c.settled = t->c.settled && c.settled;
    t->c.statistic = fmax(0, t->c.statistic - c.statistic);
    t->c.dof -= c.dof;
    darc_constraint_clear(&c);
}

/* By how many standard deviations coefficient j differs, beyond what may. */
static double deviation(const testing *t, int j)
{
    const darc_pair *p = t->p;
    int n = coeffs(t);
    double d = fabs(p->b->c[j] - p->a->c[j]);
    double sd = sqrt(p->a->cov[j * (n + 1)] + p->b->cov[j * (n + 1)]);
    d -= t->c.slack[j] + t->c.slack[n + j];
    return d > 0 ? d / sd : 0;
}

/* Test equality by the value told that is surest to differ: correlations of
 * coefficients whose noise was estimated with them are not known well enough
 * for a joint test. */
static void compare_values(testing *t)
{
    darc_constraint *c = &t->c;
    double most = 0;
    for (int i = 0; i < t->free; i++) {
        double z = deviation(t, t->index[i]);
        most = z > most || isnan(z) ? z : most;
        t->compared += !isinf(c->slack[coeffs(t) + t->index[i]]);
    }
    c->settled = true;
    c->dof = 1;
    c->statistic = most * most;
    c->p_value = t->compared == 0
                     ? NAN
                     : fmin(1, 2 * t->compared *
                                   darc_stats_error_sf(most, c->error_dof));
}

/* Test jointly what a change leaves alone, or that all are the same. */
static void compare_relations(testing *t)
{
    darc_constraint *c = &t->c;
    darc_constraint_solve(c);
    if (t->bound)
        take_off(t);
    c->p_value = NAN;
    if (c->dof > 0)
        c->p_value = darc_stats_squares_sf(c->statistic, c->dof, c->error_dof);
    /* what has not settled may reject, but does not agree */
    if (!c->settled && !(c->p_value < t->p->x->by->alpha))
        c->p_value = NAN;
}

static darc_status open_test(testing *t, darc_err *err)
{
    const darc_pair *p = t->p;
    int n = coeffs(t);
    t->index = darc_calloc((size_t)n + 1, sizeof *t->index);
    for (int j = 0; j < n; j++)
        if (p->a->free[j])
            t->index[t->free++] = j;
    if (t->changed != NULL)
        DARC_NEED(
            darc_bindings_init(&t->bind, p->x, t->changed, p->g, p->work, err));
    t->bound = p->bind != NULL && p->a->bare != NULL && p->b->bare != NULL;
    t->count = t->changed != NULL ? t->bind.count : t->free;
    darc_constraint_init(&t->c, 2 * n,
                         t->count + (t->bound ? 2 * p->bind->count : 0));
    DARC_CARVE({&t->off, 2 * n}, {&t->cov, 2 * n * n});
    fill_constraint(&t->c, t);
    t->c.relations = all_relations;
    t->c.user = t;
    t->by_value = t->changed == NULL && !(p->x->by->tolerance > 0) &&
                  isfinite(t->c.error_dof);
    if (t->by_value)
        compare_values(t);
    else if (t->count > 0)
        compare_relations(t);
    return DARC_OK;
}

/* Set t->off to the way to the nearest pair that a change can make; of what
 * does not count origins alone are free: slack takes whatever it is given. */
static void find_nearest(testing *t)
{
    int n = coeffs(t), all = 2 * n;
    darc_constraint c = t->c;
    DARC_CARVE({&c.at, all}, {&c.slack, all});
    for (int i = 0; i < all; i++)
        c.slack[i] = isinf(t->c.slack[i]) ? HUGE_VAL : 0;
    darc_constraint_solve(&c);
    for (int i = 0; i < n; i++) {
        t->off[i] = t->p->a->c[i] - c.at[i];
        t->off[n + i] = t->p->b->c[i] - c.at[n + i];
    }
    darc_free(c.at);
}

/* What no common parameters explain, and its covariance: of all coefficients,
 * b - a for either recording; of a change, the way to the nearest pair that it
 * can make. */
static void find_rest(testing *t)
{
    const darc_pair *p = t->p;
    int n = coeffs(t);
    for (int i = 0; i < n; i++)
        t->off[i] = t->off[n + i] = p->b->c[i] - p->a->c[i];
    if (t->changed != NULL)
        find_nearest(t);
    for (int i = 0; i < n * n; i++) {
        double v = p->a->cov[i] + p->b->cov[i];
        bool one = t->changed != NULL;
        t->cov[i] = one ? p->a->cov[i] : v;
        t->cov[n * n + i] = one ? p->b->cov[i] : v;
    }
}

typedef struct {
    double here, most, detectable; /* shares of the largest term */
    int equation;                  /* where it is most */
} effects;

static void take_effects(effects *e, const testing *t, const darc_estimates *of,
                         const double *off, const double *cov)
{
    double alpha = t->p->x->by->alpha; /* joint, of so many dimensions: */
    int dims = t->compared - (t->bound ? t->p->bind->count : 0);
    double dof = fmax(1, t->by_value ? dims : t->c.dof);
    double r2 = darc_stats_squares_isf(alpha, dof, t->c.error_dof);
    double ncp =
        darc_stats_detectable_ncp(dof, t->c.error_dof, alpha, DARC_POWER);
    double *none = darc_calloc((size_t)of->coeffs, sizeof *none);
    for (int q = 0; q < of->equations; q++) {
        double most = darc_estimates_most_effect(of, q, off, cov, r2);
        if (!(most <= e->most)) {
            e->most = most;
            e->equation = q;
        }
        e->here = fmax(e->here, darc_estimates_effect(of, q, off));
        e->detectable = fmax(e->detectable,
                             darc_estimates_most_effect(of, q, none, cov, ncp));
    }
    darc_free(none);
}

/* The function whose change is surest, beyond what does not count: -1 where
 * none is. */
static int surest(const testing *t, double *change, double *low, double *high)
{
    const darc_pair *p = t->p;
    int n = coeffs(t), best = -1;
    int among = t->by_value ? 2 * t->compared : t->free;
    double tail = p->x->by->alpha / fmax(1, among), most = 0;
    double z = darc_stats_error_quantile(1 - tail, t->c.error_dof);
    for (int i = 0; i < t->free; i++) {
        int j = t->index[i];
        double d = fabs(p->b->c[j] - p->a->c[j]), size = fabs(p->a->c[j]);
        double sd = sqrt(p->a->cov[j * (n + 1)] + p->b->cov[j * (n + 1)]);
        double moved = fails(p) ? p->a->bias[j] + p->b->bias[j] : 0;
        double sure = deviation(t, j);
        if (!(size > 0) || !(sure > most))
            continue;
        most = sure;
        best = j;
        *change = (p->b->c[j] - p->a->c[j]) / p->a->c[j];
        *low = fmax(0, d - moved - z * sd) / size;
        *high = (d + z * sd) / size;
    }
    return best;
}

static void print_function(darc_text_t out, const darc_pair *p, int j)
{
    int q = 0;
    while (j >= p->a->eq[q].first + p->a->eq[q].coeffs)
        q++;
    const darc_estimates_equation *eq = p->a->eq + q;
    double factor;
    darc_ratio_print(out, p->x->io, p->x->equation[q], j - eq->first,
                     eq->reference - eq->first, &factor);
}

static void say_different(darc_decision *d, testing *t)
{
    double change = 0, low = 0, high = 0;
    int j = surest(t, &change, &low, &high);
    char structure[160] = "";
    if (fails(t->p))
        snprintf(
            structure, sizeof structure,
            "; what the structure leaves, %s at least, cannot have made it",
            darc_percent_of(left_of(t->p)).text);
    if (j < 0 || t->changed != NULL) {
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "%s: what is left moves an equation by %s of its largest term%s",
            t->changed != NULL ? "others have changed besides"
                               : "the parameters differ",
            darc_percent_fine(d->defect).text, structure);
        return;
    }
    darc_text_t name = DARC_TEXT;
    print_function(name, t->p, j);
    d->defect = fabs(change);
    d->defect_low = low;
    d->defect_high = high;
    char least[60] = "";
    if (low > 0)
        snprintf(least, sizeof least, " (at least %s)",
                 darc_percent_fine(low).text);
    darc_decision_say(d, DARC_INCONSISTENT,
                      "the parameters differ: %.200s changes by %s%s%s%s",
                      name->s, change > 0 ? "+" : "",
                      darc_percent_fine(change).text, least, structure);
    darc_text_clear(name);
}

bool darc_pair_moves_origin(const darc_pair *p, int q, double *d, double *sd)
{
    int n = p->a->coeffs, j = p->a->eq[q].offset;
    if (j < 0 || !p->a->eq[q].origin || !p->a->free[j])
        return false;
    *d = p->b->c[j] - p->a->c[j];
    *sd = sqrt(p->a->cov[j * (n + 1)] + p->b->cov[j * (n + 1)]);
    return fabs(*d) > DARC_ORIGIN_MOVED * *sd;
}

/* What is the same; a free constant, which the origin of a signal moves, is not
 * compared, but told. */
static void say_sameness(darc_text_t out, const testing *t)
{
    const darc_estimates *a = t->p->a;
    int q = 0, n = t->changed == NULL ? a->equations : 0;
    double d, sd;
    darc_text_puts(out, t->changed != NULL ? "the others are the same"
                                           : "the parameters are the same");
    while (q < n && !darc_pair_moves_origin(t->p, q, &d, &sd))
        q++;
    if (q == n)
        return;
    double change = d / a->c[a->eq[q].offset];
    darc_text_puts(out, " but for ");
    print_function(out, t->p, a->eq[q].offset);
    darc_text_printf(out, " (%s%s), or the origin of a signal",
                     change > 0 ? "+" : "", darc_percent_fine(change).text);
}

/* Whether a recording tells nothing of its coefficients; *d then says so. */
static bool is_useless(darc_decision *d, const darc_estimates *e, int which)
{
    char why[160];
    bool useless = darc_reading_is_useless(e, why, sizeof why);
    if (useless)
        darc_decision_say(d, DARC_UNDECIDED, "recording %c: %s", which, why);
    return useless;
}

static void decide_pair(darc_decision *d, testing *t)
{
    const darc_pair *p = t->p;
    effects e = {0};
    int n = coeffs(t);
    find_rest(t);
    take_effects(&e, t, p->a, t->off, t->cov);
    take_effects(&e, t, p->b, t->off + n, t->cov + n * n);
    *d = (darc_decision){.method = "weak",
                         .statistic = t->c.statistic,
                         .dof = t->c.dof,
                         .p_value = t->c.p_value,
                         .alpha = p->x->by->alpha,
                         .defect = e.here,
                         .defect_high = e.most,
                         .tolerance = p->x->by->tolerance,
                         .detectable = e.detectable,
                         .noise =
                             p->a->coloured || p->b->coloured ? "any" : "white",
                         .verdict = DARC_UNDECIDED};
    if (is_useless(d, p->a, 'A') || is_useless(d, p->b, 'B'))
        return;
    bool small = fmax(e.most, e.detectable) <=
                 (d->tolerance > 0 ? d->tolerance : DARC_MEANING);
    if (t->c.p_value < d->alpha) {
        say_different(d, t);
        darc_decision_refuse_numeric(d, e.most);
        if (p->a->coarse || p->b->coarse)
            darc_decision_refuse_coarse(d);
    } else if (fails(p)) {
        darc_decision_say(d, DARC_UNDECIDED,
                          "the structure leaves %s of the largest term, and no "
                          "change is seen that this cannot have made",
                          darc_percent_of(left_of(p)).text);
    } else if (small && !isnan(t->c.p_value)) {
        darc_text_t same = DARC_TEXT;
        say_sameness(same, t);
        darc_decision_say(
            d, DARC_CONSISTENT,
            "%.200s: no change moves an equation by more than %s "
            "of its largest term; one of %s would have been found",
            same->s, darc_percent_of(e.most).text,
            darc_percent_of(e.detectable).text);
        darc_text_clear(same);
    } else {
        darc_decision_say(d, DARC_UNDECIDED,
                          "the recordings do not decide: changes that move an "
                          "equation by %s of its largest term %s",
                          darc_percent_share(fmax(e.most, e.detectable)).text,
                          e.most >= e.detectable ? "are possible"
                                                 : "might not be found");
    }
}

darc_status darc_pair_test(darc_decision *d, bool *untested, const darc_pair *p,
                           const bool *changed, darc_err *err)
{
    testing t = {.p = p, .changed = changed};
    darc_status status = open_test(&t, err);
    *untested = false;
    if (status == DARC_OK && t.free == 0) {
        darc_pair_fixed(d, p);
    } else if (status == DARC_OK && t.count == 0) {
        *untested = !t.bind.wanting;
        *d = darc_decision_none(p->x->by->alpha, p->x->by->tolerance);
        darc_decision_say(
            d, DARC_UNDECIDED, "%s",
            t.bind.wanting
                ? "such a change leaves no ratio of coefficients alone, and "
                  "whether it can make any pair of recordings is not known"
                : "a change of these parameters can make any pair of "
                  "recordings that the structure allows: nothing is left to "
                  "test");
    } else if (status == DARC_OK) {
        decide_pair(d, &t);
        if (d->verdict == DARC_CONSISTENT && t.bind.wanting &&
            !darc_witness_is_found(p->x, p->a, p->b, changed))
            darc_decision_say(
                d, DARC_UNDECIDED,
                "no other change is seen: the relations known between the "
                "recordings hold; but there are others, not known, so that a "
                "change of further parameters may go unseen");
    }
    if (status == DARC_OK && p->copies)
        darc_decision_refuse_copies(d);
    if (status == DARC_OK)
        darc_decision_finish(d);
    darc_constraint_clear(&t.c);
    darc_bindings_clear(&t.bind);
    DARC_FREE(t.index, t.off);
    return status;
}
