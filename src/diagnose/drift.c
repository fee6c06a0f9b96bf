#include "diagnose/drift.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "coefficient/ratio.h"
#include "decide/reading.h"
#include "diagnose/drift_compare.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Seconds between looks at what is known so far, and the share of the time of
 * one thread that looks may take. */
static const double LOOK = 0.1, LOOK_SHARE = 0.02;

/* The work that threads share; what changes does so under the lock. */
typedef struct {
    darc_question x;
    const darc_drift_source *source;
    darc_bindings bind;   /* of one recording */
    darc_estimates **fit; /* [recording]; NULL: not known */
    char **error;         /* [recording] */
    darc_status *fault;   /* [recording]; DARC_OK: none */
    pthread_mutex_t lock;
    int done;
    double look; /* when the next one is due; HUGE_VAL: one is on */
} campaign;

int darc_drift_followed(int *list, const darc_ioeqs_t io)
{
    int count = 0;
    for (int e = 0; e < io->count; e++)
        if (io->eq[e].part->count <= DARC_WEAK_MAX_COEFFS)
            list[count++] = e;
    return count;
}

void darc_drift_say_left_out(char *why, size_t size, const darc_ioeqs_t io,
                             int e)
{
    const darc_ioeq *eq = io->eq + e;
    snprintf(why, size,
             "drift: the io-equation of '%s' has %ld terms, and follows the "
             "coefficients of up to %d; check equal, check changed and "
             "isolate compare two recordings of it",
             io->jet->names->symbol[eq->leader.unknown].name,
             (long)eq->part->count, (int)DARC_WEAK_MAX_COEFFS);
}

static void free_fit(darc_estimates *fit)
{
    if (fit != NULL)
        darc_estimates_clear(fit);
    darc_free(fit);
}

/* All recordings refer to the same coefficients. */
static darc_status check_references(const darc_estimates *e,
                                    const darc_question *x,
                                    const darc_table *table, darc_err *err)
{
    for (int q = 0; q < e->equations; q++) {
        int j = darc_ratio_reference(x->io, x->equation[q]);
        bool settled = darc_question_equation(x, q)->part->count < 2;
        if (!settled && e->eq[q].reference != e->eq[q].first + j)
            return darc_fail(err, DARC_DATA,
                             "%s: the coefficient that ratios refer to is "
                             "0: its term cannot be told from the others",
                             table->file);
    }
    return DARC_OK;
}

darc_status darc_drift_fit(darc_estimates *e, const darc_question *question,
                           const darc_table *table, darc_err *err)
{
    darc_question x = *question;
    int *equation = darc_calloc((size_t)x.io->count, sizeof *equation);
    darc_fit f = {.weak = NULL};
    x.equations = darc_drift_followed(equation, x.io);
    x.equation = equation;
    darc_status status = darc_reading_take(e, &f, &x, table, NULL, err);
    darc_fit_clear(&f);
    DARC_THEN(check_references(e, &x, table, err));
    darc_free(equation);
    return status;
}

/* Hand over what is known of recording i; err holds its damage. */
static darc_status keep_result(const darc_drift_source *s, int i,
                               const darc_estimates *fit, darc_err *err)
{
    darc_err own;
    darc_err_init(&own);
    darc_status status = s->keep(s->user, i, fit, err->message, &own);
    if (status != DARC_OK)
        *err = own;
    return status;
}

/* Whether a status tells of the machine or its limits, not of the bytes. */
static bool is_fault(darc_status status)
{
    return status == DARC_IO || status == DARC_LIMIT || status == DARC_INTERNAL;
}

/* Return the fit of recording i, NULL if it is damaged or a fault came between;
 * *fatal: the campaign has to end.  Nothing of c is written. */
static darc_estimates *fit_one(const campaign *c, int i, darc_status *fault,
                               darc_status *fatal, darc_err *err)
{
    const darc_drift_source *s = c->source;
    darc_drift_data data = {.table = NULL};
    darc_status status = s->load(s->user, i, &data, err);
    if (status == DARC_OK && data.table != NULL)
        status = darc_drift_fit(&data.fit, &c->x, data.table, err);
    darc_table_free(data.table);
    *fault = is_fault(status) ? status : DARC_OK;
    *fatal =
        status == DARC_LIMIT ? darc_budget_check(c->x.budget, NULL) : DARC_OK;
    if (*fault == DARC_OK && s->keep != NULL)
        *fatal = keep_result(s, i, status == DARC_OK ? &data.fit : NULL, err);
    darc_estimates *fit = darc_calloc(1, sizeof *fit);
    *fit = data.fit;
    if (status == DARC_OK)
        darc_bindings_impose(&c->bind, fit, c->x.by->alpha);
    if (status == DARC_OK && *fatal == DARC_OK)
        return fit;
    free_fit(fit);
    return NULL;
}

