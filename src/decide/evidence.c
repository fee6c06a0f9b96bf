#include "decide/evidence.h"

#include "base/mem.h"
#include "decide/bindings.h"
#include "decide/thresholds.h"
#include "fit/errors.h"
#include "stats/stats.h"
#include "terms/jumps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What coefficient j of equation q may be off by without counting. */
static double slack_of(const darc_evidence *e, int j, int q)
{
    double tolerance = e->x->by->tolerance;
    double slack = tolerance * fabs(e->est.c[j]);
    if (e->est.eq[q].defect.low > tolerance || e->fit.smoothing > 0 ||
        e->est.coloured)
        slack += e->est.bias[j];
    return e->est.free[j] ? slack : 0;
}

static darc_status test_relations(darc_evidence *e, darc_err *err)
{
    const darc_estimates *est = &e->est;
    size_t n = (size_t)est->coeffs;
    DARC_NEED(darc_bindings_init(&e->bind, e->x, NULL, NULL, 0, err));
    darc_constraint *c = &e->bound;
    darc_constraint_init(c, est->coeffs, e->bind.count);
    memcpy(c->x, est->c, n * sizeof *c->x);
    memcpy(c->v, est->cov, n * n * sizeof *c->v);
    for (int q = 0; q < est->equations; q++)
        for (int k = 0; k < est->eq[q].coeffs; k++) {
            int j = est->eq[q].first + k;
            c->slack[j] = slack_of(e, j, q);
        }
    c->error_dof = est->error_dof;
    c->relations = darc_bindings_evaluate;
    c->user = &e->bind;
    darc_constraint_solve(c);
    darc_bindings_impose(&e->bind, &e->est, e->x->by->alpha);
    return DARC_OK;
}

/* Return the share of the errors of moments that is left where something rests;
 * 1 where nothing does, or more is left.  What rests is bounded, and falls
 * short of its bound: noise taken from what is left is too small where it
 * moves. */
static double share_left(const darc_evidence *e)
{
    const darc_gls *fit = &e->fit.white;
    bool switches = false;
    for (int u = 0; u < e->fit.r.unknowns; u++)
        switches = switches || e->fit.r.signal[u].switches;
    return switches && fit->q < fit->dof ? fit->q / fit->dof : 1;
}

/* Return the p-value of a test with so many degrees of freedom where smoothing
 * may have made of it what it makes of Q. */
static double allow_smoothing(const darc_evidence *e, double p, double dof)
{
    double ncp = e->fit.smoothing;
    if (!(ncp > 0) || !(p < 1) || !(dof > 0))
        return p;
    return fmax(p, darc_stats_nchi2_sf(
                       darc_stats_chi2_isf(fmax(p, 1e-300), dof), dof, ncp));
}

/* Return the same of one degree of freedom; set e->bounded where it is below
 * alpha but for rests. */
static double allow_both(darc_evidence *e, double p, double level)
{
    double share = share_left(e), alpha = e->x->by->alpha;
    double own = fmin(1, allow_smoothing(e, p, 1) / level);
    if (!(share < 1) || !(p < 1))
        return own;
    p = darc_stats_chi2_sf(share * darc_stats_chi2_isf(fmax(p, 1e-300), 1), 1);
    double all = fmin(1, allow_smoothing(e, p, 1) / level);
    e->bounded = e->bounded || (own < alpha && all >= alpha);
    return all;
}

/* Whether Q does not show what estimated derivatives do to coefficients. */
static bool is_smoothed(const darc_evidence *e)
{
    return e->fit.weak->margin > 0 && e->fit.white.p_value >= e->x->by->alpha;
}

bool darc_evidence_is_wanting(const darc_evidence *s)
{
    bool wanting =
        s->bind.wanting ||
        (s->bind.count > 0 && (!s->bound.settled || isnan(s->bound.p_value)));
    bool full = wanting;
    for (int q = 0; q < s->x->equations && full; q++)
        full = s->x->equation[q] >= s->x->io->count ||
               darc_freedom_is_full(s->x->model, s->x->io, s->x->equation[q],
                                    s->x->budget);
    bool broken = s->bind.count > 0 && is_smoothed(s) &&
                  s->bound.p_value < DARC_SIDE_SHARE * s->x->by->alpha;
    return (wanting && !full) || broken;
}

