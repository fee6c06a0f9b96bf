#define _GNU_SOURCE /* tdestroy */

#include "base/attempt.h"

#include <assert.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>

static _Thread_local darc_attempt *now; /* NULL: none */
static bool declined;

void darc_attempt_decline(void)
{
    declined = true;
    now = NULL;
}

bool darc_attempt_runs(void)
{
    return now != NULL;
}

void darc_attempt_begins(darc_attempt *a, bool keeps)
{
    a->keeps = keeps;
    a->memory = NULL;
    a->opens = 0;
    a->lacking = 0;
    if (now == NULL && !declined)
        now = a;
}

static void leave(void *p)
{
    (void)p;
}

void darc_attempt_ends(darc_attempt *a)
{
    tdestroy(a->memory, leave);
    now = now == a ? NULL : now;
}

darc_status darc_attempt_undo(darc_attempt *a, darc_err *err)
{
    now = NULL; /* what closes frees as ever */
    while (a->opens-- > 0)
        a->open[a->opens].close(a->open[a->opens].p);
    tdestroy(a->memory, free);
    a->memory = NULL;
    return darc_fail(err, DARC_LIMIT, "memory is short: %zu bytes", a->lacking);
}

void darc_attempt_lacks(size_t size)
{
    if (now == NULL)
        return;
    now->lacking = size;
    longjmp(now->end, 1);
}

static int by_address(const void *a, const void *b)
{
    uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
    return (p > q) - (p < q);
}

void darc_attempt_borrows(size_t size)
{
    now->lacking = size;
}

void darc_attempt_takes(void *p)
{
    if (now == NULL)
        return;
    size_t lacking = now->lacking;
    if (lacking == 0 &&
        (now->keeps || tsearch(p, &now->memory, by_address) != NULL))
        return;
    free(p);
    darc_attempt_lacks(lacking > 0 ? lacking : sizeof(void *));
}

bool darc_attempt_frees(const void *p)
{
    return p != NULL && now != NULL &&
           tdelete(p, &now->memory, by_address) != NULL;
}

void darc_attempt_opens(void (*close)(void *p), void *p)
{
    assert(now == NULL || now->opens < DARC_ATTEMPT_OPEN);
    if (now == NULL || now->opens == DARC_ATTEMPT_OPEN)
        return;
    now->open[now->opens].close = close;
    now->open[now->opens++].p = p;
}

void darc_attempt_closes(const void *p)
{
    int i = now != NULL ? now->opens : 0;
    while (i > 0 && now->open[i - 1].p != p)
        i--;
    if (i == 0)
        return;
    for (now->opens--; i <= now->opens; i++)
        now->open[i - 1] = now->open[i];
}
