/* budget.h - time limit, interruption and progress of long computations.
 *
 *     darc_budget b;
 *     darc_budget_init(&b);
 *     b.deadline = darc_now() + 10;
 *
 * What takes a budget asks it all along, so that a call ends with DARC_LIMIT
 * within a second or so of its deadline.  Two things it cannot stop by itself:
 * a single operation of FLINT, and memory beyond what there is, which ends the
 * process; hence children (apart.h).  NULL is the unlimited budget.
 */
#ifndef DARC_BUDGET_H
#define DARC_BUDGET_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

DARC_BEGIN_DECLS

struct darc_partial_struct;

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
    bool here;       /* in this process, not in a child (apart.h) */
    int (*interrupted)(void *user); /* non-zero: stop now; may be NULL */
    void (*progress)(void *user, const darc_progress *p); /* may be NULL */
    void (*partial)(void *user, const char *text);        /* a result so far, in
                                            place of the one before; may be NULL */
    void *user;

    /* The library's own; as darc_budget_init sets them. */
    bool (*reached)(void *reader, const struct darc_partial_struct *p);
    void *reader;
    double *left; /* products of terms that bases may still take; NULL: any */
} darc_budget;

/* Set b to the unlimited budget. */
void darc_budget_init(darc_budget *b);

/* Return the monotonic clock in seconds. */
double darc_now(void);

DARC_END_DECLS

#endif
