/* structure.c - can the equations make the recording at all? */
#include "decide/judgement.h"

#include "base/mem.h"
#include "decide/bindings.h"
#include "decide/freedom.h"
#include "decide/thresholds.h"
#include "decide/witness.h"
#include "fit/ratio.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* What a structure is judged by. */
typedef struct {
    const darc_question *x;
    darc_fit fit;
    darc_estimates est;
    darc_bindings bind;
    darc_constraint bound; /* estimates under the relations */
    double detectable;     /* the largest of the equations */
    int tests;             /* that a p-value is the smallest of */
} judging;

/* ---- relations -------------------------------------------------------------
 */

/* Whether parameters are found that make the coefficients. */
static bool has_witness(const judging *s)
{
    const darc_question *x = s->x;
    int equation = x->io->count > 1 ? -1 : 0;
    for (int e = 0; e < x->io->count; e++)
        if (!x->io->eq[e].expanded)
            return false;
    if (x->equations < x->io->count)
        return false;
    darc_coeffs_t c;
    darc_coeffs_init(c, x->io, equation, NULL);
    int *place = darc_calloc((size_t)c->vectors, sizeof *place);
    for (int i = 0; i < c->vectors; i++)
        for (int q = 0; q < x->equations; q++)
            place[i] = x->equation[q] == c->equation[i] ? q : place[i];
    darc_witness_question w = {.c = c,
                               .of = {&s->est},
                               .place = place,
                               .tolerance = x->by->tolerance,
                               .alpha = x->by->alpha};
    bool found = darc_witness_exists(&w, x->budget);
    darc_coeffs_clear(c);
    darc_free(place);
    return found;
}

/* What a coefficient may be off by without counting. */
static double slack_of(const judging *s, int j, int q)
{
    double tolerance = s->x->by->tolerance;
    double slack = tolerance * fabs(s->est.c[j]);
    if (s->est.eq[q].defect.low > tolerance)
        slack += s->est.bias[j];
    return slack;
}

static darc_status test_relations(judging *s, darc_err *err)
{
    const darc_estimates *e = &s->est;
    darc_status status =
        darc_bindings_init(&s->bind, s->x, NULL, NULL, 0, err);
    if (status != DARC_OK)
        return status;
    darc_constraint *c = &s->bound;
    darc_constraint_init(c, e->coeffs, s->bind.count);
    memcpy(c->x, e->c, (size_t)e->coeffs * sizeof *c->x);
    memcpy(c->v, e->cov,
           (size_t)e->coeffs * (size_t)e->coeffs * sizeof *c->v);
    for (int q = 0; q < e->equations; q++)
        for (int j = e->eq[q].first; j < e->eq[q].first + e->eq[q].coeffs; j++)
            c->slack[j] = e->free[j] ? slack_of(s, j, q) : 0;
    c->error_dof = e->error_dof;
    c->relations = darc_bindings_evaluate;
    c->user = &s->bind;
    darc_constraint_solve(c);
    return DARC_OK;
}

/* ---- what is known ---------------------------------------------------------
 */

/* The smallest of n independent p-values. */
static double smallest_of(double p, int n)
{
    return -expm1(n * log1p(-fmin(1, p)));
}

/* The share of the leading term of an equation that Q would have found. */
static double detectable(const judging *s, int q)
{
    const darc_gls *g = &s->fit.white;
    const darc_yardstick *y = s->fit.y + q;
    int l = y->lead < 0 ? 0 : y->first + y->lead;
    double lambda = g->c[l] * g->c[l] * g->info[l * (g->coeffs + 1)];
    double alpha = -expm1(log1p(-s->x->by->alpha) / s->tests);
    double ncp = darc_stats_detectable_ncp(g->dof, alpha, 0.9);
    return lambda > 0 ? sqrt(ncp / lambda) : HUGE_VAL;
}

/* Whether any columns of these signals would have done as well. */
static bool is_arbitrary(const judging *s, int q)
{
    double bound = s->x->by->tolerance > 0 ? s->x->by->tolerance : DARC_MEANING;
    return s->est.eq[q].arbitrary < DARC_ARBITRARY * bound;
}

