#include "fit/missing.h"

#include "base/mem.h"
#include "fit/instruments.h"
#include "fit/sandwich.h"
#include "fit/thresholds.h"
#include "model/derived.h"
#include "stats/stats.h"
#include "weak/origin.h"
#include "weak/smoother.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The candidates of an equation. */
typedef struct {
    darc_candidate list[DARC_CANDIDATES];
    int count;
    int coeff[DARC_CANDIDATES]; /* of the system; -1: not possible */
} offers;

typedef struct {
    const darc_fit *f;
    const darc_question *x;
    const darc_table *table;
    offers *offer;            /* by equation; owned */
    darc_total_struct *total; /* with the candidates behind; owned */
    darc_weak_signal *signal; /* by unknown, those whose sign is taken behind;
                                 owned */
    double **difference;      /* values of these; owned */
    int signs;
    darc_candidate_factor sign[DARC_MISSING_SIGNS];
    darc_centred about; /* the mean, unless the user names the terms */
    darc_weak *weak;
    darc_gls fit;
    darc_instruments z; /* none of no functions */
} search;

/* ---- offers ------------------------------------------------------------ */

static double value_at(const search *s, const darc_candidate_factor *f,
                       size_t t)
{
    double y = s->signal[f->d.unknown].value[t];
    return f->other >= 0 ? y - s->signal[f->other].value[t] : y;
}

/* Add the signal whose sign a candidate takes; return it, -1 where there is no
 * room or no value. */
static int add_sign(search *s, const darc_candidate_factor *f)
{
    int unknown = s->f->r.unknowns + s->signs;
    if (s->signs == DARC_MISSING_SIGNS ||
        s->signal[f->d.unknown].value == NULL ||
        (f->other >= 0 && s->signal[f->other].value == NULL) ||
        f->d.order > DARC_SMOOTHER_DEGREE)
        return -1;
    double *value = darc_malloc(s->table->samples * sizeof *value);
    for (size_t t = 0; t < s->table->samples; t++)
        value[t] = value_at(s, f, t);
    s->sign[s->signs] = *f;
    s->difference[s->signs++] = value;
    s->signal[unknown] =
        (darc_weak_signal){.value = value, .sign = true, .order = f->d.order};
    return unknown;
}

/* The signal that stands for a sign that was added before; -1: none. */
static int find_sign(const search *s, const darc_candidate_factor *f)
{
    for (int i = 0; i < s->signs; i++)
        if (s->sign[i].d.unknown == f->d.unknown &&
            s->sign[i].d.order == f->d.order && s->sign[i].other == f->other)
            return s->f->r.unknowns + i;
    return -1;
}

/* Return the coefficient of candidate c in equation q, in its total. */
static int append(search *s, int q, const darc_candidate *c)
{
    const darc_candidate_factor *f = darc_candidate_sign(c);
    int v = -1;
    if (f != NULL) {
        int u = find_sign(s, f);
        u = u < 0 ? add_sign(s, f) : u;
        if (u < 0)
            return -1;
        v = darc_total_var(s->total + q, (darc_deriv){u, 0});
        v = v < 0 ? darc_total_extend(s->total + q, u) : v;
    }
    darc_model_terms own = {s->f->r.total[q].count,
                            s->f->fit.c + s->f->weak->first[q]};
    return darc_candidate_append(s->total + q, c, &own, v);
}

static darc_status list_offers(search *s, int q, darc_err *err)
{
    const darc_criteria *by = s->x->by;
    offers *o = s->offer + q;
    darc_status status = DARC_OK;
    const darc_jet_struct *jet = s->x->io->jet;
    bool *skip = darc_calloc((size_t)s->f->r.unknowns, sizeof *skip);
    for (int u = 0; u < s->f->r.unknowns; u++)
        skip[u] =
            s->f->r.column[u] < 0 || darc_derived_find(s->x->model, u) >= 0;
    if (by->against > DARC_CANDIDATES)
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "against: %d terms, more than %d",
                           by->against, (int)DARC_CANDIDATES));
    for (int i = 0; i < by->against; i++)
        DARC_TRY(darc_candidate_parse(o->list + o->count++, by->against_term[i],
                                      jet->names, err));
    if (by->against == 0)
        o->count = darc_candidates_list(o->list, s->total + q, skip,
                                        darc_question_equation(s->x, q), jet);
done:
    darc_free(skip);
    return status;
}

