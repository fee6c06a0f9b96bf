/* tower.h - a random fibre of a triangular set modulo a prime.
 *
 * The variables that are not derivatives of leaders get random values; what
 * is left is a zero-dimensional triangular system, whose residue ring is a
 * vector space of dimension prod (degrees of the equations).  A polynomial
 * that is invertible there is regular modulo the ideal of the set: its norm
 * is not zero at one point, so it is not zero.  The converse holds up to a
 * small probability.  Proper derivatives of leaders take the values that the
 * derivatives of the equations force on them.
 */
#ifndef DARC_CHAIN_TOWER_H
#define DARC_CHAIN_TOWER_H

#include "algebra/finite.h"
#include "chain/autored.h"
#include "chain/thresholds.h"

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
DARC_CHECKED darc_status darc_tower_init(darc_tower_t t,
                                         const darc_dpoly_struct **bad,
                                         darc_autored_t a, ulong seed,
                                         const darc_jet_t jet, darc_err *err);
void darc_tower_clear(darc_tower_t t);

/* Set *regular to whether p is invertible in the fibre (which proves that it
 * is regular); false where a separant in the way is not.
 * Fails: as darc_tower_init. */
DARC_CHECKED darc_status darc_tower_is_regular(bool *regular, darc_tower_t t,
                                               const darc_dpoly_t p,
                                               darc_autored_t a,
                                               const darc_jet_t jet,
                                               darc_err *err);

#endif
