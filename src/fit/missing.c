#include "fit/missing.h"

#include "base/mem.h"
#include "fit/candidate.h"
#include "stats/stats.h"
#include "weak/gls_inside.h"
#include "weak/smoother.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 };

/* A candidate whose information, free of the model's own terms, is less than
 * this share of its own, cannot be told from them. */
static const double ALIASED = 1e-6;

typedef struct {
    const darc_weakfit *f;
    const darc_table *table;
    const darc_jet_struct *jet;
    darc_candidate list[DARC_CANDIDATES];
    int count;
    int coeff[DARC_CANDIDATES]; /* in the extended total; -1: not possible */
    darc_total_t total;
    int signs; /* signals that are signs of derivatives, taken as exact: they
                  are wrong only where the derivative passes through 0 */
    darc_weak_signal *signal; /* by unknown, sign signals behind; owned */
    int nuisance; /* an offset that noise of unknown size makes through powers
                     of signals, fitted besides; -1: none */
    darc_weak *weak;
    darc_gls fit;
    double drop[DARC_CANDIDATES], z2[DARC_CANDIDATES], p[DARC_CANDIDATES];
    double value[DARC_CANDIDATES], sd[DARC_CANDIDATES];
} search;

/* Append candidate i to the total. */
static int append(search *s, int i)
{
    const darc_candidate *c = s->list + i;
    int extra = -1;
    for (int k = 0; k < c->count; k++)
        if (c->f[k].sign) {
            int unknown = s->f->unknowns + s->signs;
            if (s->signs == DARC_LAURENT_VARS ||
                s->signal[c->f[k].d.unknown].value == NULL ||
                c->f[k].d.order > DARC_SMOOTHER_DEGREE)
                return -1;
            s->signal[unknown] =
                (darc_weak_signal){.value = s->signal[c->f[k].d.unknown].value,
                                   .sign = true,
                                   .order = c->f[k].d.order};
            s->signs++;
            extra = darc_total_extend(s->total, unknown);
        }
    int *e = darc_calloc((size_t)s->total->vars, sizeof *e);
    bool possible = true;
    for (int k = 0; k < c->count; k++) {
        int v = c->f[k].sign ? extra : darc_total_var(s->total, c->f[k].d);
        possible = possible && v >= 0;
        if (v >= 0)
            e[v] += c->f[k].power;
    }
    int coeff = possible ? darc_total_append(s->total, e) : -1;
    darc_free(e);
    return coeff;
}

static darc_status open_search(search *s, const darc_weakcheck_options *o,
                               const darc_ioeqs_t io, int e, darc_err *err)
{
    darc_status status = DARC_OK;
    size_t n = (size_t)s->f->unknowns;
    s->signal = darc_calloc(n + DARC_LAURENT_VARS, sizeof *s->signal);
    bool *skip = darc_calloc(n, sizeof *skip);
    for (size_t u = 0; u < n; u++) {
        const darc_noisemodel *noise = s->f->noise + u;
        skip[u] = noise->kernel == NULL || noise->kind == DARC_NOISE_NONE;
        int c = noise->kernel == NULL
                    ? -1
                    : darc_table_find(s->table, s->jet->names->symbol[u].name);
        if (c >= 0)
            s->signal[u] = (darc_weak_signal){
                .value = s->table->signal[c].value,
                .noise = noise,
                .times = s->f->times != NULL ? s->f->times[u] : 1};
    }
    darc_total_set(s->total, s->f->total);
    for (int i = 0; i < o->against && i < DARC_CANDIDATES; i++)
        DARC_TRY(darc_candidate_parse(s->list + s->count++, o->against_term[i],
                                      s->jet->names, err));
    if (o->against == 0)
        s->count =
            darc_candidates_list(s->list, s->total, skip, io->eq + e, s->jet);
    for (int i = 0; i < s->count; i++) {
        s->coeff[i] =
            s->total->coeffs < DARC_WEAK_MAX_COEFFS ? append(s, i) : -1;
        if (s->coeff[i] < 0 && o->against > 0)
            DARC_TRY(darc_fail(err, DARC_DOMAIN,
                               "term '%s' needs a derivative that the "
                               "relation does not reach",
                               o->against_term[i]));
    }
done:
    darc_free(skip);
    return status;
}