static darc_status add_offers(search *s, int q, darc_err *err)
{
    offers *o = s->offer + q;
    darc_status status = list_offers(s, q, err);
    for (int i = 0; i < o->count && status == DARC_OK; i++) {
        bool room = s->total[q].coeffs < DARC_WEAK_MAX_COEFFS;
        o->coeff[i] = room ? append(s, q, o->list + i) : -1;
    }
    return status;
}

static darc_status check_against(const search *s, darc_err *err)
{
    for (int i = 0; i < s->x->by->against; i++) {
        bool possible = false;
        for (int q = 0; q < s->f->r.equations; q++)
            possible = possible || s->offer[q].coeff[i] >= 0;
        if (!possible)
            return darc_fail(err, DARC_DOMAIN,
                             "term '%s' needs a derivative that the relation "
                             "does not reach",
                             s->x->by->against_term[i]);
    }
    return DARC_OK;
}

/* ---- the extended fit ---------------------------------------------------- */

/* Set m to the metric of the extended system, at the coefficients of the fit;
 * those of candidates are 0. */
static void set_metric(darc_metric *m, const search *s)
{
    const darc_weak *weak = s->weak, *own = s->f->weak;
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
    darc_free(c);
    darc_free(offset);
}

/* Where noise may have any colour, ask instruments. */
static void open_instruments(search *s, const darc_total_struct *const *total)
{
    darc_instruments_task task = {.f = s->f,
                                  .x = s->x,
                                  .table = s->table,
                                  .total = total,
                                  .signal = s->signal,
                                  .signs = s->signs,
                                  .sign = s->sign,
                                  .smooth = darc_weak_smooth(s->weak)};
    darc_instruments_init(&s->z, &task);
}

static darc_status fit_extended(search *s, darc_err *err)
{
    const darc_fit *f = s->f;
    size_t e = (size_t)f->r.equations;
    const darc_total_struct **total = darc_calloc(e, sizeof *total);
    int *model = darc_calloc(e, sizeof *model);
    darc_gls from = f->fit;
    from.c = s->about.c;
    for (size_t q = 0; q < e; q++) {
        total[q] = s->total + q;
        model[q] = f->r.total[q].coeffs;
    }
    darc_weak_data data = {.table = s->table,
                           .signal = s->signal,
                           .channel = f->r.channel,
                           .channels = f->r.channels,
                           .support = darc_weak_support(f->weak),
                           .threads = s->x->by->threads,
                           .every = s->x->by->against == 0
                                        ? f->weak->pieces / DARC_MISSING_PIECES
                                        : 0};
    darc_gls_task task = {.model = model,
                          .settled = f->r.settled,
                          .start = &from,
                          .stay = true,
                          .budget = s->x->budget};
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
        if (f->r.coloured >= 0)
            open_instruments(s, total);
    }
    darc_metric_clear(&metric);
    darc_free(total);
    darc_free(model);
    return status;
}

/* ---- noisy derivatives ------------------------------------------------- */

static double noise_of(const search *s, const darc_candidate_factor *f)
{
    double sd = s->signal[f->d.unknown].sd;
    return f->other >= 0 ? hypot(sd, s->signal[f->other].sd) : sd;
}

/* Return the noise of a derivative over the RMS of what is seen of it, at
 * samples evenly spread over the longest segment. */
static double noise_share(const search *s, const darc_candidate_factor *f,
                          const double *weight, int half)
{
    double square = 0, power = 0, count = 0;
    darc_segment g = darc_table_longest(s->table);
    size_t n = g.end - g.begin, h = (size_t)half;
    if (n <= 2 * h)
        return HUGE_VAL;
    for (size_t i = 0; i <= 2 * h; i++)
        square += weight[i] * weight[i];
    for (size_t t = g.begin + h; t < g.end - h;
         t += 1 + n / DARC_MISSING_SEEN, count++) {
        double y = 0;
        for (size_t i = 0; i <= 2 * h; i++)
            y += weight[i] * value_at(s, f, t + i - h);
        power += y * y;
    }
    return noise_of(s, f) * sqrt(square / (power / count));
}

/* Return the share of samples at which noise makes the sign of a signal. */
static double unsigned_share(const search *s, const darc_candidate_factor *f)
{
    double sd = noise_of(s, f), near = 0, count = 0;
    for (size_t t = 0; t < s->table->samples; t++, count++)
        near += fabs(value_at(s, f, t)) < 3 * sd;
    return near / count;
}

