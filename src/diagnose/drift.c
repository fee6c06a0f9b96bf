#include "diagnose/drift.h"

#include "base/mem.h"
#include "decide/wide.h"
#include "diagnose/drift_compare.h"
#include "fit/weakfit.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

/* Seconds between looks at what is known so far. */
static const double LOOK = 1;

/* The work that threads share; what changes does so under the lock. */
typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    const darc_drift_source *source;
    darc_weakcheck_options o; /* alpha is that of one equation */
    const darc_budget *budget;
    darc_drift_fit **fit; /* [recording]: one an equation; NULL: not known */
    char **error;         /* [recording] */
    pthread_mutex_t lock;
    int next, done;
    double looked; /* when */
    darc_status status;
    darc_err err;
} campaign;

void darc_drift_fit_clear(darc_drift_fit *fit)
{
    darc_free(fit->c);
    darc_free(fit->cov);
    darc_free(fit->size);
    darc_free(fit->share);
    darc_free(fit->noise);
    *fit = (darc_drift_fit){0};
}

static void free_fits(darc_drift_fit *fit, int equations)
{
    for (int e = 0; e < equations && fit != NULL; e++)
        darc_drift_fit_clear(fit + e);
    darc_free(fit);
}

static double *copy(const double *x, int n)
{
    double *y = darc_calloc((size_t)n, sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

/* Keep of f what a comparison needs. */
static void keep_fit(darc_drift_fit *fit, const darc_weakfit *f)
{
    const darc_gls *g = &f->fit;
    int n = f->model;
    *fit = (darc_drift_fit){.coeffs = n,
                            .reference = g->reference,
                            .unknowns = f->unknowns,
                            .robust = g->robust,
                            .misfit = f->misfit,
                            .open = f->open,
                            .useless = darc_weakfit_is_useless(f),
                            .error_dof = g->error_dof,
                            .lambda = f->lambda,
                            .doubt = darc_weakfit_absorbed(f),
                            .defect = f->defect,
                            .low = f->low,
                            .high = f->high,
                            .plain = f->plain,
                            .q = g->q_here,
                            .dof = g->dof,
                            .p_value = g->p_value};
    fit->c = copy(g->c, n);
    fit->size = copy(g->size, n);
    fit->share = copy(f->share, n);
    fit->cov = darc_calloc((size_t)(n * n), sizeof *fit->cov);
    for (int j = 0; j < n; j++)
        memcpy(fit->cov + j * n, g->cov + j * g->coeffs,
               (size_t)n * sizeof *fit->cov);
    fit->noise = darc_calloc((size_t)f->unknowns, sizeof *fit->noise);
    for (int u = 0; u < f->unknowns; u++)
        fit->noise[u] = f->noise[u].kernel != NULL ? f->noise[u].sd : NAN;
}

static darc_status fit_table(campaign *c, const darc_drift_data *data,
                             darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weakcheck_options o = c->o;
    o.alpha *= DARC_WEAK_GATE;
    if (data->noise_sd != NULL)
        o.noise_sd = data->noise_sd;
    if (data->derived_error != NULL)
        o.derived_error = data->derived_error;
    for (int e = 0; e < c->io->count; e++) {
        darc_weakfit f;
        DARC_TRY(darc_weakfit_init(&f, c->model, c->io, e, data->table, &o,
                                   c->budget, err));
        if (darc_gls_refer(&f.fit, darc_weakfit_reference(c->io, e)))
            keep_fit(data->fit + e, &f);
        else
            status = darc_fail(err, DARC_DATA,
                               "%s: the coefficient that ratios refer to is "
                               "0: its term cannot be told from the others",
                               data->table->file);
        darc_weakfit_clear(&f);
    }
done:
    return status;
}

/* Hand over what is known of recording i; err holds its damage. */
static darc_status keep_result(const darc_drift_source *s, int i,
                               const darc_drift_fit *fit, darc_err *err)
{
    darc_err own;
    darc_err_init(&own);
    darc_status status = s->keep(s->user, i, fit, err->message, &own);
    if (status != DARC_OK)
        *err = own;
    return status;
}

/* Return the fits of recording i, NULL if it is damaged; *fatal: the campaign
 * has to end. */
static darc_drift_fit *fit_one(campaign *c, int i, darc_status *fatal,
                               darc_err *err)
{
    const darc_drift_source *s = c->source;
    darc_drift_data data = {0};
    data.fit = darc_calloc((size_t)c->io->count, sizeof *data.fit);
    darc_status status = s->load(s->user, i, &data, err);
    bool read = data.table != NULL;
    if (status == DARC_OK && read)
        status = fit_table(c, &data, err);
    darc_table_free(data.table);
    darc_free(data.noise_sd);
    darc_free(data.derived_error);
    *fatal = status == DARC_LIMIT ? status : DARC_OK;
    if (*fatal == DARC_OK && s->keep != NULL && (read || status != DARC_OK))
        *fatal = keep_result(s, i, status == DARC_OK ? data.fit : NULL, err);
    if (status == DARC_OK && *fatal == DARC_OK)
        return data.fit;
    free_fits(data.fit, c->io->count);
    return NULL;
}

/* ---- comparison ---------------------------------------------------------
 */

static void compare_all(darc_drift *out, campaign *c)
{
    int n = c->source->recordings;
    const darc_drift_fit **fit = darc_calloc((size_t)n, sizeof *fit);
    for (int e = 0; e < c->io->count; e++) {
        for (int i = 0; i < n; i++)
            fit[i] = c->fit[i] != NULL ? c->fit[i] + e : NULL;
        darc_drift_comparison k = {c->model,
                                   c->io,
                                   e,
                                   n,
                                   c->source->reference,
                                   fit,
                                   c->error,
                                   c->o.alpha,
                                   c->o.tolerance};
        darc_drift_compare(out + e, &k);
    }
    darc_free((void *)fit);
}

/* Under the lock: show what is known, about once a second. */
static void look(campaign *c)
{
    const darc_drift_source *s = c->source;
    double now = darc_now();
    if (s->so_far == NULL || c->fit[s->reference] == NULL ||
        now < c->looked + LOOK || c->done == s->recordings)
        return;
    c->looked = now;
    darc_drift *drift = darc_calloc((size_t)c->io->count, sizeof *drift);
    compare_all(drift, c);
    s->so_far(s->user, drift);
    for (int e = 0; e < c->io->count; e++)
        darc_drift_clear(drift + e);
    darc_free(drift);
}

/* Under the lock: the k-th recording to take; the reference comes first. */
static int order(const campaign *c, int k)
{
    int r = c->source->reference;
    return k == 0 ? r : k <= r ? k - 1 : k;
}

/* Under the lock: recording i is done. */
static void report(campaign *c, darc_status fatal, const darc_err *err)
{
    c->done++;
    if (c->status == DARC_OK && fatal != DARC_OK)
        c->status = darc_fail(&c->err, fatal, "%s", err->message);
    if (c->status == DARC_OK)
        c->status = darc_budget_check(c->budget, &c->err);
    darc_progress p = {
        .stage = "recordings", .done = c->done, .total = c->source->recordings};
    darc_budget_progress(c->budget, &p);
    look(c);
}

/* Take recordings until none is left. */
static void *work(void *context)
{
    campaign *c = context;
    pthread_mutex_lock(&c->lock);
    while (c->next < c->source->recordings && c->status == DARC_OK) {
        int i = order(c, c->next++);
        pthread_mutex_unlock(&c->lock);
        darc_status fatal;
        darc_err err;
        darc_err_init(&err);
        darc_drift_fit *fit = fit_one(c, i, &fatal, &err);
        pthread_mutex_lock(&c->lock);
        c->fit[i] = fit;
        if (fit == NULL && fatal == DARC_OK)
            c->error[i] = darc_strdup(err.message);
        report(c, fatal, &err);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void *work_and_leave(void *context)
{
    work(context);
    flint_cleanup();
    return NULL;
}

static void fit_all(campaign *c)
{
    int threads = c->source->threads;
    if (threads > c->source->recordings)
        threads = c->source->recordings;
    pthread_t *thread = darc_calloc((size_t)threads, sizeof *thread);
    int started = 0;
    pthread_mutex_init(&c->lock, NULL);
    for (int i = 1; i < threads; i++)
        if (pthread_create(thread + started, NULL, work_and_leave, c) == 0)
            started++;
    work(c);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&c->lock);
    darc_free(thread);
}

/* Coefficients are followed one by one. */
static darc_status check_terms(const darc_ioeqs_t io, darc_err *err)
{
    for (int e = 0; e < io->count; e++)
        if (darc_wide_is(io, e))
            return darc_fail(
                err, DARC_LIMIT,
                "drift: the io-equation of '%s' has %ld terms, and follows the "
                "coefficients of up to %d; check equal, check changed and "
                "isolate compare two recordings of it",
                io->jet->names->symbol[io->eq[e].leader.unknown].name,
                (long)io->eq[e].part->count, DARC_WEAK_TERMS);
    return DARC_OK;
}

darc_status darc_drift_run(darc_drift *out, const darc_model *model,
                           const darc_ioeqs_t io,
                           const darc_drift_source *source,
                           const darc_weakcheck_options *o,
                           const darc_budget *budget, darc_err *err)
{
    int n = source->recordings, r = source->reference;
    assert(n > 0 && r >= 0 && r < n && source->threads > 0);
    if (check_terms(io, err) != DARC_OK)
        return DARC_LIMIT;
    campaign c = {.model = model,
                  .io = io,
                  .source = source,
                  .o = *o,
                  .budget = budget,
                  .looked = darc_now()};
    c.o.alpha /= io->count;
    darc_err_init(&c.err);
    c.fit = darc_calloc((size_t)n, sizeof(darc_drift_fit *));
    c.error = darc_calloc((size_t)n, sizeof(char *));
    fit_all(&c);
    darc_status status = c.status;
    if (status != DARC_OK)
        darc_fail(err, status, "%s", c.err.message);
    else if (c.error[r] != NULL)
        status = darc_fail(err, DARC_DATA, "the reference cannot be used: %s",
                           c.error[r]);
    else
        compare_all(out, &c);
    for (int i = 0; i < n; i++) {
        free_fits(c.fit[i], io->count);
        darc_free(c.error[i]);
    }
    darc_free((void *)c.fit);
    darc_free((void *)c.error);
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
