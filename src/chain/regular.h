/* regular.h - from a coherent branch to a regular chain.
 *
 * A branch without pending equations is a regular system [BLOP09] once its
 * inequations are regular modulo its equations: no zero divisors.  That is
 * proved in a random fibre (tower.c); where a fibre contradicts, a gcd modulo
 * the lower equations is computed, which either splits an equation or
 * exhibits a polynomial to split the branch on (D5).
 */
#pragma once

#include "algebra/finite.h"
#include "base/budget.h"
#include "chain/branch.h"
#include "chain/thresholds.h"

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
DARC_STATUS darc_regular_step(darc_regular_outcome *outcome, darc_dpoly_t h,
                              darc_branch *b, const darc_jet_t jet,
                              const darc_budget *budget, darc_err *err);

/* Reduce the equations of a, a regular chain, by each other: partially
 * always, fully unless that makes an equation grow a lot; and make each
 * primitive in its leader.  Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_regular_autoreduce(darc_autored_t a, const darc_jet_t jet,
                                    const darc_budget *budget, darc_err *err);

/* Set *regular to whether p, in the frame, is proved regular modulo a, a
 * regular chain, by a random fibre (true is certain, false nearly). */
DARC_STATUS darc_regular_test(bool *regular, const darc_dpoly_t p,
                              darc_autored_t a, const darc_jet_t jet,
                              darc_err *err);

/* ---- a random fibre of a triangular set modulo a prime
 *
 * The variables that are not derivatives of leaders get random values; what
 * is left is a zero-dimensional triangular system, whose residue ring is a
 * vector space of dimension prod (degrees of the equations).  A polynomial
 * that is invertible there is regular modulo the ideal of the set: its norm
 * is not zero at one point, so it is not zero.  The converse holds up to a
 * small probability.  Proper derivatives of leaders take the values that the
 * derivatives of the equations force on them. */

typedef struct {
    nmod_t mod;
    slong levels;  /* equations of degree > 1, lowest leader first */
    slong dim;     /* of the ring so far; element = coordinates */
    slong *degree; /* degree[l] of level l */
    slong *stride; /* coordinate of v_0^e_0 v_1^e_1 ... is
                      sum e_l * stride[l]; stride[levels] = dim */
    ulong **monic; /* v_l^degree = -sum_i monic[l][i] v_l^i, the
                      coefficients stride[l] coordinates each */
    slong max_dim; /* coordinates allocated per element */
    slong vars;
    ulong **value; /* value[v] of variable v, NULL while unknown; owned */
    darc_rng rng;
} darc_tower_struct;

typedef darc_tower_struct darc_tower_t[1];

/* Set t to a random fibre of a, seeded.  Where that fails because the
 * initial or the separant of an equation is not invertible, *bad (else NULL)
 * is set to that equation; where the dimension would pass
 * DARC_TOWER_MAX_DIM, to the equation that does it.
 * Fails: DARC_LIMIT when a derivative leaves the frame. */
DARC_STATUS darc_tower_init(darc_tower_t t, const darc_dpoly_struct **bad,
                            darc_autored_t a, ulong seed, const darc_jet_t jet,
                            darc_err *err);
void darc_tower_clear(darc_tower_t t);

/* Set *regular to whether p is invertible in the fibre (which proves that it
 * is regular); false where a separant in the way is not.
 * Fails: as darc_tower_init. */
DARC_STATUS darc_tower_is_regular(bool *regular, darc_tower_t t,
                                  const darc_dpoly_t p, darc_autored_t a,
                                  const darc_jet_t jet, darc_err *err);
