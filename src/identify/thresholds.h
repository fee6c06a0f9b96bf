/* thresholds.h - what limits and decides in identifiability.
 *
 * Where a number of points or primes stands, a wrong answer survives each with
 * a probability of at most degree/2^60. */
#pragma once

/* Random draws of parameters before coefficients count as without values. */
#define DARC_PROBE_DRAWS 8

/* Points on the line on which degrees of ratios are found, as far as numerator
 * and denominator have 12 - 1 - 2 together: those with more would take more
 * unknowns than DARC_MAX_UNKNOWNS_OF_FIT in three parameters. */
#define DARC_LINE_POINTS 12
#define DARC_LINE_SPARE 2

/* Pairs of coefficients of one equation that are looked at (a second), kept,
 * and kept in the same parameters: many ratios say the same. */
#define DARC_PAIRS_LOOKED 3e6
#define DARC_PAIRS_KEPT 40000
#define DARC_PAIRS_SAME 120

/* Unknowns of an interpolation: n^3 products and n evaluations. */
#define DARC_MAX_UNKNOWNS_OF_FIT 300
#define DARC_FIT_SPARE 3
#define DARC_FIT_CHECKS 2

/* Primes of an interpolation and one for checks: 4 * 61 bits are numbers of
 * 120 bits. */
#define DARC_POOLS 5

/* Unknowns of an interpolation where what is known is pinned, at first and at
 * most; unknowns of all ratios that are taken in the same parameters; points at
 * which the coefficients are compared.  Time alone. */
#define DARC_PINNING_FIRST 24
#define DARC_PINNING_UNKNOWNS 96
#define DARC_PINNING_SAME 4000
#define DARC_PINNING_POINTS 8

/* Fibres at which a field is seen to be complete, at most; primes modulo which
 * membership is decided, and modulo which nothing may be missing. */
#define DARC_FIELD_FIBRES 8
#define DARC_FIELD_PRIMES 2
#define DARC_KNOWN_PRIMES 2

/* Products of terms that may go into the transfer functions of a linear model.
 * Time alone. */
#define DARC_RESPONSE_WORK 1e7

/* Products of terms that may go into the bases of fibres: those that find a
 * field, and again those that membership is decided by; those that show
 * parameters in linear combinations; those that find short
 * generators; those that compare changes.  Some 2e7 products take a second. */
#define DARC_FIELD_WORK 2e6
#define DARC_FIXED_WORK 2e6
#define DARC_GENERATORS_WORK 1e7
#define DARC_ISOLABLE_WORK 1e7

/* Changes are not compared where the first sets show that all sets of one
 * parameter would take so many times that work, nor past parameters that show
 * that all would take so many times what is left.  Time alone. */
#define DARC_ISOLABLE_FIRST 4
#define DARC_ISOLABLE_FAR 4
#define DARC_ISOLABLE_BEYOND 1.5

/* From given initial values: recordings, and parts of an io-equation at most,
 * whose series show whether its coefficients show; their cost is cubic. */
#define DARC_STARTED_RECORDINGS 3
#define DARC_STARTED_PARTS 200

/* Derivatives more than generic starts take that are looked at from given ones
 * (chosen: a power of a state that starts at 0 costs as many as it has). */
#define DARC_STARTED_MORE 6

/* Prime factors of numbers whose logarithms states start at, at most: more
 * cost time, and nobody writes them. */
#define DARC_STARTED_PRIMES 1000

/* Of functions of states: terms of functions of parameters that such a one may
 * be, where more cannot be seen for want of a basis; products of terms that may
 * go into one derivative of an output, and into the bases of fibres.  Time
 * alone. */
#define DARC_ASKED_TERMS 100
#define DARC_LIE_WORK 1e6
#define DARC_ASKED_WORK 2e6

/* Derivatives of unknowns of equations without a solved form, at most: the cost
 * is cubic. */
#define DARC_DAE_COLUMNS 1500

/* Experiments without a solved form that say nothing new, before no more are
 * made: where half of them are of another branch 2^-8 miss it. */
#define DARC_DAE_IDLE 8

/* Points of a slice, and values of one coordinate, that are listed. */
#define DARC_MAX_SLICE 40
#define DARC_SLICE_DEGREE 32

/* Short generators: degree of the polynomials, of those over a parameter,
 * monomials, fibres at which they are sought, functionals beyond the unknowns
 * at each, and bits of their coefficients. */
#define DARC_CANDIDATE_DEGREE 3
#define DARC_QUOTIENT_DEGREE 2
#define DARC_MAX_CANDIDATE_MONOMIALS 300
#define DARC_GENERATOR_PLACES 12
#define DARC_CANDIDATE_SPARE 3
#define DARC_CANDIDATE_BITS 15

/* A proof over Q: degrees of A and B, their monomials, points beyond these,
 * bits of their coefficients, and terms of a product in the identity. */
#define DARC_CONFIRM_DEGREE 2
#define DARC_CONFIRM_MONOMIALS 120
#define DARC_CONFIRM_SPARE 4
#define DARC_CONFIRM_BITS 19
#define DARC_CONFIRM_TERMS 1e5

/* All sets of up to so many parameters are tried as explanations, one less
 * where more than so many come in question; where none is one, a minimal larger
 * set is sought. */
#define DARC_MAX_EXPLAINING 3
#define DARC_MAX_FOR_TRIPLES 8

/* Characters of a proof that is written out (chosen: a page). */
#define DARC_PROOF_SHOWN 3000

/* Tries of values for parameters that are free: eight simple ones, then signs
 * too (chosen). */
#define DARC_POINT_TRIES 64
