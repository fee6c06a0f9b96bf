/* attempt.h - work that ends with a status where memory lacks: what it has
 * allocated is freed, what it has opened is closed.
 *
 *     DARC_ATTEMPT(status, work(&made, file, err), err);
 *
 * Only for work that makes objects of its own and leaves alone those that were
 * there, that holds no lock while it allocates, and calls nobody who does.  The
 * memory of FLINT is not known here: of objects that work did not finish it is
 * lost.  Where FLINT finds none, the attempt ends too (darc_mem_adopt).
 */
#pragma once

#include "darc/status.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

enum { DARC_ATTEMPT_OPEN = 16 };

typedef struct {
    jmp_buf end;
    bool keeps;
    size_t lacking; /* bytes; above 0: the attempt ends with the next call */
    void *memory;   /* a tree by address (tsearch); owned */
    int opens;
    struct {
        void (*close)(void *p);
        void *p;
    } open[DARC_ATTEMPT_OPEN];
} darc_attempt;

/* Set status to that of the call; to DARC_LIMIT where an allocation of
 * darc_malloc and its like, in this thread, finds no memory: work ends there.
 * Within another attempt, and where the program has its own way
 * (darc_mem_on_lack), there is only the call. */
#define DARC_ATTEMPT(status, call, err)                                        \
    DARC_ATTEMPT_AS(status, call, err, false)

/* The same for work on objects that were there, which leaves them whole at each
 * allocation: what has been allocated is theirs, and stays. */
#define DARC_ATTEMPT_ON(status, call, err)                                     \
    DARC_ATTEMPT_AS(status, call, err, true)

#define DARC_ATTEMPT_AS(status, call, err, on)                                 \
    do {                                                                       \
        darc_attempt attempt;                                                  \
        darc_attempt_begins(&attempt, on);                                     \
        if (setjmp(attempt.end) == 0)                                          \
            (status) = (call);                                                 \
        else                                                                   \
            (status) = darc_attempt_undo(&attempt, err);                       \
        darc_attempt_ends(&attempt);                                           \
    } while (0)

void darc_attempt_begins(darc_attempt *a, bool keeps);
darc_status darc_attempt_undo(darc_attempt *a, darc_err *err);
void darc_attempt_ends(darc_attempt *a);

/* Return whether one is under way, in this thread. */
bool darc_attempt_runs(void);

/* From now on an attempt that ends so calls close(p), the newest first, before
 * it frees anything, p not being on the stack; no longer.  Of few at a time. */
void darc_attempt_opens(void (*close)(void *p), void *p);
void darc_attempt_closes(const void *p);

/* For base/mem.c: memory p was allocated; is to be freed, which returns whether
 * the attempt has it; there are no `size` bytes, now, or but for some that are
 * lent until the next call; no attempt is to be made, or goes on. */
void darc_attempt_takes(void *p);
bool darc_attempt_frees(const void *p);
void darc_attempt_lacks(size_t size);
void darc_attempt_borrows(size_t size);
void darc_attempt_decline(void);
