#include "terms/missing.h"

#include "base/mem.h"
#include "stats/dense.h"
#include "stats/sandwich.h"
#include "stats/stats.h"
#include "terms/likelihood.h"
#include "terms/noisy.h"
#include "terms/offers.h"
#include "weak/origin.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    darc_offers o;
    darc_centred about; /* the mean, unless the user names the terms */
    darc_weak *weak;
    darc_gls fit;
    bool asked; /* by likelihood ratios */
    darc_likelihood by;
    darc_likelihood_sight *sight; /* by candidate that is tested; owned */
    int *coeff;                   /* likewise: its coefficient; owned */
} term_search;

/* Set m to the metric of the extended system, at the coefficients of the fit;
 * those of candidates are 0. */
static void set_metric(darc_metric *m, const term_search *s)
{
    const darc_weak *weak = s->weak, *own = s->o.f->weak;
    double *c = darc_calloc((size_t)weak->coeffs, sizeof *c);
    int *offset = darc_calloc((size_t)weak->equations, sizeof *offset);
    for (int q = 0; q < weak->equations; q++)
        memcpy(c + weak->first[q], s->about.c + own->first[q],
               (size_t)(own->first[q + 1] - own->first[q]) * sizeof *c);
    darc_origin_offsets(offset, own);
    for (int q = 0; q < weak->equations; q++)
        offset[q] =
            offset[q] < 0 ? -1 : offset[q] - own->first[q] + weak->first[q];
    darc_metric_init(m, weak, c, offset);
    DARC_FREE(c, offset);
}

static darc_status fit_extended(term_search *s, darc_err *err)
{
    const darc_fit *f = s->o.f;
    size_t e = (size_t)f->r.equations;
    const darc_total_struct **total = darc_calloc(e, sizeof *total);
    int *model = darc_calloc(e, sizeof *model);
    darc_gls from = f->fit;
    from.c = s->about.c;
    for (size_t q = 0; q < e; q++) {
        total[q] = s->o.total + q;
        model[q] = f->r.total[q].coeffs;
    }
    darc_weak_data data = {
        .table = s->o.table,
        .signal = s->o.signal,
        .channel = s->o.channel,
        .channels = s->o.channels,
        .steps = f->r.steps,
        .support = f->weak->support,
        .threads = s->o.x->by->threads,
        .every = s->o.x->by->against == 0
                     ? darc_weak_stride(f->weak,
                                        f->weak->pieces / DARC_MISSING_PIECES)
                     : 0};
    darc_gls_task task = {.model = model,
                          .settled = f->r.settled,
                          .start = &from,
                          .stay = true,
                          .budget = s->o.x->budget};
    darc_metric metric = {0};
    darc_status status =
        darc_weak_new(&s->weak, total, f->r.equations, &data, err);
    if (status == DARC_OK && f->misfit) {
        set_metric(&metric, s);
        task.metric = &metric;
        task.rho = f->rho;
    }
    if (status == DARC_OK) {
        task.weak = s->weak;
        status = darc_gls_fit(&s->fit, &task, err);
    }
    if (status == DARC_OK && s->o.all == NULL)
        status = darc_likelihood_init(&s->by, &s->asked, s->weak, &s->fit,
                                      s->o.x->budget, err);
    darc_metric_clear(&metric);
    DARC_FREE(total, model);
    return status;
}

/* Whether a candidate that nobody names holds an input that a controller
 * computed: the noise of the outputs is in it, as in the residual. */
static bool is_fed_back(const term_search *s, const darc_candidate *c)
{
    const darc_regression *r = &s->o.f->r;
    bool fed = false;
    for (int i = 0; i < c->count; i++)
        fed = fed || r->noise[c->f[i].d.unknown].colour == DARC_COLOUR_COMPUTED;
    return fed && s->o.x->by->against == 0;
}

/* What column j may hold besides term i to be the same: of a column of the
 * recording that is twice what the noise of both makes, besides. */
