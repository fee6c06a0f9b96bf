/* thresholds.h - what limits and decides in the search for relations
 * between coefficients. */
#pragma once

/* Random points at which coefficients must have a value before they count as
 * having none: a denominator vanishes by chance with a probability of
 * degree/2^60. */
#define DARC_DRAWS 8

/* Points, each modulo a prime of its own, that tell classes of ratios. */
#define DARC_CLASS_POINTS 2

/* Monomials of an equation that is not expanded: points beyond their number,
 * points of a check modulo another prime, and bits of the numbers by which they
 * are joined: of random residues of 61 bits 2^-20 are such numbers. */
#define DARC_SUPPORT_SPARE 4
#define DARC_SUPPORT_CHECKS 3
#define DARC_SUPPORT_BITS 20

/* Monomials of an equation, at most, whose coefficients are found from their
 * values at as many points: a chain of 8 masses has 25, and 30 points cost a
 * tenth of its elimination. */
#define DARC_SHORT_SUPPORT 64

/* What a point takes besides the elimination, as products of terms for each
 * pair of states: measured, a millisecond are some 1e4 products. */
#define DARC_POINT_COST 400

/* Weights of coefficients under scalings; larger ones mean nothing. */
#define DARC_MAX_WEIGHT 1000000

/* Total degree of a relation; monomials of one multidegree that are told apart
 * by weight, and of one weight that are tried: n^3 = 1.2e8 products, a second.
 * Of all degrees so many are tried first. */
#define DARC_MAX_RELATION_DEGREE 8
#define DARC_MAX_MONOMIALS 40000
#define DARC_MAX_INTERPOLATED 500
#define DARC_SHORT_SEARCH 120

/* Points beyond the number of monomials, which a false relation survives with
 * a probability of degree/2^60 each, and points of a check modulo a second
 * prime. */
#define DARC_SPARE_POINTS 4
#define DARC_CHECK_POINTS 3

/* Products modulo a prime after which the search ends: about a second.  What a
 * relation costs to consider, in that unit: so many for each term and
 * variable, and for each cube of variables, by measurement. */
#define DARC_MAX_PRODUCTS 4e8
#define DARC_TERM_PRICE 200
#define DARC_RANK_PRICE 5
