/* solution.h - random solutions of io-equations modulo a prime.
 *
 * A solution is a table of derivatives u^(k)(0): those below the leaders, the
 * inputs and the parameters are random, the leaders and their derivatives
 * follow from the equations.  A polynomial that does not vanish on all
 * solutions vanishes on such a one with a probability of at most its degree
 * over 2^60.
 */
#ifndef DARC_RELATION_SOLUTION_H
#define DARC_RELATION_SOLUTION_H

#include "projection/ioeq.h"

typedef struct {
    nmod_t mod;
    int unknowns;
    slong length;  /* derivatives 0 .. length - 1 of every signal are valid */
    slong stride;  /* value[u * stride + k] is u^(k)(0) */
    ulong *value;  /* owned; of parameters order 0 alone */
    ulong *invfac; /* 1 / k!, k < stride; owned */
} darc_solution_struct;

typedef darc_solution_struct darc_solution_t[1];

/* Set s to a random solution of io modulo a prime of 61 bits.  param (an
 * entry for each unknown, those of parameters are read) gives the
 * parameters; NULL: random ones.
 * Fails: DARC_INTERNAL when none is found (the leader has no root modulo the
 * prime in many trials). */
DARC_CHECKED darc_status darc_solution_init(darc_solution_t s,
                                            const darc_ioeqs_t io, slong length,
                                            ulong prime, const ulong *param,
                                            flint_rand_t state, darc_err *err);

/* Set s to random signals that solve nothing. */
void darc_solution_init_random(darc_solution_t s, const darc_names_t names,
                               slong length, ulong prime, flint_rand_t state);
void darc_solution_clear(darc_solution_t s);

/* Set out[k] to the k-th derivative of f at 0, k < n, for f in the frame
 * jet, whose unknown w is unknown map[w] of s (NULL: w). */
void darc_solution_derivatives(ulong *out, slong n, const darc_dpoly_t f,
                               const darc_jet_t jet, const int *map,
                               const darc_solution_t s);

/* Return f at 0; unknown w of jet is unknown map[w] of s[which[w]]. */
ulong darc_solution_value(const darc_dpoly_t f, const darc_jet_t jet,
                          const int *map, const int *which,
                          const darc_solution_struct *s);

#endif
