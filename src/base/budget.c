#include "base/budget.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void darc_budget_init(darc_budget *b)
{
    *b = (darc_budget){.deadline = HUGE_VAL};
}

static double clock_seconds(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double darc_now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double darc_cpu_time(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* Resident memory of the process in bytes; its peak where /proc is missing. */
static size_t resident(void)
{
    struct rusage usage;
    unsigned long total, pages;
    FILE *f = fopen("/proc/self/statm", "r");
    int n = f != NULL ? fscanf(f, "%lu %lu", &total, &pages) : 0;
    if (f != NULL)
        fclose(f);
    if (n == 2)
        return pages * (size_t)sysconf(_SC_PAGESIZE);
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss << 10;
}

static darc_status check_outer(const darc_budget *b, darc_err *err)
{
    if (b->interrupted != NULL && b->interrupted(b->user))
        return darc_fail(err, DARC_LIMIT, "interrupted");
    if (b->deadline < HUGE_VAL && darc_now() > b->deadline)
        return darc_fail(err, DARC_LIMIT,
                         "the time limit is spent (--timeout)");
    if (b->memory != 0 && resident() > b->memory)
        return darc_fail(err, DARC_LIMIT,
                         "the memory limit of %zu MB is spent (--memory)",
                         b->memory >> 20);
    return DARC_OK;
}

static bool has_none_left(const darc_budget *b)
{
    return b->left != NULL && *b->left < 0;
}

darc_status darc_budget_check(const darc_budget *b, darc_err *err)
{
    if (b == NULL)
        return DARC_OK;
    if (has_none_left(b))
        return darc_fail(err, DARC_LIMIT, "the work of one step is spent");
    return check_outer(b, err);
}

darc_budget darc_budget_with(const darc_budget *b, double *left)
{
    darc_budget own = b != NULL ? *b : (darc_budget){.deadline = HUGE_VAL};
    own.left = left;
    return own;
}

darc_budget darc_budget_share(const darc_budget *b, double share)
{
    darc_budget own = darc_budget_with(b, b != NULL ? b->left : NULL);
    double now = darc_now();
    if (own.deadline < HUGE_VAL)
        own.deadline = now + share * (own.deadline - now);
    own.memory = (size_t)(share * (double)own.memory);
    return own;
}

void darc_budget_take(const darc_budget *b, double products)
{
    if (b != NULL && b->left != NULL)
        *b->left -= products;
}

bool darc_budget_is_short(const darc_budget *b)
{
    return b != NULL && has_none_left(b) && check_outer(b, NULL) == DARC_OK;
}

void darc_budget_progress(const darc_budget *b, const darc_progress *p)
{
    if (b != NULL && b->progress != NULL)
        b->progress(b->user, p);
}

void darc_budget_partial(const darc_budget *b, const char *text)
{
    if (b != NULL && b->partial != NULL)
        b->partial(b->user, text);
}

bool darc_budget_is_read(const darc_budget *b)
{
    return b != NULL && b->reached != NULL;
}

bool darc_budget_reached(const darc_budget *b,
                         const struct darc_partial_struct *p)
{
    return darc_budget_is_read(b) && b->reached(b->reader, p);
}