static double alike(const term_search *s, int j, int i)
{
    const darc_gls *f = &s->fit;
    int d = f->coeffs + 1;
    double own = f->info[j * d] + f->noise[j * d];
    double other = f->info[i * d] + f->noise[i * d];
    return s->o.all == NULL
               ? DARC_MISSING_ALIASED * own
               : DARC_MISSING_AGAIN * own +
                     2 * (f->noise[j * d] + f->noise[i * d] * own / other);
}

/* Whether coefficient j of equation q is one of the model's terms again, but
 * for a constant, as far as this recording goes: u^3 is u where u has two
 * values. What noise adds is not taken off, or the difference would stand for
 * the term. (All terms together make any that is missing.) */
static bool is_alias(const term_search *s, int q, int j, double *room)
{
    const darc_gls *fit = &s->fit;
    int m = fit->coeffs, first = s->weak->first[q];
    double left, *raw = darc_calloc((size_t)m * (size_t)m, sizeof *raw);
    bool alias = false, *off = darc_calloc((size_t)m, sizeof *off);
    int offset = darc_origin_offset(s->o.f->weak, q);
    for (int i = 0; i < m * m; i++)
        raw[i] = fit->info[i] + fit->noise[i];
    if (offset >= 0)
        off[first + offset - s->o.f->weak->first[q]] = true;
    for (int i = 0; i < s->o.f->r.total[q].coeffs && !alias; i++) {
        bool was = off[first + i];
        off[first + i] = true;
        alias = darc_project_off(raw, m, off, j, room, &left) &&
                left <= alike(s, j, first + i);
        off[first + i] = was;
    }
    DARC_FREE(raw, off);
    return alias;
}

/* Return the coefficient of a constant that is a candidate of equation q; -1:
 * there is none. */
static int constant_of(const term_search *s, int q)
{
    for (int i = 0; i < s->o.offer[q].count; i++)
        if (darc_candidate_is_constant(s->o.offer[q].list + i) &&
            s->o.offer[q].coeff[i] >= 0)
            return s->weak->first[q] + s->o.offer[q].coeff[i];
    return -1;
}

/* Whether coefficient j of equation q is but for the model's terms a constant
 * in this recording, which is a candidate itself: of an input that has two
 * values every power is. */
static bool is_level(const term_search *s, int q, int j, double *room)
{
    const darc_gls *fit = &s->fit;
    size_t m = (size_t)fit->coeffs;
    int k = constant_of(s, q);
    double left;
    if (k < 0 || k == j)
        return false;
    bool *off = darc_malloc(m * sizeof *off);
    memcpy(off, fit->free, m * sizeof *off);
    off[k] = true;
    bool level =
        darc_project_off(fit->info, fit->coeffs, off, j, room, &left) &&
        left <= DARC_MISSING_ALIASED * fit->info[j * (fit->coeffs + 1)];
    darc_free(off);
    return level;
}

/* Project the score of coefficient j off the free ones: a holds the weights of
 * the scores, *info the information left, *noise the share that noise makes of
 * it.  Return whether that is the candidate's own: neither the model's terms
 * again nor mostly noise. */
static bool project_score(const term_search *s, int q, int j, double *a,
                          double *info, double *noise)
{
    const darc_gls *fit = &s->fit;
    int m = fit->coeffs;
    if (is_alias(s, q, j, a) || is_level(s, q, j, a) ||
        !darc_project_off(fit->info, m, fit->free, j, a, info))
        return false;
    *noise = darc_dense_quadratic(fit->noise, a, m) / *info;
    return *info > DARC_MISSING_ALIASED * fit->info[j * (m + 1)] &&
           *noise <= DARC_MISSING_NOISE;
}

/* Test candidate i of equation q, whose information becomes *info; return false
 * where it cannot be told from the model's own terms, or from noise. */