/* Whether the model holds within the tolerance: no term matters then. */
static bool holds_within(const darc_evidence *e)
{
    double tolerance = e->x->by->tolerance;
    bool holds = tolerance > 0 && e->x->by->against == 0;
    for (int q = 0; q < e->est.equations && holds; q++) {
        const darc_defect *d = &e->est.eq[q].defect;
        holds = fmax(d->high, d->high_input) <= tolerance;
    }
    return holds;
}

static darc_status look_for_terms(darc_evidence *e, const darc_table *table,
                                  darc_err *err)
{
    darc_err own;
    darc_err_init(&own);
    if (holds_within(e))
        return DARC_OK;
    darc_status status =
        darc_missing_find(&e->missing, &e->fit, e->x, table, &own);
    if (status == DARC_OK)
        return DARC_OK;
    if (e->x->by->against > 0)
        return darc_fail(err, status, "%s", own.message);
    snprintf(e->unsearched, sizeof e->unsearched, "%.255s", own.message);
    return darc_budget_check(e->x->budget, err);
}

void darc_evidence_look_beside(darc_evidence *e, const darc_table *table)
{
    const darc_question *x = e->x;
    const darc_table *all =
        x->beside != NULL && x->by->against == 0 ? x->beside(x->user) : NULL;
    if (all != NULL && all->samples == table->samples &&
        darc_missing_beside(&e->missing, &e->fit, x, e->fit.weak->table, all,
                            NULL) != DARC_OK)
        snprintf(e->unsearched, sizeof e->unsearched, "other columns");
}

const darc_missing *darc_evidence_term(const darc_evidence *e, int q,
                                       double *low)
{
    const darc_missings *m = &e->missing;
    const darc_missing *best = NULL;
    double alpha = e->x->by->alpha, defect = e->est.eq[q].defect.defect;
    for (int i = 0; i < m->count && best == NULL; i++) {
        const darc_missing *t = m->term + i;
        if (t->equation == q && t->p_value < alpha &&
            defect * sqrt(t->explains) * t->whole <= 1)
            best = t;
    }
    if (best == NULL)
        return NULL;
    double z = darc_stats_normal_quantile(1 - alpha / m->tested);
    z += sqrt(e->fit.smoothing);
    *low = defect * sqrt(best->explains) * fmax(0, 1 - z / sqrt(best->z2));
    return best;
}

/* Whether sums over samples may have made what is left.  Under noise of any
 * colour the noise is taken from that; where there is none, terms stand out of
 * it by any number of standard deviations. */
static bool is_numeric(const darc_evidence *e)
{
    double most = 0;
    for (int q = 0; q < e->x->equations; q++)
        most = fmax(most, sqrt(e->fit.y[q].residual) / e->est.eq[q].size);
    return !e->sure && most <= DARC_SUMS_ERROR;
}

/* Whether the spectrum of all noise is known: what is seen of it above the band
 * of a signal says nothing of it inside. */
static bool is_known(const darc_evidence *e)
{
    const darc_regression *r = &e->fit.r;
    bool known = true;
    for (int u = 0; u < r->unknowns && known; u++)
        known = r->at[u] < 0 || r->noise[u].colour < DARC_COLOUR_WHITE ||
                e->x->by->colour == DARC_ASSUME_WHITE;
    return known;
}

/* Whether the residual decides: where all noise is known. */
static bool is_sure(const darc_evidence *e)
{
    return is_known(e) || !e->missing.asked;
}

/* Whether a test says that the equations leave more than noise, or so much
 * remains that it may be more. */
static bool is_refused(const darc_evidence *e)
{
    double alpha = e->x->by->alpha, side = e->sure ? DARC_SIDE_SHARE : 1;
    bool rejects = e->fit.white.p_value < DARC_PAIR_GATE * alpha;
    bool refused = e->sure && rejects;
    for (int i = 0; i < e->missing.count && !refused; i++)
        refused = e->missing.term[i].p_value < side * alpha;
    for (int q = 0; q < e->est.equations; q++)
        refused =
            refused || (rejects && e->est.eq[q].defect.high > DARC_LITTLE);
    return refused;
}