static void compare_all(darc_drift *out, const campaign *c,
                        darc_estimates *const *fit, char *const *error,
                        const darc_status *fault)
{
    darc_drift_comparison k = {&c->x,
                               c->source->recordings,
                               c->source->reference,
                               (const darc_estimates *const *)fit,
                               error,
                               fault,
                               &c->bind,
                               NULL,
                               c->source->groups,
                               c->source->group,
                               c->source->covariates,
                               c->source->covariate};
    darc_drift_compare_groups(out, &k);
}

/* Under the lock, which is free while that takes long: show what is known, now
 * and then, and when the campaign is ended. */
static void show_known(campaign *c, bool ended)
{
    const darc_drift_source *s = c->source;
    size_t n = (size_t)s->recordings;
    double now = darc_now();
    bool due = now >= c->look || (ended && c->look < HUGE_VAL);
    if (s->so_far == NULL || c->fit[s->reference] == NULL || !due ||
        c->done < 2 || c->done == s->recordings)
        return;
    c->look = HUGE_VAL;
    darc_estimates **fit = darc_calloc(n, sizeof *fit);
    char **error = darc_calloc(n, sizeof *error);
    darc_status *fault = darc_calloc(n, sizeof *fault);
    memcpy((void *)fit, (void *)c->fit, n * sizeof *fit);
    memcpy((void *)error, (void *)c->error, n * sizeof *error);
    memcpy(fault, c->fault, n * sizeof *fault);
    pthread_mutex_unlock(&c->lock);
    darc_drift drift;
    compare_all(&drift, c, fit, error, fault);
    DARC_FREE((void *)fit, (void *)error, fault);
    pthread_mutex_lock(&c->lock);
    s->so_far(s->user, &drift);
    darc_drift_clear(&drift);
    double after = darc_now();
    c->look = after + fmax(LOOK, (after - now) / LOOK_SHARE);
}

/* Under the lock: a recording is done, with that status; return whether the
 * campaign goes on. */
static darc_status report(campaign *c, darc_status status, darc_err *err)
{
    darc_progress p = {.stage = "recordings",
                       .done = ++c->done,
                       .total = c->source->recordings};
    if (status == DARC_OK) { /* what err says is noted */
        darc_err_init(err);
        status = darc_budget_check(c->x.budget, err);
    }
    darc_budget_progress(c->x.budget, &p);
    show_known(c, status != DARC_OK);
    return status;
}

/* Take the k-th recording; the reference comes first. */
static darc_status fit_in_turn(void *user, size_t k, darc_err *err)
{
    campaign *c = user;
    int r = c->source->reference, at = (int)k;
    int i = at == 0 ? r : at <= r ? at - 1 : at;
    darc_status fault, fatal;
    darc_estimates *fit = fit_one(c, i, &fault, &fatal, err);
    pthread_mutex_lock(&c->lock);
    c->fit[i] = fit;
    c->fault[i] = fault;
    if (fit == NULL && fatal == DARC_OK)
        c->error[i] = darc_strdup(err->message);
    fatal = report(c, fatal, err);
    pthread_mutex_unlock(&c->lock);
    return fatal;
}

static darc_status run_campaign(darc_drift *out, campaign *c, darc_err *err)
{
    int n = c->source->recordings, r = c->source->reference;
    darc_status status =
        darc_bindings_init(&c->bind, &c->x, NULL, NULL, 0, err);
    if (status != DARC_OK)
        return status;
    DARC_CALLOC((size_t)n, c->fit, c->error, c->fault);
    pthread_mutex_init(&c->lock, NULL);
    darc_parallel p = {.user = c,
                       .count = (size_t)n,
                       .threads = c->source->threads,
                       .work = fit_in_turn};
    status = darc_parallel_run(&p, c->x.budget, err);
    pthread_mutex_destroy(&c->lock);
    if (status == DARC_OK && c->error[r] != NULL)
        status =
            darc_fail(err, c->fault[r] != DARC_OK ? c->fault[r] : DARC_DATA,
                      "the reference cannot be used: %s", c->error[r]);
    else if (status == DARC_OK)
        compare_all(out, c, c->fit, c->error, c->fault);
    for (int i = 0; i < n; i++) {
        free_fit(c->fit[i]);
        darc_free(c->error[i]);
    }
    DARC_FREE((void *)c->fit, (void *)c->error, c->fault);
    darc_bindings_clear(&c->bind);
    return status;
}

darc_status darc_drift_run(darc_drift *out, const darc_question *x,
                           const darc_drift_source *source, darc_err *err)
{
    char why[256];
    assert(source->reference >= 0 && source->reference < source->recordings);
    assert(source->threads > 0 && x->io->count > 0);
    int *equation = darc_calloc((size_t)x->io->count, sizeof *equation);
    campaign c = {.source = source, .look = 0, .x = *x};
    c.x.equations = darc_drift_followed(equation, x->io);
    c.x.equation = equation;
    darc_drift_say_left_out(why, sizeof why, x->io, 0);
    darc_status status = c.x.equations > 0
                             ? run_campaign(out, &c, err)
                             : darc_fail(err, DARC_LIMIT, "%s", why);
    darc_free(equation);
    return status;
}
