#include "diagnose/drift_compare.h"

#include "base/mem.h"
#include "decide/contrast.h"
#include "diagnose/changepoint.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A fit as the contrast takes it; nothing is owned. */
static darc_weakfit view(const darc_drift_fit *f)
{
    darc_weakfit w = {.model = f->coeffs,
                      .misfit = f->misfit,
                      .open = f->open,
                      .lambda = f->lambda,
                      .doubt = f->doubt,
                      .drowned = -1,
                      .share = f->share};
    w.fit = (darc_gls){.coeffs = f->coeffs,
                       .model = f->coeffs,
                       .reference = f->reference,
                       .c = f->c,
                       .cov = f->cov,
                       .size = f->size,
                       .robust = f->robust,
                       .error_dof = f->error_dof};
    return w;
}

/* factor[k]: by how much coefficients exceed function k. */
static void name_functions(darc_drift *out, double *factor,
                           const darc_drift_comparison *c)
{
    int n = (int)c->io->eq[c->e].part->count;
    int r = darc_weakfit_reference(c->io, c->e);
    out->function = darc_calloc((size_t)n, sizeof *out->function);
    for (int j = 0; j < n; j++) {
        if (j == r)
            continue;
        darc_text_t t;
        darc_text_init(t);
        darc_weakfit_ratio(t, c->io, c->e, j, r, factor + out->functions);
        out->function[out->functions++] = darc_text_take(t);
        darc_text_clear(t);
    }
}

static void judge_structure(darc_drift_recording *r, const darc_drift_fit *f,
                            double tolerance)
{
    r->defect = f->defect;
    if (f->open && f->high > tolerance)
        r->structure = DARC_UNDECIDED;
    else if (f->low > tolerance)
        r->structure = DARC_INCONSISTENT;
    else
        r->structure = tolerance > 0 && fmax(f->high, f->plain) > tolerance
                           ? DARC_UNDECIDED
                           : DARC_CONSISTENT;
}

static double p_of(const darc_contrast *c, double z)
{
    if (isnan(z))
        return NAN;
    return c->error_dof < 1e6 ? 2 * darc_stats_t_sf(fabs(z), c->error_dof)
                              : 2 * darc_stats_normal_sf(fabs(z));
}

/* (y - x)/x and its standard deviation, for independent x and y. */
static void set_relative(darc_drift_change *d, double x, double sd_x, double y,
                         double sd_y)
{
    d->relative = (y - x) / x;
    d->relative_sd = hypot(sd_y / x, y / x * (sd_x / x));
}

/* Fill in the change of coefficient j, row x of the contrast. */
static void set_change(darc_drift_change *d, const darc_contrast *k, int x,
                       int j, const darc_drift_fit *a, const darc_drift_fit *b,
                       bool vanishing, double tolerance)
{
    int n = a->coeffs;
    d->ignored = tolerance * fabs(k->d[x * k->drifts + x]);
    double beyond = fmax(0, fabs(k->h[x]) - d->ignored);
    d->value = b->c[j];
    d->sd = sqrt(b->cov[j * n + j]);
    d->log = k->h[x];
    d->log_sd = sqrt(k->s[x * k->count + x]);
    d->relative = d->log;
    d->relative_sd = d->log_sd;
    if (!vanishing)
        set_relative(d, a->c[j], sqrt(a->cov[j * n + j]), d->value, d->sd);
    double p = p_of(k, beyond / d->log_sd);
    d->p_value = a == b ? 1 : isnan(p) ? p : fmin(1, p);
}

/* Compare recording i with the reference, function by function. */
static void compare(darc_drift *out, const darc_drift_comparison *c, int i,
                    const bool *vanishing)
{
    darc_drift_recording *r = out->recording + i;
    const darc_drift_fit *a = c->fit[c->reference], *b = c->fit[i];
    darc_weakfit first = view(a), second = view(b);
    double dof, tolerance = fmax(c->tolerance, a->doubt + b->doubt);
    darc_contrast k;
    judge_structure(r, b, c->tolerance);
    r->change = darc_calloc((size_t)out->functions, sizeof *r->change);
    darc_contrast_equal(&k, &first, &second, vanishing);
    /* What the structure leaves may be in any coefficient. */
    if (tolerance > c->tolerance)
        darc_contrast_drift_by_effect(&k);
    double statistic = darc_contrast_statistic(&k, tolerance, &dof);
    r->p_value = i == c->reference || a->useless || b->useless
                     ? NAN
                     : darc_contrast_p(&k, statistic, dof);
    for (int j = 0, x = 0; j < b->coeffs; j++) {
        if (j == b->reference)
            continue;
        set_change(r->change + x, &k, x, j, a, b, vanishing[j], tolerance);
        x++;
    }
    darc_contrast_clear(&k);
}

static int cmp_p(const void *a, const void *b)
{
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

/* Multiply the k-th smallest of n p-values by n - k, kept rising. */
static void holm(double **p, int n)
{
    qsort(p, (size_t)n, sizeof *p, cmp_p);
    double least = 0;
    for (int k = 0; k < n; k++) {
        least = fmax(least, fmin(1, *p[k] * (n - k)));
        *p[k] = least;
    }
}

static bool is_compared(const darc_drift *out, int i)
{
    return out->recording[i].change != NULL && i != out->reference;
}

/* A function moved only in a recording that differs as a whole: in a campaign
 * without change both families together keep the level. */
static void correct(darc_drift *out, double alpha)
{
    size_t most = (size_t)out->recordings * (size_t)(out->functions + 1);
    double **p = darc_calloc(most, sizeof *p);
    int n = 0;
    for (int i = 0; i < out->recordings; i++)
        if (is_compared(out, i) && !isnan(out->recording[i].p_value))
            p[n++] = &out->recording[i].p_value;
    holm(p, n);
    n = 0;
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; is_compared(out, i) && j < out->functions; j++)
            if (!isnan(out->recording[i].change[j].p_value))
                p[n++] = &out->recording[i].change[j].p_value;
    holm(p, n);
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; is_compared(out, i) && j < out->functions; j++) {
            darc_drift_change *d = out->recording[i].change + j;
            d->moved = out->recording[i].p_value < alpha && d->p_value < alpha;
        }
    darc_free(p);
}