static bool test_candidate(darc_missing *out, double *info,
                           const term_search *s, int q, int i)
{
    const darc_gls *fit = &s->fit;
    const darc_candidate *what = s->o.offer[q].list + i;
    int n = fit->coeffs, own = s->o.offer[q].coeff[i];
    double *a = darc_calloc((size_t)n, sizeof *a);
    double noise, score = 0;
    bool told = own >= 0 && !darc_noisy_is(&s->o, s->weak, what) &&
                !is_fed_back(s, what) &&
                project_score(s, q, s->weak->first[q] + own, a, info, &noise);
    for (int j = 0; j < n && told; j++)
        score += a[j] * fit->score[j];
    double variance = told ? darc_dense_quadratic(fit->score_cov, a, n) : 0;
    darc_free(a);
    if (!told || !(variance > 0))
        return false;
    *out = (darc_missing){.equation = q, .what = *what, .noise = noise};
    int k = s->weak->first[q] + own;
    out->drop = score * score / *info;
    out->whole = sqrt(fit->info[k * (n + 1)] / *info);
    /* The covariance of a misfit is that of the whole residual, to which a
     * missing term contributes most.  What is left of the variance once the
     * term is in the model is the fraction 1 - R^2, R^2 = drop / Q: the Wald
     * statistic is the score statistic over it, as in linear regression.  Where
     * nothing is missing R^2 is of the order 1 / (independent moments) and both
     * agree. */
    if (fit->misfit && fit->q > 0)
        variance *= fmax(DARC_MISSING_LEAST, 1 - out->drop / fit->q);
    out->z2 = score * score / variance;
    out->p_value = fit->misfit
                       ? 2 * darc_stats_t_sf(sqrt(out->z2), fit->error_dof)
                       : darc_stats_chi2_sf(out->z2, 1);
    out->value = -score / *info;
    out->sd = sqrt(variance) / *info;
    /* Under a misfit every equation has an equal part in Q: its residual is
     * measured by itself. */
    double defect =
        fit->misfit ? fit->q / s->o.f->r.equations : fit->q - fit->dof;
    out->explains = fmin(1, out->drop / fmax(1, defect));
    return true;
}

/* How many sights show more than one, by score or by what they explain. */
static int rank_of(const darc_likelihood_sight *sight, int count, int i)
{
    int score = 0, drop = 0;
    for (int k = 0; k < count; k++) {
        score += sight[k].score > sight[i].score;
        drop += sight[k].drop > sight[i].drop;
    }
    return score < drop ? score : drop;
}

/* Test those by likelihood ratios that show most; others are none, and a
 * constant beside noise that is not white is told of only. */
static void ask_ratios(darc_missings *out, darc_missing *term, int count,
                       const term_search *s)
{
    double alpha = s->o.x->by->alpha / (count + 1);
    for (int i = 0; i < count; i++) {
        darc_missing *m = term + i;
        int rank = rank_of(s->sight, count, i);
        m->p_value = 1;
        m->z2 = s->sight[i].score;
        if (rank >= DARC_MISSING_ASKED)
            continue;
        darc_ratio_test said =
            s->by.ratio.coloured && darc_candidate_is_constant(&m->what)
                ? darc_likelihood_at_zero(&s->by, s->coeff[i])
                : darc_likelihood_ask(&s->by, s->coeff[i],
                                      rank < DARC_MISSING_AGAIN_ASKED, alpha);
        if (s->o.x->by->against == 0 &&
            m->noise * said.left > DARC_MISSING_LOUD) {
            out->loud = out->loud || said.p_value < alpha;
            continue;
        }
        m->p_value = said.p_value;
        m->z2 = said.t2;
        m->value = said.value;
        m->sd = said.sd;
    }
}

/* Return a coefficient of equation q whose terms hold inputs without noise
 * alone, of the lowest order; -1: there is none. */
