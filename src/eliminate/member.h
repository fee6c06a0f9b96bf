/* member.h - whether an expression vanishes on all solutions of a model.
 *
 * f = 0 holds on all solutions on which no initial, no separant and nothing
 * that the model assumes vanishes exactly if the remainder of f by a
 * characteristic set is 0 [Ritt].  The set is one under a ranking that needs
 * little work: outputs above states, of which a model in solved form is one as
 * it stands.
 */
#pragma once

#include "base/budget.h"
#include "model/model.h"

typedef struct {
    darc_truth vanishes; /* DARC_UNKNOWN: something is left, but functions in
                            the model obey laws that are not among the set */
    darc_text_t factor, rest; /* factor*EXPR = rest on all solutions; of the
                                 first case where it is not 0 */
    darc_text_t inequations;  /* what must not vanish, a line each */
} darc_membership;

/* Set m for the expression; with parameters, states, signals and their
 * derivatives; ranking "x >> y" of the characteristic set, NULL: its own. Clear
 * it whatever comes of it.
 * Fails: DARC_USAGE, where the text is no expression of the model, or the
 * ranking no ranking; DARC_DOMAIN for a model that has no solution; DARC_LIMIT
 * on a spent budget. */
DARC_STATUS darc_membership_init(darc_membership *m, const darc_model *model,
                                 const char *expression, const char *ranking,
                                 const darc_budget *budget, darc_err *err);
void darc_membership_clear(darc_membership *m);
