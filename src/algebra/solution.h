/* solution.h - random solutions of triangular sets modulo a prime.
 *
 * A solution is a table of derivatives u^(k)(0): those below the leaders, what
 * has no equation, and the parameters are random; the leaders and their
 * derivatives follow from the equations.  A polynomial that does not vanish on
 * all solutions vanishes on such a one with a probability of at most its
 * degree over the prime.
 */
#pragma once

#include "algebra/dpoly.h"
#include "algebra/finite.h"

typedef struct {
    nmod_t mod;
    int unknowns;
    slong length;  /* derivatives 0 .. length - 1 of every signal are valid */
    slong stride;  /* value[u * stride + k] is u^(k)(0) */
    ulong *value;  /* owned; of parameters order 0 alone */
    ulong *invfac; /* 1 / k!, k < stride; owned */
} darc_solution_struct;

typedef darc_solution_struct darc_solution_t[1];

/* Set s to random signals that solve nothing, modulo prime.  param (an entry
 * for each unknown, those of parameters are read) gives the parameters; NULL:
 * random ones.  Time starts at a random value. */
void darc_solution_init(darc_solution_t s, const darc_names_t names,
                        slong length, ulong prime, const ulong *param,
                        flint_rand_t state);
void darc_solution_clear(darc_solution_t s);

/* Make s a random solution of eq, with the parameters that it has: no two
 * leaders are derivatives of one unknown, no equation holds a proper
 * derivative of a leader.
 * Fails: DARC_DOMAIN when none is found: an initial or a separant vanishes, or
 * a leader has no root modulo the prime, in all trials.
 * Cost O(length^3 * terms). */
DARC_STATUS darc_solution_solve(darc_solution_t s, const darc_dpolys_t eq,
                                const darc_jet_t jet, flint_rand_t state,
                                darc_err *err);

/* The same for equations that are linear in the variables leader[i], as many,
 * together, and hold no derivatives of these.
 * Fails: DARC_DOMAIN when they are not determined, in all trials. */
DARC_STATUS darc_solution_solve_linear(darc_solution_t s,
                                       const darc_dpolys_t eq,
                                       const slong *leader,
                                       const darc_jet_t jet, flint_rand_t state,
                                       darc_err *err);

/* Set *x to a random root of p in its variable v, the others at their values at
 * 0; return whether there is one modulo the prime. */
bool darc_solution_root(ulong *x, const darc_dpoly_t p, slong v,
                        const darc_jet_t jet, const darc_solution_t s,
                        flint_rand_t rand);

/* Set value[v], v < jet->vars, to the derivatives at 0; jet is any frame of
 * the same symbol table with orders below s->length. */
void darc_solution_values(ulong *value, const darc_solution_t s,
                          const darc_jet_t jet);

/* Set out[k] to the k-th derivative of f at 0, k < n, for f in the frame
 * jet of the same symbol table. */
void darc_solution_derivatives(ulong *out, slong n, const darc_dpoly_t f,
                               const darc_jet_t jet, const darc_solution_t s);