static const char *output_of(const judging *s, int q)
{
    const darc_ioeq *eq = darc_question_equation(s->x, q);
    return s->x->io->jet->names->symbol[eq->leader.unknown].name;
}

/* " in the equation of y", where there are several. */
static const char *where(const judging *s, int q, char *text, size_t size)
{
    text[0] = '\0';
    if (s->est.equations > 1)
        snprintf(text, size, " in the equation of %s", output_of(s, q));
    return text;
}

/* ---- the verdict -----------------------------------------------------------
 */

/* Whether the recording cannot answer although nothing contradicts the model;
 * *d then says why. */
static bool is_uninformative(darc_decision *d, const judging *s, int q)
{
    char text[128];
    if (s->est.ratio > DARC_NOISE_LIMIT) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "noise times noise carries %.2g of the information of the signals, "
            "more than %.2g: the test would not hold its level",
            s->est.ratio, DARC_NOISE_LIMIT);
        return true;
    }
    if (!is_arbitrary(s, q))
        return false;
    darc_decision_say(
        d, DARC_UNDECIDED,
        "the signals are too simple (a single sine?): any %d of their "
        "derivatives would fit to within %.2g %%%s; excite more frequencies",
        s->est.eq[q].coeffs - 1 - (s->est.eq[q].offset >= 0),
        100 * s->est.eq[q].arbitrary, where(s, q, text, sizeof text));
    return true;
}

static void decide_tolerant(darc_decision *d, const judging *s, int q)
{
    char text[128];
    const darc_defect *f = &s->est.eq[q].defect;
    double t = d->tolerance;
    where(s, q, text, sizeof text);
    if (f->low > t)
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "at least %.3g %% of the largest term remain unexplained%s, more "
            "than the tolerance of %.3g %%; a tolerance of %.2g would turn the "
            "verdict",
            100 * f->low, text, 100 * t, d->defect_high);
    else if (is_uninformative(d, s, q))
        return;
    else if (d->defect_high > t && f->high <= t)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "at most %.3g %% of the largest term remain unexplained%s, but "
            "that is up to %.3g %% of the term with the input, more than the "
            "tolerance of %.3g %%",
            100 * f->high, text, 100 * d->defect_high, 100 * t);
    else if (d->defect_high > t)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "between %.3g %% and %.3g %% of the largest term remain "
            "unexplained%s, on either side of the tolerance of %.3g %%",
            100 * f->low, 100 * d->defect_high, text, 100 * t);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "at most %.3g %% of the largest term remain unexplained%s, within "
            "the tolerance of %.3g %%",
            100 * d->defect_high, text, 100 * t);
}

static void decide_exactly(darc_decision *d, const judging *s, int q)
{
    char text[128];
    where(s, q, text, sizeof text);
    if (d->p_value < d->alpha)
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "no coefficients explain the recording: %.3g %% of the largest "
            "term remain%s (at least %.3g %%); a tolerance of %.2g would turn "
            "the verdict",
            100 * d->defect, text, 100 * d->defect_low, d->defect_high);
    else if (is_uninformative(d, s, q))
        return;
    else if (d->detectable > DARC_MEANING)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but a defect of less than %.2g %% "
            "of the largest term%s would not have been found",
            100 * d->detectable, text);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the residual is what the noise explains; a defect of %.2g %% of "
            "the largest term would have been found",
            100 * d->detectable);
}

/* The decision on equation q; p is that of all. */
static darc_decision judge_equation(const judging *s, int q, double p)
{
    const darc_defect *f = &s->est.eq[q].defect;
    darc_decision d = {.method = "weak",
                       .statistic = s->fit.white.q,
                       .dof = s->fit.white.dof,
                       .p_value = p,
                       .alpha = s->x->by->alpha,
                       .defect = f->defect,
                       .defect_low = f->low,
                       .defect_high = fmax(f->high, f->high_input),
                       .tolerance = s->x->by->tolerance,
                       .detectable = detectable(s, q)};
    if (d.tolerance > 0)
        decide_tolerant(&d, s, q);
    else
        decide_exactly(&d, s, q);
    return d;
}

