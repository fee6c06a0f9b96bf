#include "darc/drift.h"

#include "base/mem.h"
#include "darc/stats.h"
#include "verdict/changepoint.h"
#include "verdict/contrast.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The work that threads share; `next` and `status` under the lock. */
typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int e, recordings;
    darc_drift_load load;
    void *user;
    const darc_weakcheck_options *o;
    const darc_budget *budget;
    darc_drift *out;
    darc_weakfit *fit; /* without their moments */
    pthread_mutex_t lock;
    int next, done;
    darc_status status;
    darc_err err;
} campaign;

/* ---- fitting
 * ------------------------------------------------------------------ */

static void judge_structure(darc_drift_recording *r, const darc_weakfit *f,
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

static void fit_one(campaign *c, int i)
{
    darc_drift_recording *r = c->out->recording + i;
    darc_table *table = NULL;
    darc_err err;
    darc_err_init(&err);
    darc_status status = c->load(c->user, i, &table, &err);
    if (status == DARC_OK)
        status = darc_weakfit_init(c->fit + i, c->model, c->io, c->e, table,
                                   c->o, c->budget, &err);
    if (status == DARC_OK) {
        darc_gls_refer(&c->fit[i].fit, darc_weakfit_reference(c->io, c->e));
        darc_weak_free(c->fit[i].weak); /* it points into the table */
        c->fit[i].weak = NULL;
        judge_structure(r, c->fit + i, c->o->tolerance);
    } else {
        r->damaged = true;
        r->error = darc_strdup(err.message);
    }
    darc_table_free(table);
}

/* Take recordings until none is left. */
static void *work(void *context)
{
    campaign *c = context;
    pthread_mutex_lock(&c->lock);
    while (c->next < c->recordings && c->status == DARC_OK) {
        int i = c->next++;
        pthread_mutex_unlock(&c->lock);
        fit_one(c, i);
        pthread_mutex_lock(&c->lock);
        c->done++;
        if (c->status == DARC_OK)
            c->status = darc_budget_check(c->budget, &c->err);
        darc_progress p = {
            .stage = "recordings", .done = c->done, .total = c->recordings};
        darc_budget_progress(c->budget, &p);
    }
    pthread_mutex_unlock(&c->lock);
    flint_cleanup();
    return NULL;
}

static void fit_all(campaign *c, int threads)
{
    threads = threads < c->recordings ? threads : c->recordings;
    pthread_t *thread = darc_calloc((size_t)threads, sizeof *thread);
    int started = 0;
    pthread_mutex_init(&c->lock, NULL);
    for (int i = 1; i < threads; i++)
        if (pthread_create(thread + started, NULL, work, c) == 0)
            started++;
    work(c);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&c->lock);
    darc_free(thread);
}

/* ---- comparison
 * ------------------------------------------------------------------ */

static void name_functions(darc_drift *out, const campaign *c)
{
    int n = (int)c->io->eq[c->e].part->count;
    int r = darc_weakfit_reference(c->io, c->e);
    out->function = darc_calloc((size_t)n, sizeof *out->function);
    for (int j = 0; j < n; j++) {
        if (j == r)
            continue;
        darc_text_t t;
        darc_text_init(t);
        darc_weakfit_ratio(t, c->io, c->e, j, r);
        out->function[out->functions++] = darc_text_take(t);
        darc_text_clear(t);
    }
}

static double p_of(const darc_contrast *c, double z)
{
    return c->error_dof < 1e6 ? 2 * darc_stats_t_sf(fabs(z), c->error_dof)
                              : 2 * darc_stats_normal_sf(fabs(z));
}

/* Compare recording i with the reference, function by function. */
static void compare(campaign *c, int i, const bool *vanishing)
{
    darc_drift_recording *r = c->out->recording + i;
    const darc_weakfit *f = c->fit + i;
    const darc_weakfit *reference = c->fit + c->out->reference;
    darc_contrast k;
    double dof, doubt = fmax(f->doubt, reference->doubt);
    double tolerance = fmax(c->o->tolerance, doubt);
    int n = f->fit.coeffs;
    r->change = darc_calloc((size_t)c->out->functions, sizeof *r->change);
    darc_contrast_equal(&k, reference, f, vanishing);
    double statistic = darc_contrast_statistic(&k, tolerance, &dof);
    r->p_value =
        i == c->out->reference ? NAN : darc_contrast_p(&k, statistic, dof);
    for (int j = 0, x = 0; j < f->model; j++) {
        if (j == f->fit.reference)
            continue;
        darc_drift_change *d = r->change + x;
        double sd = sqrt(k.s[x * k.count + x]);
        double beyond = fmax(0, fabs(k.h[x]) - tolerance);
        d->value = f->fit.c[j];
        d->sd = sqrt(f->fit.cov[j * n + j]);
        d->relative = k.h[x];
        d->relative_sd = sd;
        d->p_value =
            i == c->out->reference ? 1 : fmin(1, p_of(&k, beyond / sd));
        x++;
    }
    darc_contrast_clear(&k);
}

/* Multiply the k-th smallest of n p-values by n - k, kept rising. */
static void holm(double **p, int n)
{
    for (int i = 1; i < n; i++) {
        double *x = p[i];
        int k = i;
        for (; k > 0 && *p[k - 1] > *x; k--)
            p[k] = p[k - 1];
        p[k] = x;
    }
    double least = 0;
    for (int k = 0; k < n; k++) {
        least = fmax(least, fmin(1, *p[k] * (n - k)));
        *p[k] = least;
    }
}

