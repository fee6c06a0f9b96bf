/* series.h - random power-series solutions of linear chains modulo a prime.
 *
 * A linear chain gives each of its leaders as a rational function of lower
 * derivatives: a solved form such as x' = f(x, u), y = g(x, u).  Its ideal is
 * prime; a polynomial that does not vanish on a random solution is not in
 * it, and one that is not in it vanishes there with a probability below
 * degree / 2^59.
 */
#ifndef DARC_ALGEBRA_SERIES_H
#define DARC_ALGEBRA_SERIES_H

#include "algebra/dpoly.h"
#include "algebra/finite.h"

typedef struct {
    nmod_t mod;
    int unknowns;
    slong length; /* terms of every series */
    ulong *coeff; /* coeff[u * length + k] of t^k in unknown u; owned */
} darc_series_struct;

typedef darc_series_struct darc_series_t[1];

/* Set s to a random solution of chain: polynomials of degree 1 in their
 * leaders, rank ascending, the leaders' unknowns all different, no proper
 * derivative of a leader in any of them.  Initial values below the leaders,
 * parameters and unknowns without an equation are random, time starts at a
 * random value.
 * Fails: DARC_DOMAIN when an initial vanishes at each of several points; s
 * is then cleared.  Cost O(length^3 * terms). */
DARC_CHECKED darc_status darc_series_init(darc_series_t s,
                                          const darc_dpolys_t chain,
                                          slong length, ulong seed,
                                          const darc_jet_t jet, darc_err *err);
void darc_series_clear(darc_series_t s);

/* Return the derivative d at 0; d.order < s->length. */
ulong darc_series_deriv(const darc_series_t s, darc_deriv d);

/* Set value[v], v < jet->vars, to the derivatives at 0; jet is any frame of
 * the same symbol table with orders below s->length. */
void darc_series_values(ulong *value, const darc_series_t s,
                        const darc_jet_t jet);

/* Return p at 0. */
ulong darc_series_eval(const darc_dpoly_t p, const darc_series_t s,
                       const darc_jet_t jet);

#endif
