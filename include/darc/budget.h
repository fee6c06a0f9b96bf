/* budget.h - time limit, interruption and progress of long computations.
 *
 * A long computation calls darc_budget_check in its outer loops, so that a
 * user gets an answer within a second.  NULL is the unlimited budget.
 */
#ifndef DARC_BUDGET_H
#define DARC_BUDGET_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

DARC_BEGIN_DECLS

struct darc_partial_struct; /* partial.h */

/* Where a computation stands.  All strings live during the call only. */
typedef struct {
    const char *stage; /* "eliminating x2" */
    long done, total;  /* steps; total 0: unknown */
    long terms;        /* terms of the largest polynomial in hand, or 0 */
} darc_progress;

typedef struct {
    double deadline; /* on the clock of darc_now, s; HUGE_VAL: none */
    size_t memory;   /* bytes of resident memory; 0: no limit */
    int threads;     /* of long eliminations; 0: all cores */
    double work;     /* products of terms in one elimination; 0: no limit */
    int (*interrupted)(void *user); /* non-zero: stop now; may be NULL */
    void (*progress)(void *user, const darc_progress *p); /* may be NULL */
    void (*partial)(void *user, const char *text);        /* a result so far, in
                                            place of the one before; may be NULL */
    void *user;

    /* What an elimination has reached, in place of the one before; may be
     * NULL.  False: not now, for it came too soon after the last. */
    bool (*reached)(void *reader, const struct darc_partial_struct *p);
    void *reader;
} darc_budget;

/* Set b to the unlimited budget. */
void darc_budget_init(darc_budget *b);

/* Return the monotonic clock in seconds. */
double darc_now(void);

/* Return the CPU time of the process in seconds. */
double darc_cpu_time(void);

/* Return DARC_OK while the budget lasts.
 * Fails: DARC_LIMIT when time or memory is spent or the user interrupts; the
 * message says which.  Cost: a clock read. */
DARC_CHECKED darc_status darc_budget_check(const darc_budget *b, darc_err *err);

/* Return the number of threads that b allows, at least 1; 1 for NULL. */
int darc_budget_threads(const darc_budget *b);

/* Report progress; both pointers may be NULL. */
void darc_budget_progress(const darc_budget *b, const darc_progress *p);

/* Hand over a partial result as text. */
void darc_budget_partial(const darc_budget *b, const char *text);

/* Hand over what an elimination has reached; return whether it was taken. */
bool darc_budget_reached(const darc_budget *b,
                         const struct darc_partial_struct *p);

/* Return whether somebody wants to know what is reached. */
bool darc_budget_is_read(const darc_budget *b);

DARC_END_DECLS

#endif