/* Whether any derivatives would fit as well, to within `bound`: where the
 * equation is refused, or most terms that it may lack look like its own. */
static bool is_simple(const darc_evidence *e, int q, double bound)
{
    const darc_estimates_equation *eq = e->est.eq + q;
    double least = darc_evidence_detectable(e, q);
    return eq->arbitrary < DARC_ARBITRARY * bound &&
           fmax(eq->defect.high, least) >= DARC_ARBITRARY * eq->excited &&
           (e->refused || !darc_missing_shows(&e->missing, q, bound / least));
}

/* Take what the equations leave for noise, whose colour they show, unless it is
 * more. */
static darc_status take_errors(darc_evidence *e, darc_err *err)
{
    bool exact = !(e->x->by->tolerance > 0);
    double loud = 0;
    e->sure = is_sure(e);
    e->refused = is_refused(e);
    if (!e->refused && !is_known(e)) {
        DARC_NEED(darc_errors_take(&e->fit.fit, &loud, &e->fit.spectrum,
                                   e->fit.weak, e->x->budget, err));
        e->fit.loud = fmax(1, loud);
        darc_estimates_clear(&e->est);
        darc_estimates_init(&e->est, &e->fit, e->x, e->x->by->alpha);
    }
    e->est.misfit = exact && e->refused;
    for (int q = 0; q < e->est.equations; q++)
        e->est.simple =
            e->est.simple ||
            is_simple(e, q, fmax(e->x->by->tolerance, DARC_MEANING));
    return DARC_OK;
}

static void combine_tests(darc_evidence *e)
{
    bool bound = e->bind.count > 0 && e->fit.fit.converged &&
                 e->bound.settled && !is_smoothed(e);
    bool named = e->x->by->against > 0;
    double side = DARC_SIDE_SHARE;
    bool terms = e->missing.tested > 0 && e->sure;
    bool estimated = e->fit.weak->margin > 0; /* noise goes with signals then */
    bool past = !e->sure && !named && !estimated && !is_numeric(e);
    double rest =
        1 - side * ((bound ? 1 : 0) + (terms ? 1 : 0) + (past ? 1 : 0));
    double least = 1;
    for (int i = 0; i < e->missing.count; i++)
        least = fmin(least, e->missing.term[i].p_value);
    e->level = named ? side : rest;
    e->p_residual = fmin(1, e->fit.white.p_value / e->level);
    e->level_missing = named || !e->sure ? rest : side;
    e->p_missing = is_numeric(e) ? 1 : allow_both(e, least, e->level_missing);
    double relations = allow_smoothing(e, e->bound.p_value, e->bound.dof);
    e->p_relations = bound ? fmin(1, relations / side) : 1;
    e->p_past = past ? allow_both(e, e->missing.p_past, side) : 1;
    e->p_value = fmin(fmin(e->p_missing, e->p_past), e->p_relations);
    if (e->sure)
        e->p_value = fmin(e->p_value, e->p_residual);
}

/* Of terms that the user names: the one found last. */
static double detectable_term(const darc_evidence *e, int q, double lambda)
{
    double most = 0, alpha = e->x->by->alpha * e->level_missing;
    double ncp = darc_stats_detectable_ncp(
        1, HUGE_VAL, alpha / fmax(1, e->missing.tested), DARC_POWER);
    for (int i = 0; i < e->missing.count; i++) {
        const darc_missing *m = e->missing.term + i;
        if (m->equation == q && m->z2 > 0)
            most = fmax(most, sqrt(ncp * m->drop / m->z2 / lambda));
    }
    return most;
}

/* Return the information on the size of the largest term, free of what takes up
 * an origin. */
