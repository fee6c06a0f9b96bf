/* finite.h - prime fields: random numbers, values and images of polynomials.
 *
 * A polynomial that is not zero at a random point modulo a random prime is
 * not zero; one that is zero there is zero up to a probability below
 * degree / 2^59.  The generators are seeded: same seed, same numbers.
 */
#pragma once

#include "base/flint.h"

/* A generator of its own, where no state of FLINT is at hand (splitmix64). */
typedef struct {
    ulong state;
} darc_rng;

/* Return the next number of 64 random bits. */
ulong darc_rng_next(darc_rng *rng);

/* Return a random prime between 2^59 and 2^60. */
ulong darc_rng_prime(darc_rng *rng);

/* Return a random residue, uniform up to 2^-4 of its value. */
ulong darc_rng_residue(darc_rng *rng, nmod_t mod);

/* Return the i-th prime below 2^62, i = 0, 1, ... */
ulong darc_finite_prime(int i);

/* Return a random prime of 61 bits. */
ulong darc_finite_random_prime(flint_rand_t state);

/* Set x to a random point without zeros, modulo mod.n. */
void darc_finite_random_point(ulong *x, slong n, nmod_t mod,
                              flint_rand_t state);

/* Return a random number that depends on h; one that depends on the exponents
 * e of n variables. */
ulong darc_finite_mix(ulong h);
ulong darc_finite_hash(const ulong *e, slong n);

/* Return the value of random linear functional number i, modulo mod.n, at the
 * monomial of hash h. */
ulong darc_finite_functional(ulong h, slong i, nmod_t mod);

/* Return the value of x^e modulo mod.n. */
ulong darc_finite_monomial(const ulong *e, const ulong *x, slong n, nmod_t mod);

/* Return the value of p at x, one entry a variable, modulo mod.n.
 * Cost O(terms * used variables). */
ulong darc_finite_eval(const fmpz_mpoly_t p, const ulong *x, nmod_t mod,
                       const fmpz_mpoly_ctx_t ctx);

/* Set by[v] to the value of the derivative of p by variable v at x; return that
 * of p.  Cost O(terms * used variables), too. */
ulong darc_finite_gradient(ulong *by, const fmpz_mpoly_t p, const ulong *x,
                           nmod_t mod, const fmpz_mpoly_ctx_t ctx);

/* Set q, in the ring `to`, to the image of p modulo its prime: variable v of
 * ctx becomes variable target[v] (v where target is NULL), or the number x[v]
 * where target[v] < 0. */
void darc_finite_image(nmod_mpoly_t q, const nmod_mpoly_ctx_t to,
                       const slong *target, const ulong *x,
                       const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx);