/* Whether agreement of recording i with the reference means something: the
 * structure of both holds, and both allow a comparison. */
static bool may_agree(const darc_drift *out, const darc_drift_comparison *c,
                      int i)
{
    bool may = i == out->reference || !isnan(out->recording[i].p_value);
    for (int k = 0; k < 2; k++)
        may = may && out->recording[k == 0 ? out->reference : i].structure !=
                         DARC_INCONSISTENT;
    return may && !c->fit[i]->useless;
}

/* Equal within the tolerance, different, or not to be said. */
static void decide(darc_drift *out, const darc_drift_comparison *c)
{
    double z = darc_stats_normal_quantile(1 - c->alpha / 2);
    double bound = c->tolerance > 0 ? c->tolerance : DARC_WEAK_MEANING;
    for (int i = 0; i < out->recordings; i++) {
        darc_drift_recording *r = out->recording + i;
        double most = 0;
        r->verdict = DARC_UNDECIDED;
        if (r->change == NULL)
            continue;
        for (int j = 0; j < out->functions; j++) {
            double end = fabs(r->change[j].log) + z * r->change[j].log_sd;
            most = isnan(end) ? HUGE_VAL : fmax(most, end);
        }
        if (r->p_value < c->alpha)
            r->verdict = DARC_INCONSISTENT;
        else if (may_agree(out, c, i) && (i == out->reference || most <= bound))
            r->verdict = DARC_CONSISTENT;
    }
}

/* Append the change points of function j; x, sd, which, found: scratch. */
static void find_points(darc_drift *out, const darc_drift_comparison *c, int j,
                        bool vanishing)
{
    int n = 0, *which = darc_calloc((size_t)out->recordings, sizeof *which);
    double ignored = c->tolerance;
    double *x = darc_calloc((size_t)out->recordings, sizeof *x);
    double *sd = darc_calloc((size_t)out->recordings, sizeof *sd);
    for (int i = 0; i < out->recordings; i++) {
        if (out->recording[i].change == NULL)
            continue;
        const darc_drift_change *d = out->recording[i].change + j;
        /* of the recording alone: the reference is common to all */
        double share = d->sd / fmax(1e-300, fabs(d->value));
        if (!isfinite(d->log) || !isfinite(d->log_sd) || c->fit[i]->useless)
            continue;
        ignored = fmax(ignored, d->ignored);
        which[n] = i;
        x[n] = d->log;
        sd[n++] = fmin(share, fmax(d->log_sd, 1e-300));
    }
    darc_changepoint *found = darc_calloc((size_t)n + 1, sizeof *found);
    int count =
        darc_changepoints(found, x, sd, n, c->alpha / out->functions, ignored);
    for (int k = 0; k < count; k++) {
        double ratio = vanishing ? 1 : exp(found[k].change);
        out->point[out->points++] = (darc_drift_point){
            j, which[found[k].at],
            vanishing ? found[k].change : expm1(found[k].change),
            ratio * found[k].sd};
    }
    darc_free(found);
    darc_free(which);
    darc_free(x);
    darc_free(sd);
}

/* Find change points; vanishing[k] speaks of coefficient k. */
static void date(darc_drift *out, const darc_drift_comparison *c,
                 const bool *vanishing)
{
    int r = c->fit[c->reference]->reference;
    out->point =
        darc_calloc((size_t)out->recordings * (size_t)(out->functions + 1),
                    sizeof *out->point);
    for (int j = 0; j < out->functions; j++)
        find_points(out, c, j, vanishing[j < r ? j : j + 1]);
}

/* Values of coefficients become values of functions. */
static void rescale(darc_drift *out, const double *factor)
{
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; j < out->functions && out->recording[i].change != NULL;
             j++) {
            out->recording[i].change[j].value /= factor[j];
            out->recording[i].change[j].sd /= fabs(factor[j]);
        }
}

void darc_drift_compare(darc_drift *out, const darc_drift_comparison *c)
{
    int n = (int)c->io->eq[c->e].part->count;
    assert(c->fit[c->reference] != NULL);
    *out = (darc_drift){.recordings = c->recordings, .reference = c->reference};
    out->recording = darc_calloc((size_t)c->recordings, sizeof *out->recording);
    double *factor = darc_calloc((size_t)n, sizeof *factor);
    name_functions(out, factor, c);
    bool *vanishing = darc_calloc((size_t)n, sizeof *vanishing);
    for (int j = 0; j < n; j++)
        vanishing[j] = darc_weakfit_may_vanish(c->model, c->io, c->e, j);
    for (int i = 0; i < c->recordings; i++) {
        darc_drift_recording *r = out->recording + i;
        r->damaged = c->error[i] != NULL;
        r->error = r->damaged ? darc_strdup(c->error[i]) : NULL;
        r->pending = !r->damaged && c->fit[i] == NULL;
        out->damaged += r->damaged;
        if (!r->damaged && !r->pending)
            compare(out, c, i, vanishing);
    }
    correct(out, c->alpha);
    decide(out, c);
    date(out, c, vanishing);
    rescale(out, factor);
    darc_free(factor);
    darc_free(vanishing);
}
