/* thresholds.h - what limits and decides in the algebra. */
#pragma once

/* Terms of an equation of a triangular set that is shown to a user who ends an
 * elimination: longer ones nobody reads.  Display alone. */
#define DARC_MAX_ITEM_TERMS 1000

/* The same of an io-equation, which a program may read (chosen: some .1 s). */
#define DARC_MAX_IO_TERMS 4000

/* Planes on which an irreducible polynomial is seen to be so; nearly always the
 * first.  Time alone: what is not seen is factored. */
#define DARC_FACTOR_PLANES 4

/* Random points of a triangular set before it counts as without solution.  An
 * initial vanishes at one with a probability of at most degree/2^60, so that
 * any number above 1 does.  Where a leader has a degree above 1, its polynomial
 * has a root modulo the prime with a probability of about 1/2 (degree 2) or
 * more: 100 draws fail with 2^-100. */
#define DARC_TRIALS_OF_POINTS 3
#define DARC_TRIALS_OF_ROOTS 100

/* A proof that parameters do not exist: words of numbers that are handled, a
 * bound on the time.  systems/skyhook, of fourth order and with all parameters
 * free, takes less than 5e3. */
#define DARC_REFUTE_WORK 3e6

/* A zero is sought from 2^-20 to 2^20 and enclosed by so many halvings of an
 * octave: past the digits of a double. */
#define DARC_REALPOINT_OCTAVES 20
#define DARC_REALPOINT_HALVINGS 60

/* Boxes that cover an orthant, in logarithms: all numbers of them are multiples
 * of the finest width below the range, so that 53 bits hold any of them with an
 * entry of an axis as a factor.  Logarithms up to the size have errors of some
 * 1e-11, and sums of their exponentials no more than `rounding`.  Work: an
 * operation takes some 2 ns, to make and read a term as long as so many. */
#define DARC_ORTHANT_VARIABLES 8
#define DARC_ORTHANT_FINEST 0x1p-24
#define DARC_ORTHANT_RANGE 1024
#define DARC_ORTHANT_AXIS 1024
#define DARC_ORTHANT_SIZE 1e4
#define DARC_ORTHANT_ROUNDING 1e-9
#define DARC_ORTHANT_WORK 1e9
#define DARC_ORTHANT_TERM 1e3

/* Weights of forms that add up to a negative one: turns of scaling their rows,
 * the last pull of the central path, and the least weight, of the largest, that
 * is not dropped.  Time alone, and what is found. */
#define DARC_DEFINITE_ROUNDS 8
#define DARC_DEFINITE_PULL 1e10
#define DARC_DEFINITE_LEAST 1e-12

/* Product of lengths, and degree, up to which the greatest common divisor of
 * numerator and denominator is sought.  A fraction is right without it.  Tried:
 * 200 .. 2000000, and 6 .. 600. */
#define DARC_GCD_TERMS 20000
#define DARC_GCD_DEGREE 60

/* Bytes that exponents may take: a polynomial of T terms in V variables has
 * T*V of them. */
#define DARC_EXPONENT_BYTES 1e8