static void correct(darc_drift *out, double alpha)
{
    size_t most = (size_t)out->recordings * (size_t)(out->functions + 1);
    double **p = darc_calloc(most, sizeof *p);
    int n = 0;
    for (int i = 0; i < out->recordings; i++)
        if (!out->recording[i].damaged && !isnan(out->recording[i].p_value))
            p[n++] = &out->recording[i].p_value;
    holm(p, n);
    n = 0;
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; !out->recording[i].damaged && i != out->reference &&
                        j < out->functions;
             j++)
            p[n++] = &out->recording[i].change[j].p_value;
    holm(p, n);
    for (int i = 0; i < out->recordings; i++)
        for (int j = 0; !out->recording[i].damaged && j < out->functions; j++) {
            darc_drift_change *d = out->recording[i].change + j;
            d->moved = i != out->reference && d->p_value < alpha;
        }
    darc_free(p);
}

/* Equal within the tolerance, different, or not to be said. */
static void decide(darc_drift *out, const darc_weakcheck_options *o)
{
    double z = darc_stats_normal_quantile(1 - o->alpha / 2);
    for (int i = 0; i < out->recordings; i++) {
        darc_drift_recording *r = out->recording + i;
        double most = 0;
        r->verdict = DARC_UNDECIDED;
        if (r->damaged)
            continue;
        for (int j = 0; j < out->functions; j++)
            most = fmax(most, fabs(r->change[j].relative) +
                                  z * r->change[j].relative_sd);
        double bound = o->tolerance > 0 ? o->tolerance : DARC_WEAK_MEANING;
        if (r->p_value < o->alpha)
            r->verdict = DARC_INCONSISTENT;
        else if (i == out->reference || most <= bound)
            r->verdict = DARC_CONSISTENT;
    }
}

static void find_points(darc_drift *out, const darc_weakcheck_options *o)
{
    int n = 0, *which = darc_calloc((size_t)out->recordings, sizeof *which);
    double *x = darc_calloc((size_t)out->recordings, sizeof *x);
    double *sd = darc_calloc((size_t)out->recordings, sizeof *sd);
    out->point =
        darc_calloc((size_t)out->recordings * (size_t)(out->functions + 1),
                    sizeof *out->point);
    for (int i = 0; i < out->recordings; i++)
        if (!out->recording[i].damaged)
            which[n++] = i;
    darc_changepoint *found = darc_calloc((size_t)n + 1, sizeof *found);
    for (int j = 0; j < out->functions; j++) {
        for (int i = 0; i < n; i++) {
            const darc_drift_change *d = out->recording[which[i]].change + j;
            x[i] = d->relative;
            /* of the recording alone: the reference is common to all */
            double share = d->sd / fmax(1e-300, fabs(d->value));
            sd[i] = fmin(share, fmax(d->relative_sd, 1e-300));
        }
        int count = darc_changepoints(found, x, sd, n,
                                      o->alpha / out->functions, o->tolerance);
        for (int k = 0; k < count; k++)
            out->point[out->points++] = (darc_drift_point){
                j, which[found[k].at], found[k].change, found[k].sd};
    }
    darc_free(found);
    darc_free(which);
    darc_free(x);
    darc_free(sd);
}

static void evaluate(campaign *c)
{
    int n = (int)c->io->eq[c->e].part->count;
    bool *vanishing = darc_calloc((size_t)n, sizeof *vanishing);
    for (int j = 0; j < n; j++)
        vanishing[j] = darc_weakfit_may_vanish(c->model, c->io, c->e, j);
    for (int i = 0; i < c->recordings; i++) {
        c->out->damaged += c->out->recording[i].damaged;
        if (!c->out->recording[i].damaged)
            compare(c, i, vanishing);
    }
    correct(c->out, c->o->alpha);
    decide(c->out, c->o);
    find_points(c->out, c->o);
    darc_free(vanishing);
}

darc_status darc_drift_run(darc_drift *out, const darc_model *model,
                           const darc_ioeqs_t io, int e, int recordings,
                           int reference, darc_drift_load load, void *user,
                           const darc_weakcheck_options *o, int threads,
                           const darc_budget *budget, darc_err *err)
{
    assert(recordings > 0 && reference >= 0 && reference < recordings);
    campaign c = {.model = model,
                  .io = io,
                  .e = e,
                  .recordings = recordings,
                  .load = load,
                  .user = user,
                  .o = o,
                  .budget = budget,
                  .out = out};
    darc_err_init(&c.err);
    *out = (darc_drift){.recordings = recordings, .reference = reference};
    out->recording = darc_calloc((size_t)recordings, sizeof *out->recording);
    c.fit = darc_calloc((size_t)recordings, sizeof *c.fit);
    name_functions(out, &c);
    fit_all(&c, threads > 0 ? threads : 1);
    darc_status status = c.status;
    if (status != DARC_OK)
        darc_fail(err, status, "%s", c.err.message);
    else if (out->recording[reference].damaged)
        status = darc_fail(err, DARC_DATA, "the reference cannot be used: %s",
                           out->recording[reference].error);
    else
        evaluate(&c);
    for (int i = 0; i < recordings; i++)
        darc_weakfit_clear(c.fit + i);
    darc_free(c.fit);
    if (status != DARC_OK)
        darc_drift_clear(out);
    return status;
}

void darc_drift_clear(darc_drift *out)
{
    for (int i = 0; i < out->recordings && out->recording != NULL; i++) {
        darc_free(out->recording[i].error);
        darc_free(out->recording[i].change);
    }
    for (int j = 0; j < out->functions; j++)
        darc_free(out->function[j]);
    darc_free(out->function);
    darc_free(out->recording);
    darc_free(out->point);
    *out = (darc_drift){0};
}