/* Return that share for the factor of a candidate; 0 where no derivative of it
 * is estimated. */
static double factor_noise(const search *s, const darc_candidate_factor *f)
{
    if (f->sign && f->d.order == 0)
        return unsigned_share(s, f);
    for (int v = 0; v < s->weak->vars; v++) {
        const darc_weak_var *var = s->weak->var + v;
        bool own = var->deriv.unknown == f->d.unknown &&
                   var->deriv.order == f->d.order;
        if (f->sign && f->d.order > 0 && var->sign != NULL &&
            var->deriv.unknown == find_sign(s, f))
            return noise_share(s, f, var->sign, DARC_WEAK_SIGN_HALF);
        if (!f->sign && f->d.order > 0 && own)
            return noise_share(s, f, var->weight, var->half);
    }
    return 0;
}

/* Whether a candidate is a function of estimated derivatives that noise makes
 * much of: the noise in it is that of the residual, to higher orders than the
 * score allows for. */
static bool is_noisy(const search *s, const darc_candidate *c)
{
    double most = 0;
    int degree = 0;
    for (int i = 0; i < c->count; i++) {
        most = fmax(most, factor_noise(s, c->f + i));
        degree += c->f[i].sign ? 2 : c->f[i].power;
    }
    return c->kind == DARC_CANDIDATE_TERM && degree > 1 &&
           most > DARC_MISSING_CLEAR;
}

/* ---- the tests --------------------------------------------------------- */

/* Whether coefficient j of equation q is one of the model's terms again, but
 * for a constant, as far as this recording goes: u^3 is u where u has two
 * values. What noise adds is not taken off, or the difference would stand for
 * the term. (All terms together make any that is missing.) */
static bool is_alias(const search *s, int q, int j, double *room)
{
    const darc_gls *fit = &s->fit;
    int m = fit->coeffs, first = s->weak->first[q];
    double left, *raw = darc_calloc((size_t)m * (size_t)m, sizeof *raw);
    bool alias = false, *off = darc_calloc((size_t)m, sizeof *off);
    int offset = darc_origin_offset(s->f->weak, q);
    for (int i = 0; i < m * m; i++)
        raw[i] = fit->info[i] + fit->noise[i];
    if (offset >= 0)
        off[first + offset - s->f->weak->first[q]] = true;
    for (int i = 0; i < s->f->r.total[q].coeffs && !alias; i++) {
        bool was = off[first + i];
        off[first + i] = true;
        alias = darc_project_off(raw, m, off, j, room, &left) &&
                left <= DARC_MISSING_ALIASED * raw[j * (m + 1)];
        off[first + i] = was;
    }
    darc_free(raw);
    darc_free(off);
    return alias;
}

/* Project the score of coefficient j off the free ones: a holds the weights of
 * the scores, *info the information left.  Return whether that is the
 * candidate's own: neither the model's terms again nor mostly noise. */
static bool project_score(const search *s, int q, int j, double *a,
                          double *info)
{
    const darc_gls *fit = &s->fit;
    int m = fit->coeffs;
    if (is_alias(s, q, j, a) ||
        !darc_project_off(fit->info, m, fit->free, j, a, info))
        return false;
    double noise = 0, own = fit->info[j * (m + 1)];
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++)
            noise += a[i] * fit->noise[i * m + k] * a[k];
    return *info > DARC_MISSING_ALIASED * own &&
           noise <= DARC_MISSING_NOISE * *info;
}

/* The covariance of a misfit is that of the whole residual, to which a missing
 * term contributes most.  What is left of the variance once the term is in
 * the model is the fraction 1 - R^2, R^2 = drop / Q: the Wald statistic is
 * the score statistic over it, as in linear regression.  Where nothing is
 * missing R^2 is of the order 1 / (independent moments) and both agree. */
static double left_by_term(const darc_gls *fit, double drop)
{
    if (!fit->misfit || !(fit->q > 0))
        return 1;
    return fmax(DARC_MISSING_LEAST, 1 - drop / fit->q);
}

/* Let the instruments say how sure the term is. */
static bool ask_instruments(darc_missing *out, const search *s, int j)
{
    darc_twostage said;
    if (!darc_instruments_test(&said, &s->z, s->f, out->equation, j))
        return false;
    out->p_value = said.p_value;
    out->z2 = said.t * said.t;
    out->value = said.value;
    out->sd = said.sd;
    return true;
}

/* Test candidate i of equation q; return false where it cannot be told from the
 * model's own terms. */
