/* dae.h - equations without a solved form, as of mechanisms with constraints:
 * how often each is to be differentiated, and points that obey all of them.
 *
 * By Pryce's structural analysis [Pry01]: equation i is differentiated c_i
 * times, unknown j occurs up to order d_j, and stage by stage, s = -max d, ...,
 * the equations F_i^(s + c_i) give the derivatives X_j^(s + d_j): any that obey
 * constraints at first, then, from s = 0 on, one by linear equations.
 */
#pragma once

#include "algebra/solution.h"
#include "model/model.h"

typedef struct {
    const darc_model *model; /* of darc_dae_model; not owned */
    darc_jet_t jet;          /* of the model */
    darc_dpolys_t eq, ineq;  /* count equations; what must not vanish */
    int count;
    int *unknown; /* unknown[j], j < count: states and outputs; owned */
    int *order;   /* order[i * count + j]: of unknown j in equation i, -1: it
                     holds none; owned */
    int *times;   /* c_i; owned */
    int *highest; /* d_j; owned */
    int first;    /* -max d_j */
    int free;     /* initial values that may be chosen */
    int beyond; /* so many more derivatives of inputs count than of unknowns */
    const bool *apart; /* NULL, or of functions u that nothing binds to their
                          twins; not owned */
} darc_dae_struct;

typedef darc_dae_struct darc_dae_t[1];

/* Set *out to the model as this needs it: functions of measured signals are
 * states, too; the caller owns it.
 * Fails: DARC_DOMAIN where it has unknown inputs; as simulations do. */
DARC_STATUS darc_dae_model(darc_model **out, const darc_model *model,
                           darc_err *err);

/* Set x to the structure of the model, which it keeps.
 * Fails: DARC_DOMAIN where unknowns and equations do not match. */
DARC_STATUS darc_dae_init(darc_dae_t x, const darc_model *model, darc_err *err);
void darc_dae_clear(darc_dae_t x);

/* Set s to a random point modulo the prime that obeys all equations up to stage
 * `last`: X_j^(k) for k <= last + d_j.  param: an entry for each unknown of the
 * model, or NULL: such parameters are chosen, too.  Return whether one was
 * found at which the equations determine what follows. */
bool darc_dae_point(darc_solution_t s, const darc_dae_t x, int last,
                    ulong prime, const ulong *param, flint_rand_t rand);

/* Return how many derivatives of equations hold up to stage `last`. */
slong darc_dae_rows(const darc_dae_t x, int last);

/* Add to the rows of a, those of equation 0, of its derivatives, of equation 1,
 * ..., what they change by at s with X_j^(k), in column[j] + k, column[j] >= 0,
 * and with parameter u, in param[u] (NULL: fixed). */
void darc_dae_gradients(nmod_mat_t a, const darc_dae_t x, int last,
                        const darc_solution_t s, const slong *column,
                        const slong *param);

/* Set p, in the frame of x, to what binds function i to its twin, sin^2 + cos^2
 * - 1 or sinh^2 - cosh^2 + 1; return whether it is the first of two. */
bool darc_dae_bond(darc_dpoly_t p, const darc_dae_t x, int i);

/* Return the value of the twin of function i of the model, sin of cos and cos
 * of sin, of the same argument, likewise sinh and cosh; NULL: it is none. */
const ulong *darc_dae_twin(const darc_dae_t x, int i, const darc_solution_t s);

/* Return whether the equations generate a prime ideal, as far as what they
 * determine is concerned: those that begin at a stage are linear in the
 * derivatives there together; or, where none is differentiated yet, can be
 * solved for as many variables, which may be parameters and inputs, each
 * rationally, but one equation, which is irreducible.  No says nothing. */
bool darc_dae_is_prime(const darc_dae_t x, flint_rand_t rand);
