/* regular.h - from a coherent branch to a regular chain.
 *
 * A branch without pending equations is a regular system [BLOP09] once its
 * inequations are regular modulo its equations: no zero divisors.  That is
 * proved in a random fibre (tower.h); where a fibre contradicts, a gcd modulo
 * the lower equations is computed, which either splits an equation or
 * exhibits a polynomial to split the branch on (D5).
 */
#ifndef DARC_CHAIN_REGULAR_H
#define DARC_CHAIN_REGULAR_H

#include "base/budget.h"
#include "chain/branch.h"

typedef enum {
    DARC_REGULAR_DONE,    /* all inequations are regular */
    DARC_REGULAR_EMPTY,   /* one of them vanishes everywhere */
    DARC_REGULAR_CHANGED, /* an equation was replaced by a factor: b is to be
                             completed again */
    DARC_REGULAR_SPLIT,   /* the branch is to be split on h */
    DARC_REGULAR_OPEN     /* no answer: a fibre would have a dimension over
                             DARC_TOWER_MAX_DIM */
} darc_regular_outcome;

/* Set *outcome, and h in the case of a split, for branch b, which has no
 * pending equations and no pairs.
 * Fails: DARC_LIMIT on a spent budget or a frame too small. */
DARC_CHECKED darc_status darc_regular_step(darc_regular_outcome *outcome,
                                           darc_dpoly_t h, darc_branch *b,
                                           const darc_jet_t jet,
                                           const darc_budget *budget,
                                           darc_err *err);

/* Reduce the equations of a, a regular chain, by each other: partially
 * always, fully unless that makes an equation grow a lot; and make each
 * primitive in its leader.  Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_regular_autoreduce(darc_autored_t a,
                                                 const darc_jet_t jet,
                                                 const darc_budget *budget,
                                                 darc_err *err);

/* Set *regular to whether p, in the frame, is proved regular modulo a, a
 * regular chain, by a random fibre (true is certain, false nearly). */
DARC_CHECKED darc_status darc_regular_test(bool *regular, const darc_dpoly_t p,
                                           darc_autored_t a,
                                           const darc_jet_t jet, darc_err *err);

#endif