/* From what holds to what is rejected. */
static const int rank[] = {
    [DARC_CONSISTENT] = 0, [DARC_UNDECIDED] = 1, [DARC_INCONSISTENT] = 2};

/* The worst of all: its verdict and reason, and the largest defect, whichever
 * equation it is of. */
static darc_decision merge(const darc_judgement *out)
{
    darc_decision d = out->equation[0].decision;
    for (int q = 1; q < out->equations; q++) {
        const darc_decision *e = &out->equation[q].decision;
        bool worse = rank[e->verdict] > rank[d.verdict] ||
                     (e->verdict == d.verdict && e->defect > d.defect);
        darc_decision other = worse ? d : *e;
        d = worse ? *e : d;
        d.defect = fmax(d.defect, other.defect);
        d.defect_low = fmax(d.defect_low, other.defect_low);
        d.defect_high = fmax(d.defect_high, other.defect_high);
        d.detectable = fmax(d.detectable, other.detectable);
    }
    return d;
}

static void say_relations(darc_judgement *out, const judging *s)
{
    darc_text_t t;
    darc_text_init(t);
    darc_bindings_print(t, &s->bind, s->x);
    darc_judgement_note(out, "the coefficients obey %.300s: p = %.2g", t->s,
                        s->bound.p_value);
    darc_text_clear(t);
}

/* What the model makes the coefficients obey decides too. */
static void judge_relations(darc_judgement *out, const judging *s)
{
    darc_decision *d = &out->decision;
    bool off = s->bound.p_value < d->alpha / 2; /* of two tests */
    if (s->bind.count > 0)
        say_relations(out, s);
    if (off && d->verdict != DARC_INCONSISTENT && !has_witness(s)) {
        d->statistic = s->bound.statistic;
        d->dof = s->bound.dof;
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "free coefficients explain the recording, but the model makes them "
            "obey relations, and those of the recording do not (p = %.2g)",
            s->bound.p_value);
    } else if (d->verdict == DARC_CONSISTENT && s->bind.wanting &&
               !has_witness(s)) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model: free coefficients explain the "
            "recording; but the model binds its coefficients by relations of "
            "which not all could be tested, and no values of the parameters "
            "were found that make these coefficients");
    }
}

/* Equations that are not expanded bind their coefficients unless each ratio is
 * free. */
static void forgive_freedom(judging *s)
{
    bool full = s->bind.wanting;
    for (int q = 0; q < s->x->equations && full; q++)
        full = s->x->equation[q] >= s->x->io->count ||
               darc_freedom_is_full(s->x->model, s->x->io, s->x->equation[q],
                                    s->x->budget);
    if (full)
        s->bind.wanting = false;
}

static void judge(darc_judgement *out, judging *s)
{
    double p = s->fit.white.p_value;
    s->tests = s->bind.count > 0 ? 2 : 1;
    if (s->bind.count > 0 && !isnan(s->bound.p_value))
        p = fmin(p, s->bound.p_value);
    for (int q = 0; q < s->est.equations; q++)
        out->equation[q].decision =
            judge_equation(s, q, smallest_of(s->fit.white.p_value, s->tests));
    out->decision = merge(out);
    out->decision.p_value = smallest_of(p, s->tests);
    forgive_freedom(s);
    judge_relations(out, s);
}

darc_status darc_judge_structure(darc_judgement *out, const darc_question *x,
                                 const darc_table *table, darc_err *err)
{
    judging s = {.x = x};
    *out = (darc_judgement){0};
    darc_status status =
        darc_fit_init(&s.fit, x, table, x->by->alpha, err);
    if (status == DARC_OK) {
        darc_estimates_init(&s.est, &s.fit, x, x->by->alpha);
        darc_judgement_describe(out, &s.fit, x);
        darc_judgement_list(out, x, &s.est, NULL);
        DARC_TRY(test_relations(&s, err));
        judge(out, &s);
    }
done:
    darc_constraint_clear(&s.bound);
    darc_bindings_clear(&s.bind);
    darc_estimates_clear(&s.est);
    darc_fit_clear(&s.fit);
    if (status != DARC_OK)
        darc_judgement_clear(out);
    return status;
}