static bool test_candidate(darc_missing *out, const search *s, int q, int i)
{
    const darc_gls *fit = &s->fit;
    int n = fit->coeffs, own = s->offer[q].coeff[i];
    double *a = darc_calloc((size_t)n, sizeof *a);
    double info, score = 0, variance = 0;
    bool told = own >= 0 && !is_noisy(s, s->offer[q].list + i) &&
                project_score(s, q, s->weak->first[q] + own, a, &info);
    for (int j = 0; j < n && told; j++) {
        score += a[j] * fit->score[j];
        for (int k = 0; k < n; k++)
            variance += a[j] * fit->score_cov[j * n + k] * a[k];
    }
    darc_free(a);
    if (!told || !(variance > 0))
        return false;
    *out = (darc_missing){.equation = q, .what = s->offer[q].list[i]};
    int k = s->weak->first[q] + own;
    out->drop = score * score / info;
    out->whole = sqrt(fit->info[k * (n + 1)] / info);
    variance *= left_by_term(fit, out->drop);
    out->z2 = score * score / variance;
    out->p_value = fit->misfit
                       ? 2 * darc_stats_t_sf(sqrt(out->z2), fit->error_dof)
                       : darc_stats_chi2_sf(out->z2, 1);
    out->value = -score / info;
    out->sd = sqrt(variance) / info;
    out->explains =
        fmin(1, out->drop / fmax(1, fit->misfit ? fit->q : fit->q - fit->dof));
    return s->z.functions == 0 || ask_instruments(out, s, k);
}

static int cmp_drop(const void *x, const void *y)
{
    const darc_missing *a = x, *b = y;
    return (a->drop < b->drop) - (a->drop > b->drop);
}

static void correct_by_holm(darc_missings *m)
{
    double **p = darc_calloc((size_t)m->count + 1, sizeof *p);
    for (int k = 0; k < m->count; k++)
        p[k] = &m->term[k].p_value;
    darc_stats_holm(p, m->count);
    darc_free(p);
    qsort(m->term, (size_t)m->count, sizeof *m->term, cmp_drop);
}

static void test_all(darc_missings *out, const search *s)
{
    size_t most = (size_t)s->f->r.equations * DARC_CANDIDATES;
    out->term = darc_calloc(most, sizeof *out->term);
    for (int q = 0; q < s->f->r.equations; q++)
        for (int i = 0; i < s->offer[q].count; i++)
            out->count += test_candidate(out->term + out->count, s, q, i);
    out->tested = out->count;
    out->instrumental = s->z.functions > 0 && out->count > 0;
    correct_by_holm(out);
}

static void close_search(search *s)
{
    for (int q = 0; q < s->f->r.equations; q++)
        darc_total_clear(s->total + q);
    for (int i = 0; i < s->signs; i++)
        darc_free(s->difference[i]);
    darc_centred_clear(&s->about);
    darc_free(s->difference);
    darc_free(s->total);
    darc_free(s->offer);
    darc_free(s->signal);
    darc_gls_clear(&s->fit);
    darc_instruments_clear(&s->z);
    darc_weak_free(s->weak);
}

darc_status darc_missing_find(darc_missings *out, const darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    size_t e = (size_t)f->r.equations,
           n = (size_t)f->r.unknowns + DARC_MISSING_SIGNS;
    search s = {.f = f, .x = x, .table = table};
    *out = (darc_missings){0};
    s.offer = darc_calloc(e, sizeof *s.offer);
    s.total = darc_calloc(e, sizeof *s.total);
    s.signal = darc_calloc(n, sizeof *s.signal);
    s.difference = darc_calloc(DARC_MISSING_SIGNS, sizeof *s.difference);
    memcpy(s.signal, f->r.signal, (size_t)f->r.unknowns * sizeof *s.signal);
    darc_centred_init(&s.about, f->weak, f->fit.c, s.signal,
                      x->by->against > 0 ? 0 : f->r.unknowns);
    for (size_t q = 0; q < e; q++)
        darc_total_set(s.total + q, f->r.total + q);
    for (size_t q = 0; q < e; q++)
        DARC_TRY(add_offers(&s, (int)q, err));
    DARC_TRY(check_against(&s, err));
    DARC_TRY(fit_extended(&s, err));
    test_all(out, &s);
done:
    close_search(&s);
    return status;
}

void darc_missing_clear(darc_missings *m)
{
    darc_free(m->term);
    *m = (darc_missings){0};
}
