/* thresholds.h - what limits and decides in projections.
 *
 * DARC_GROUP_WORK decides how an equation is grouped, the rest on time alone:
 * whatever route is taken, the equation is the same. */
#pragma once

/* Grouping n monomials of t terms in all by linear dependences of their
 * coefficients takes about n t + n^3 operations: 4e5 are milliseconds, n up to
 * 73.  Past it every monomial is a part of its own. */
#define DARC_GROUP_WORK 4e5

/* Numbers of the primes below 2^62 modulo which partial results are checked
 * and orders are found; those of eliminations begin at DARC_PROJECT_PRIME. */
#define DARC_CHECK_PRIME 1
#define DARC_ORDER_PRIME 2

/* Draws of signals at given parameters before these count as singular: a
 * denominator vanishes by chance with a probability of degree/2^62. */
#define DARC_POINT_TRIALS 4

/* The search for a route, in products of terms (some 1e8 take a second): a way
 * is given up at the first limit; where none of so many ways ends within it,
 * the limit grows by the factor, until the last one. */
#define DARC_ROUTE_WORK 1e5
#define DARC_ROUTE_WAYS 12
#define DARC_ROUTE_GROWTH 16
#define DARC_ROUTE_LAST 1e15

/* Where a way is known, so many others are tried at most, as long as all ways
 * together take so many times the work of the best one; that of long routes is
 * less, and past the second bound no other is tried. */
#define DARC_ROUTE_OTHERS 48
#define DARC_ROUTE_SHARE 20
#define DARC_ROUTE_LONG_SHARE 4
#define DARC_ROUTE_LONG 1e7
#define DARC_ROUTE_VERY_LONG 1e9