static void close_search(search *s)
{
    darc_free(s->signal);
    darc_gls_clear(&s->fit);
    darc_weak_free(s->weak);
    darc_total_clear(s->total);
}

/* Project the score of coefficient j off the fitted ones: a holds the weights
 * of the scores, *info the information left. */
static bool project_score(const search *s, int j, double *a, double *info)
{
    const darc_gls *fit = &s->fit;
    int n = 0, *index = darc_calloc((size_t)fit->model + 1, sizeof *index);
    double *b = darc_calloc((size_t)fit->model + 1, sizeof *b);
    for (int i = 0; i < fit->model; i++)
        if (i != fit->reference) {
            b[n] = fit->info[i * fit->coeffs + j];
            index[n++] = i;
        }
    if (s->nuisance >= 0 && s->nuisance != j) {
        b[n] = fit->info[s->nuisance * fit->coeffs + j];
        index[n++] = s->nuisance;
    }
    bool ok = darc_gls_solve(fit->info, fit->coeffs, index, n, b, 1);
    double own = fit->info[j * fit->coeffs + j];
    *info = own;
    memset(a, 0, (size_t)fit->coeffs * sizeof *a);
    a[j] = 1;
    for (int i = 0; i < n && ok; i++) {
        a[index[i]] = -b[i];
        *info -= b[i] * fit->info[index[i] * fit->coeffs + j];
    }
    darc_free(index);
    darc_free(b);
    return ok && j != s->nuisance && *info > ALIASED * own;
}

/* The robust covariance is that of the whole residual, to which a missing
 * term contributes most.  What is left of the variance once the term is in
 * the model is the fraction 1 - R^2, R^2 = drop / Q: the Wald statistic is
 * the score statistic over it, as in linear regression.  Where nothing is
 * missing R^2 is of the order 1 / (independent moments) and both agree. */
static double left_by_term(const darc_gls *fit, double drop)
{
    if (!fit->robust || !(fit->q_here > 0))
        return 1;
    return fmax(1e-12, 1 - drop / fit->q_here);
}

static void test_candidate(search *s, int i)
{
    const darc_gls *fit = &s->fit;
    int n = fit->coeffs;
    double *a = darc_calloc((size_t)n, sizeof *a);
    double info, score = 0, variance = 0;
    s->p[i] = 1;
    if (s->coeff[i] >= 0 && project_score(s, s->coeff[i], a, &info)) {
        for (int j = 0; j < n; j++) {
            score += a[j] * fit->score[j];
            for (int k = 0; k < n; k++)
                variance += a[j] * fit->score_cov[j * n + k] * a[k];
        }
        s->drop[i] = score * score / info;
        variance *= left_by_term(fit, s->drop[i]);
        s->z2[i] = variance > 0 ? score * score / variance : 0;
        s->p[i] = fit->robust
                      ? 2 * darc_stats_t_sf(sqrt(s->z2[i]), fit->hac_dof)
                      : darc_stats_chi2_sf(s->z2[i], 1);
        s->value[i] = -score / info;
        s->sd[i] = sqrt(fmax(0, variance)) / info;
    }
    darc_free(a);
}

