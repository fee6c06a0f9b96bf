#include "base/parallel.h"

#include <pthread.h>
#include <stdbool.h>

enum { MAX_THREADS = 256 };

/* What the workers share, under the lock. */
typedef struct {
    const darc_parallel *p;
    const darc_budget *budget; /* asked by the caller's thread alone */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;     /* unit that nobody has taken */
    size_t gathered; /* units gathered */
    size_t end;      /* units from here on are left out */
    darc_status status;
    darc_err err;
} job;

typedef struct {
    job *j;
    bool caller;
    pthread_t thread;
} worker;

/* Leave out the unit and what follows it. */
static void fail(job *j, size_t unit, darc_status status, const darc_err *err)
{
    pthread_mutex_lock(&j->lock);
    if (unit < j->end) {
        j->end = unit;
        j->status = status;
        j->err = *err;
    }
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

/* Take a unit; false when none is left. */
static bool take(job *j, size_t *unit)
{
    pthread_mutex_lock(&j->lock);
    *unit = j->next;
    bool any = j->next < j->end;
    j->next += any;
    pthread_mutex_unlock(&j->lock);
    return any;
}

/* Gather the unit when its turn has come. */
static void gather(job *j, void *state, size_t unit)
{
    pthread_mutex_lock(&j->lock);
    while (j->gathered < unit && unit < j->end)
        pthread_cond_wait(&j->changed, &j->lock);
    if (unit < j->end) {
        j->p->gather(j->p->user, state, unit);
        j->gathered = unit + 1;
    }
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

static void *work(void *argument)
{
    worker *w = argument;
    job *j = w->j;
    void *state = NULL;
    size_t unit;
    while (take(j, &unit)) {
        darc_err err;
        darc_err_init(&err);
        darc_status status =
            w->caller ? darc_budget_check(j->budget, &err) : DARC_OK;
        if (status == DARC_OK && state == NULL)
            state = j->p->open(j->p->user);
        if (status == DARC_OK)
            status = j->p->work(state, unit, &err);
        if (status == DARC_OK)
            gather(j, state, unit);
        else
            fail(j, unit, status, &err);
    }
    if (state != NULL)
        j->p->close(state);
    return NULL;
}

static int useful_threads(const darc_parallel *p)
{
    size_t most = p->count < MAX_THREADS ? p->count : MAX_THREADS;
    return p->threads < 1 || most == 0 ? 1
           : (size_t)p->threads > most ? (int)most
                                       : p->threads;
}

darc_status darc_parallel_run(const darc_parallel *p, const darc_budget *budget,
                              darc_err *err)
{
    worker w[MAX_THREADS];
    bool started[MAX_THREADS] = {false};
    int threads = useful_threads(p);
    DARC_NEED(darc_budget_check(budget, err));
    job j = {.p = p, .budget = budget, .end = p->count};
    darc_err_init(&j.err);
    pthread_mutex_init(&j.lock, NULL);
    pthread_cond_init(&j.changed, NULL);
    for (int k = 0; k < threads; k++)
        w[k] = (worker){.j = &j, .caller = k == 0};
    for (int k = 1; k < threads; k++)
        started[k] = pthread_create(&w[k].thread, NULL, work, w + k) == 0;
    work(w);
    for (int k = 1; k < threads; k++)
        if (started[k])
            pthread_join(w[k].thread, NULL);
    pthread_mutex_destroy(&j.lock);
    pthread_cond_destroy(&j.changed);
    return j.status == DARC_OK ? DARC_OK
                               : darc_fail(err, j.status, "%s", j.err.message);
}
