/* random.h - a small generator of pseudo-random numbers: xoshiro256**,
 * seeded by splitmix64 [Blackman, Vigna, 2018].  Same seed, same numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t s[4]; /* not all 0 */
    double spare;  /* a second normal number ... */
    int has_spare; /* ... if there is one */
} darc_random;

/* Start stream number `stream` of `seed`; streams are independent. */
void darc_random_init(darc_random *r, uint64_t seed, uint64_t stream);

/* Return a number uniform in [0, 1): a multiple of 2^-53. */
double darc_random_uniform(darc_random *r);

/* Set the n values of x to 1 or -1, either as likely. */
void darc_random_signs(darc_random *r, double *x, size_t n);

/* Return a standard normal number (polar method). */
double darc_random_normal(darc_random *r);