static int driven_by(const term_search *s, int q)
{
    const darc_fit *f = s->o.f;
    const darc_total_struct *total = f->r.total + q;
    int best = -1, least = INT_MAX;
    for (int j = 0; j < total->coeffs; j++) {
        bool driven = false, other = false;
        int order = 0;
        for (int i = 0; i < total->count; i++) {
            const darc_total_term *t = total->term + i;
            for (int v = 0; v < total->vars && t->coeff == j; v++) {
                int u = total->var[v].unknown;
                if (!darc_total_holds(t, v))
                    continue;
                bool own = f->r.at[u] >= 0 && !f->r.signal[u].output &&
                           !darc_regression_is_noisy(&f->r, s->o.x, u);
                driven = driven || own;
                other = other || !own;
                order += t->order + total->var[v].order;
            }
        }
        if (driven && !other && order < least) {
            least = order;
            best = s->weak->first[q] + j;
        }
    }
    return best;
}

/* Test the products of equation q together: of a function that is no candidate
 * each of them explains a part.  Those that hold too much of the noise which
 * all of them leave are left out then. */
static double test_products(const term_search *s, int q, const darc_missing *m,
                            int count, double alpha)
{
    int *coeff = darc_calloc((size_t)count + 1, sizeof *coeff);
    darc_ratio_test said = {.p_value = 0};
    for (int all = 1; all >= 0 && said.p_value < alpha; all--) {
        int own = 0;
        for (int i = 0; i < count; i++)
            if (m[i].equation == q && darc_noisy_degree(&m[i].what, 0) > 1 &&
                (all || m[i].noise * said.left <= DARC_MISSING_LOUD))
                coeff[own++] = s->coeff[i];
        said = darc_likelihood_together(&s->by, coeff, own, alpha);
    }
    darc_free(coeff);
    return said.p_value;
}

/* Test what no candidate stands for: what inputs did before, and functions of
 * signals. */
static void test_others(darc_missings *out, const term_search *s,
                        const darc_missing *m, int count)
{
    int equations = s->weak->equations;
    int *input = darc_calloc((size_t)equations, sizeof *input);
    for (int q = 0; q < equations; q++)
        input[q] = driven_by(s, q);
    double alpha = s->o.x->by->alpha * DARC_PAST_SHARE / 2;
    out->p_past = darc_likelihood_past(&out->past, &s->by, input, alpha);
    for (int q = 0; q < equations; q++) {
        double p =
            s->o.x->by->pulses
                ? 1
                : test_products(s, q, m, count, alpha / equations) * equations;
        out->products |= p < out->p_past;
        out->past = p < out->p_past ? q : out->past;
        out->p_past = fmin(out->p_past, p);
    }
    out->p_past = fmin(1, 2 * out->p_past);
    darc_free(input);
}

static void take_gains(darc_missings *out, const term_search *s)
{
    const darc_weak *weak = s->weak;
    out->coloured = s->by.ratio.coloured;
    out->dof = (double)s->by.kept - s->by.ratio.columns - 1;
    out->gain =
        darc_realloc(out->gain, (size_t)weak->equations, sizeof(double));
    for (int q = 0; q < weak->equations; q++) {
        int lead = s->o.f->y[q].lead;
        out->gain[q] = darc_likelihood_gain(&s->by, weak->first[q] +
                                                        (lead < 0 ? 0 : lead));
    }
}

/* Look at the candidate of coefficient j.  Of what rows that are left out tell
 * of it, less of its noise stands there: it lasts, a step is over. */
static darc_likelihood_sight sight_of(darc_missing *term, const term_search *s,
                                      int j, double info)
{
    darc_likelihood_sight sight = darc_likelihood_look(&s->by, j);
    if (sight.info < info)
        term->noise *= info / sight.info;
    return sight;
}

static int cmp_explains(const void *x, const void *y)
{
    const darc_missing *a = x, *b = y;
    int by = (a->explains < b->explains) - (a->explains > b->explains);
    return by != 0 ? by : (a->drop < b->drop) - (a->drop > b->drop);
}

static bool is_linear(const darc_candidate *c)
{
    return darc_noisy_degree(c, 2) <= 1;
}

