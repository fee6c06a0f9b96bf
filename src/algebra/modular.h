/* modular.h - random numbers modulo a prime, images of polynomials.
 *
 * A polynomial that is not zero at a random point modulo a random prime is
 * not zero; one that is zero there is zero up to a probability below
 * degree / 2^59.  The generator is seeded: same seed, same numbers.
 */
#ifndef DARC_ALGEBRA_MODULAR_H
#define DARC_ALGEBRA_MODULAR_H

#include "algebra/dpoly.h"

typedef struct {
    ulong state;
} darc_rng;

/* Return the next number of 64 random bits (splitmix64). */
ulong darc_rng_next(darc_rng *rng);

/* Return a random prime between 2^59 and 2^60. */
ulong darc_modular_prime(darc_rng *rng);

/* Return a random residue, uniform up to 2^-4 of its value. */
ulong darc_modular_random(darc_rng *rng, nmod_t mod);

/* Return the value of p at value[v], v < jet->vars, modulo mod.n.
 * Cost O(terms * used variables). */
ulong darc_modular_eval(const darc_dpoly_t p, const ulong *value, nmod_t mod,
                        const darc_jet_t jet);

#endif