/* Holm: the k-th smallest of n is multiplied by n - k, kept rising. */
static void correct_by_holm(search *s)
{
    int order[DARC_CANDIDATES] = {0};
    for (int i = 0; i < s->count; i++) {
        int k = i;
        for (; k > 0 && s->p[order[k - 1]] > s->p[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    double least = 0;
    for (int k = 0; k < s->count; k++) {
        double p = fmin(1, s->p[order[k]] * (s->count - k));
        least = fmax(least, p);
        s->p[order[k]] = least;
    }
}

static void list_terms(darc_weakcheck *out, const search *s, double alpha,
                       bool all, double unit)
{
    bool listed[DARC_CANDIDATES] = {false};
    double excess = fmax(1, s->fit.q_here - s->fit.dof);
    out->missing_term = darc_calloc(DARC_CANDIDATES, sizeof(darc_missing_term));
    while (out->missing < SHOWN) {
        int best = -1;
        for (int i = 0; i < s->count; i++)
            if (!listed[i] && (all || s->p[i] < alpha) &&
                (best < 0 || s->drop[i] > s->drop[best]))
                best = i;
        if (best < 0)
            return;
        listed[best] = true;
        darc_text_t t;
        darc_text_init(t);
        darc_candidate_print(t, s->list + best, s->jet->names);
        out->missing_term[out->missing++] =
            (darc_missing_term){.term = darc_text_take(t),
                                .p_value = s->p[best],
                                .explains = fmin(1, s->drop[best] / excess),
                                .value = s->value[best] / unit,
                                .sd = s->sd[best] / fabs(unit)};
        if (out->missing == 1) {
            darc_candidate_say(t, s->list + best, s->jet->names);
            darc_weakcheck_note(out, "%s explains %.0f %% of the defect", t->s,
                                100 * out->missing_term[0].explains);
        }
        darc_text_clear(t);
    }
}

/* The directed test replaces an omnibus test that found nothing. */
static void decide_directed(darc_weakcheck *out, const search *s,
                            const darc_weakcheck_options *o, double lambda)
{
    darc_decision *d = &out->decision;
    int best = 0;
    for (int i = 1; i < s->count; i++)
        best = s->z2[i] > s->z2[best] ? i : best;
    double alpha = o->alpha / s->count;
    if (d->verdict == DARC_INCONSISTENT)
        return;
    d->statistic = s->z2[best];
    d->dof = 1;
    d->p_value = s->p[best];
    d->defect = sqrt(s->drop[best] / lambda);
    double scale = sqrt(s->drop[best] / fmax(1e-300, s->z2[best]) / lambda);
    /* one degree of freedom: the root of the statistic is normal */
    double z = darc_stats_normal_quantile(1 - alpha);
    d->defect_low = scale * fmax(0, sqrt(s->z2[best]) - z);
    d->defect_high = scale * (sqrt(s->z2[best]) + z);
    d->detectable = scale * sqrt(darc_stats_detectable_ncp(1, alpha, 0.9));
    const char *term = o->against_term[best];
    if (d->p_value < o->alpha && d->defect_low > o->tolerance) {
        d->verdict = DARC_INCONSISTENT;
        snprintf(d->reason, sizeof d->reason,
                 "the term %s is missing: it makes %.3g %% of the leading "
                 "term, with %.1f standard deviations",
                 term, 100 * d->defect, sqrt(s->z2[best]));
    } else if (d->verdict == DARC_CONSISTENT)
        snprintf(d->reason, sizeof d->reason,
                 "no term tested is missing; %s would have been found from "
                 "%.2g %% of the leading term on",
                 term, 100 * d->detectable);
}

darc_status darc_missing_terms(darc_weakcheck *out, double *least_p,
                               const darc_weakfit *f, const darc_ioeqs_t io,
                               int e, const darc_table *table,
                               const darc_weakcheck_options *o,
                               const darc_budget *budget, darc_err *err)
{
    darc_status status;
    search *s = darc_calloc(1, sizeof *s);
    *least_p = 1;
    s->f = f;
    s->table = table;
    s->jet = io->jet;
    DARC_TRY(open_search(s, o, io, e, err));
    darc_weak_data data = {.table = table,
                           .signal = s->signal,
                           .support = darc_weak_support(f->weak),
                           .threads = o->threads};
    darc_err own;
    darc_err_init(&own);
    status = darc_weak_new(&s->weak, s->total, &data, &own);
    if (status == DARC_OK)
        status = darc_gls_fit(&s->fit, s->weak, f->model, f->fit.robust, budget,
                              &own);
    if (status != DARC_OK) {
        darc_weakcheck_note(out, "no search for missing terms: %s",
                            own.message);
        status = o->against > 0 ? darc_fail(err, status, "%s", own.message)
                                : darc_budget_check(budget, err);
        goto done;
    }
    s->nuisance = -1;
    for (int i = 0; i < s->count && f->suspect && f->weak->pairs > 0 &&
                    darc_total_is_plain(f->total);
         i++)
        if (s->list[i].count == 0)
            s->nuisance = s->coeff[i];
    for (int i = 0; i < s->count; i++)
        test_candidate(s, i);
    correct_by_holm(s);
    list_terms(out, s, o->alpha, o->against > 0,
               s->fit.c[darc_weakfit_reference(io, e)]);
    if (o->against > 0)
        decide_directed(out, s, o, f->lambda);
    for (int i = 0; i < s->count; i++)
        *least_p = fmin(*least_p, s->p[i]);
done:
    close_search(s);
    darc_free(s);
    return status;
}
