#include "base/parallel.h"

#include "base/attempt.h"
#include "base/flint.h"

#include <pthread.h>
#include <stdbool.h>

enum { MAX_THREADS = 1024 };

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
} crew;

typedef struct {
    crew *j;
    bool caller, started;
    pthread_t thread;
} worker;

/* Gather the unit when its turn has come; after a failure leave it out, and
 * what follows it. */
static void settle_unit(crew *j, void *state, size_t unit, darc_status status,
                        const darc_err *err)
{
    bool ordered = j->p->gather != NULL;
    while (status == DARC_OK && ordered && j->gathered < unit && unit < j->end)
        pthread_cond_wait(&j->changed, &j->lock);
    if (unit < j->end && status == DARC_OK && ordered) {
        j->p->gather(j->p->user, state, unit);
        j->gathered = unit + 1;
    } else if (unit < j->end && status != DARC_OK) {
        j->end = unit;
        j->status = status;
        j->err = *err;
    }
    pthread_cond_broadcast(&j->changed);
}

static void *work(void *argument)
{
    worker *w = argument;
    crew *j = w->j;
    const darc_parallel *p = j->p;
    void *state = p->open == NULL ? p->user : NULL;
    pthread_mutex_lock(&j->lock);
    while (j->next < j->end) {
        size_t unit = j->next++;
        pthread_mutex_unlock(&j->lock);
        darc_err err = {DARC_OK, ""};
        darc_status status =
            w->caller ? darc_budget_check(j->budget, &err) : DARC_OK;
        if (status == DARC_OK && state == NULL)
            state = p->open(p->user);
        if (status == DARC_OK)
            status = p->work(state, unit, &err);
        pthread_mutex_lock(&j->lock);
        settle_unit(j, state, unit, status, &err);
    }
    pthread_mutex_unlock(&j->lock);
    if (state != NULL && p->open != NULL)
        p->close(state);
    if (!w->caller)
        flint_cleanup();
    return NULL;
}

darc_status darc_parallel_run(const darc_parallel *p, const darc_budget *budget,
                              darc_err *err)
{
    worker w[MAX_THREADS];
    int most = p->count < MAX_THREADS ? (int)p->count : MAX_THREADS;
    int threads = p->threads < most ? p->threads : most;
    /* no attempt ends beside other threads */
    threads = threads < 1 || darc_attempt_runs() ? 1 : threads;
    DARC_NEED(darc_budget_check(budget, err));
    crew j = {.p = p, .budget = budget, .end = p->count};
    darc_err_init(&j.err);
    pthread_mutex_init(&j.lock, NULL);
    pthread_cond_init(&j.changed, NULL);
    for (int k = 0; k < threads; k++)
        w[k] = (worker){.j = &j, .caller = k == 0};
    for (int k = 1; k < threads; k++)
        w[k].started = pthread_create(&w[k].thread, NULL, work, w + k) == 0;
    work(w);
    for (int k = 1; k < threads; k++)
        if (w[k].started)
            pthread_join(w[k].thread, NULL);
    pthread_mutex_destroy(&j.lock);
    pthread_cond_destroy(&j.changed);
    return j.status == DARC_OK ? DARC_OK
                               : darc_fail(err, j.status, "%s", j.err.message);
}