/* Test all candidates, and put them among those that were found before. */
static void test_all(darc_missings *out, term_search *s)
{
    darc_missings own = {.count = 0};
    bool named = s->o.x->by->against > 0;
    size_t most = (size_t)s->o.f->r.equations * DARC_CANDIDATES;
    own.term = darc_calloc(most, sizeof *own.term);
    s->sight = darc_calloc(most, sizeof *s->sight);
    s->coeff = darc_calloc(most, sizeof *s->coeff);
    for (int q = 0; q < s->o.f->r.equations; q++) {
        for (int i = 0; i < s->o.offer[q].count; i++) {
            if (s->o.all == NULL)
                out->offered[q][!is_linear(s->o.offer[q].list + i)]++;
            darc_missing *term = own.term + own.count;
            double info;
            if (!test_candidate(term, &info, s, q, i))
                continue;
            int k = s->weak->first[q] + s->o.offer[q].coeff[i];
            if (s->asked)
                s->sight[own.count] = sight_of(term, s, k, info);
            s->coeff[own.count] = k;
            own.count += !s->asked || named ||
                         s->sight[own.count].rest > DARC_MISSING_APART;
        }
    }
    if (s->asked) {
        ask_ratios(out, own.term, own.count, s);
        take_gains(out, s);
        if (!named)
            test_others(out, s, own.term, own.count);
    }
    double **p = darc_calloc((size_t)own.count + 1, sizeof *p);
    for (int k = 0; k < own.count; k++)
        p[k] = &own.term[k].p_value;
    darc_stats_holm(p, own.count);
    darc_free(p);
    out->tested += own.count;
    out->asked |= s->asked;
    size_t all = (size_t)(out->count + own.count);
    out->term = darc_realloc(out->term, all + 1, sizeof *out->term);
    memcpy(out->term + out->count, own.term,
           (size_t)own.count * sizeof *own.term);
    out->count += own.count;
    qsort(out->term, all, sizeof *out->term, cmp_explains);
    darc_free(own.term);
}

darc_status darc_missing_beside(darc_missings *out, const darc_fit *f,
                                const darc_question *x, const darc_table *table,
                                const darc_table *all, darc_err *err)
{
    darc_status status = DARC_OK;
    int columns = all != NULL ? all->signals : 1; /* NULL: terms of signals */
    for (int i = 0; i < columns && status == DARC_OK; i += DARC_MISSING_SIGNS) {
        term_search s = {
            .o = {.f = f, .x = x, .table = table, .all = all, .from = i}};
        status = darc_offers_open(&s.o, err);
        darc_centred_init(&s.about, f->weak, f->fit.c, s.o.signal,
                          x->by->against > 0 ? 0 : f->r.unknowns);
        if (status == DARC_OK)
            status = fit_extended(&s, err);
        if (status == DARC_OK)
            test_all(out, &s);
        darc_centred_clear(&s.about);
        darc_gls_clear(&s.fit);
        darc_likelihood_clear(&s.by);
        DARC_FREE(s.sight, s.coeff);
        darc_weak_free(s.weak);
        darc_offers_clear(&s.o);
    }
    return status;
}

darc_status darc_missing_find(darc_missings *out, const darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              darc_err *err)
{
    size_t equations = (size_t)f->r.equations;
    *out = (darc_missings){.p_past = 1};
    out->offered = darc_calloc(equations, sizeof *out->offered);
    return darc_missing_beside(out, f, x, table, NULL, err);
}

bool darc_missing_shows(const darc_missings *m, int q, double share)
{
    int found[2] = {0};
    for (int i = 0; i < m->count; i++)
        if (m->term[i].equation == q && m->term[i].whole <= share)
            found[!is_linear(&m->term[i].what)]++;
    return m->offered != NULL && found[0] + found[1] > 0 &&
           found[0] >= DARC_TELLING * m->offered[q][0] &&
           found[1] >= DARC_TELLING * m->offered[q][1];
}

void darc_missing_clear(darc_missings *m)
{
    DARC_FREE(m->term, m->gain, m->offered);
    *m = (darc_missings){0};
}
