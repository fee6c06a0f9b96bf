/* budget.h - what a long computation asks its budget (darc/budget.h).
 *
 * It calls darc_budget_check in its outer loops, so that a user gets an answer
 * within a second.
 */
#pragma once

#include "base/status.h"
#include "darc/budget.h"

/* Return the CPU time of the process in seconds. */
double darc_cpu_time(void);

/* Return DARC_OK while the budget lasts.
 * Fails: DARC_LIMIT when time or memory is spent or the user interrupts; the
 * message says which.  Cost: a clock read. */
DARC_STATUS darc_budget_check(const darc_budget *b, darc_err *err);

/* Return b, which may be NULL, with so many products of terms that are left. */
darc_budget darc_budget_with(const darc_budget *b, double *left);

/* Return b, which may be NULL, with a share of its time and memory: what goes
 * on after it, in what is left of b, says what would help. */
darc_budget darc_budget_share(const darc_budget *b, double share);

/* Take products of terms off those that are left; below 0 the budget is spent.
 */
void darc_budget_take(const darc_budget *b, double products);

/* Return whether nothing but the products that were left is spent, so that
 * what needs no more of them may go on. */
bool darc_budget_is_short(const darc_budget *b);

/* Report progress; both pointers may be NULL. */
void darc_budget_progress(const darc_budget *b, const darc_progress *p);

/* Hand over a partial result as text. */
void darc_budget_partial(const darc_budget *b, const char *text);

/* Hand over what an elimination has reached, to take the place of the one
 * before; return whether it was taken: false where it came too soon. */
bool darc_budget_reached(const darc_budget *b,
                         const struct darc_partial_struct *p);

/* Return whether somebody wants to know what is reached. */
bool darc_budget_is_read(const darc_budget *b);