static double lead_information(const darc_gls *g, const darc_yardstick *y)
{
    int n = g->coeffs, l = y->first + (y->lead < 0 ? 0 : y->lead);
    double info = g->info[l * (n + 1)];
    if (y->offset >= 0) {
        int o = y->first + y->offset;
        double own = g->info[o * (n + 1)], both = g->info[l * n + o];
        info -= own > 0 ? both * both / own : 0;
    }
    return g->c[l] * g->c[l] * info;
}

double darc_evidence_detectable(const darc_evidence *e, int q)
{
    const darc_gls *g = &e->fit.white;
    const darc_yardstick *y = e->fit.y + q;
    double lead = y->lead >= 0 ? y->size[y->lead] : 0;
    double lambda =
        e->x->by->against > 0 ? lead_information(g, y) : lead * lead * y->shows;
    double alpha = e->level * e->x->by->alpha;
    if (!(g->dof > 0 && g->noise_dof > 0)) /* nothing was tested */
        return HUGE_VAL;
    double ncp =
        darc_stats_detectable_ncp(g->dof, g->noise_dof, alpha, DARC_POWER);
    if (!e->sure && e->fit.white.p_value < e->x->by->alpha) {
        if (!(e->missing.dof > 0))
            return HUGE_VAL;
        lambda = lead_information(g, y) * e->missing.gain[q];
        ncp = darc_stats_detectable_ncp(
            1, e->missing.dof, e->x->by->alpha / fmax(1, e->missing.tested),
            DARC_POWER);
    }
    if (!(lambda > 0) || (e->x->by->against > 0 && e->missing.tested == 0))
        return HUGE_VAL;
    return e->x->by->against > 0
               ? detectable_term(e, q, lambda)
               : (sqrt(ncp) + sqrt(e->fit.smoothing)) / sqrt(lambda);
}

bool darc_evidence_is_simple(const darc_evidence *e, int q)
{
    double tolerance = e->x->by->tolerance;
    return is_simple(e, q, tolerance > 0 ? tolerance : DARC_MEANING);
}

bool darc_evidence_is_blamed(const darc_evidence *s, int q)
{
    double low, most = 0, own = 0;
    bool any = false;
    for (int i = 0; i < s->est.equations; i++) {
        const darc_defect *f = &s->est.eq[i].defect;
        bool shows = f->seen > 0 || (s->p_missing < s->x->by->alpha &&
                                     darc_evidence_term(s, i, &low) != NULL);
        double share = f->high > 0 ? f->defect / f->high : 0;
        if (i == q && shows)
            return true;
        any = any || shows;
        most = fmax(most, share);
        own = i == q ? share : own;
    }
    return !any && own >= most;
}

darc_status darc_evidence_take(darc_evidence *e, const darc_question *x,
                               const darc_table *table, darc_err *err)
{
    double alpha = x->by->alpha;
    *e = (darc_evidence){.x = x, .level = 1, .level_missing = 1};
    DARC_NEED(darc_fit_init(&e->fit, x, table, alpha, err));
    darc_estimates_init(&e->est, &e->fit, x, alpha);
    DARC_NEED(look_for_terms(e, e->fit.weak->table, err));
    return take_errors(e, err);
}

darc_status darc_evidence_init(darc_evidence *e, const darc_question *x,
                               const darc_table *table, darc_err *err)
{
    DARC_NEED(darc_evidence_take(e, x, table, err));
    e->where = darc_calloc((size_t)x->equations, sizeof *e->where);
    for (int q = 0; q < x->equations && x->io->count > 1; q++) {
        int y = darc_question_equation(x, q)->leader.unknown;
        snprintf(e->where[q], sizeof e->where[q], " in the equation of %s",
                 x->io->jet->names->symbol[y].name);
    }
    DARC_NEED(test_relations(e, err));
    combine_tests(e);
    return DARC_OK;
}

void darc_evidence_clear(darc_evidence *e)
{
    darc_missing_clear(&e->missing);
    darc_constraint_clear(&e->bound);
    darc_bindings_clear(&e->bind);
    darc_estimates_clear(&e->est);
    darc_fit_clear(&e->fit);
    darc_free(e->where);
    *e = (darc_evidence){0};
}
