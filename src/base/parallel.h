/* parallel.h - units of work by several threads, gathered in their order.
 *
 * Each worker owns a state.  Unit i is worked out in the state of some worker
 * and then gathered from it, unit 0 first, one at a time: what is gathered
 * does not depend on the number of threads.
 */
#pragma once

#include "base/budget.h"
#include "base/status.h"

#include <stddef.h>

typedef struct {
    void *user;
    size_t count;              /* units */
    int threads;               /* at most; below 2: the caller alone */
    void *(*open)(void *user); /* NULL: user is the state of all */
    void (*close)(void *state);
    darc_status (*work)(void *state, size_t unit, darc_err *err);
    void (*gather)(void *user, void *state, size_t unit); /* NULL: no unit
                                                       waits for another */
} darc_parallel;

/* Work all units and gather them; the calling thread asks the budget all
 * along.  After a failure the rest is left out; of several failures the one
 * of the lowest unit counts.
 * Fails: as work does; DARC_LIMIT by the budget. */
DARC_STATUS darc_parallel_run(const darc_parallel *p, const darc_budget *budget,
                              darc_err *err);
