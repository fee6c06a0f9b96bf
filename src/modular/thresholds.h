/* thresholds.h - what limits and decides modulo a prime.
 *
 * All but DARC_MAX_MINORS and DARC_LIFT_BITS decide on time alone: a
 * factorisation that is not tried leaves a factor to be found later, a form
 * that is not taken leaves another. */
#pragma once

/* Rows of a determinant: 2^16 minors at most.  Of the models at hand h_hill3
 * alone meets more (27), whose equation has 893,627 monomials. */
#define DARC_MAX_MINORS 16

/* Numerators and denominators are believed where they have so many bits less
 * than half of those of the modulus: a vector of random residues has such a
 * form with a probability of 2^-4 for each entry after the first few.  What is
 * believed is checked at points modulo other primes: 0 to 10 make primes more,
 * not results. */
#define DARC_LIFT_BITS 2

/* Images in planes in which a factor is seen to be irreducible, at most:
 * irreducible polynomials nearly always are so in the first (Bertini). */
#define DARC_SELECT_PLANES 6

/* Bits of a packed exponent: FLINT keeps two of a word. */
#define DARC_WORD_BITS 62

/* A product of more terms than the first, some 10 ms, is begun only where the
 * time left holds it, at so many a second times words of an exponent. */
#define DARC_LONG_PRODUCT 1e6
#define DARC_WORDS_A_SECOND 1e8

/* Terms of linear combinations of generators that are taken first: values,
 * binomials, sums of two (time alone, but for what is then within reach). */
#define DARC_BASIS_SHORT 3

/* A step of a Groebner basis looks at every element, as long as this many
 * products of terms take. */
#define DARC_BASIS_STEP 20

/* Degree of a pair past which a basis counts as out of reach where work is
 * bounded: one reduction there may take longer than all before it (a chain of
 * six masses on springs: degree 111, over a minute after .3 s; else at most 41
 * in the models of systems/ and of StructuralIdentifiability.jl). */
#define DARC_BASIS_DEGREE 60
