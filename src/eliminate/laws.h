/* laws.h - what binds derived signals to those they are computed from.
 *
 * r = sqrt(y) obeys r^2 = y, hence y' = 2*r*r', and so on: differential
 * monomials in r and y may depend on each other.  A derived signal that is
 * made of numbers, signals, + - * / ^ and smooth functions obeys such laws;
 * one made with abs, sign, min, max, delay, a table or a variable exponent
 * counts as free, as does time up to its derivative 1.
 */
#ifndef DARC_ELIMINATE_LAWS_H
#define DARC_ELIMINATE_LAWS_H

#include "algebra/finite.h"
#include "model/model.h"

/* Return whether a derived signal of the model obeys laws. */
bool darc_laws_bind(const darc_model *model);

/* Return a random prime between 2^59 and 2^60 modulo which the squares have
 * unique roots, as positive numbers have, of every order that has no prime
 * factor above 100. */
ulong darc_laws_prime(darc_rng *rng);

/* Set value[v], v < jet->vars, to those of derivatives of random signals that
 * obey the laws, modulo such a prime; states and parameters get 0.  jet is a
 * frame with the names of the model.  Return whether that was possible: a base
 * may be no square, a divisor 0; other random numbers may do.
 * Cost O(nodes * M(length)), length the highest order plus derivatives in
 * expressions. */
bool darc_laws_values(ulong *value, const darc_model *model,
                      const darc_jet_t jet, nmod_t mod, darc_rng *rng);

#endif
