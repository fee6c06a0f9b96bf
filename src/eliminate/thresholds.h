/* thresholds.h - what limits and decides between engines. */
#pragma once

/* Equations at work with variables for the parameters are found the obvious
 * way where this takes at most so many products of terms (a few milliseconds),
 * which is likely where it takes at most so many with numbers.  Beyond, a route
 * is sought.  A partial result is read off the obvious way as far as so many
 * products go.  Time alone. */
#define DARC_SHORT_WORK 1e6
#define DARC_EASY_WORK 2e4
#define DARC_READ_WORK 1e5

/* Products of terms with numbers for the parameters after which an order of
 * the outputs counts as hard, and another is taken: which equations a model
 * with several outputs gets, where one order is 10 ms and the other is not.
 * Orders of the outputs that lead to other orders of equations are tried, at
 * most so many: all of up to four outputs; one that is neither by names nor the
 * reverse must make equations so many times shorter: a share of a term is not
 * worth another form. */
#define DARC_ORDER_WORK 1e6
#define DARC_ORDERS 24
#define DARC_ORDER_GAIN 2

/* Products of terms after which an engine leaves the word to the next: the
 * general one (some 40 ms), that of differentiated equations (a second), the
 * same where it comes first (a four-bar linkage of eight parameters: .6 s).
 * Where leaders may be linked the general one is given longer before (some
 * tenths of a second). */
#define DARC_GENERAL_WORK 1e6
#define DARC_GENERAL_LONG 1e7
#define DARC_ROUND_WORK 1e6
#define DARC_DAE_WORK 1e7

/* Products of terms for the equations with some states measured besides, where
 * a model is out of reach: a tenth of a second; and the shares of what is left
 * of the time that one of them, and all together, may take. */
#define DARC_ADVICE_WORK 1e6
#define DARC_ADVICE_SHARE 0.25
#define DARC_ADVICES_SHARE 0.7

/* Share of a budget that an elimination may spend before it is said what would
 * help (chosen: of ten seconds two, for ranks and models with one more output).
 */
#define DARC_ELIMINATION_SHARE 0.8

/* The number of the first prime of eliminations, and how many primes there are
 * before coefficients are given up: 64 give numbers of 1900 bits.  Random
 * points modulo other primes at which an equation must vanish: a wrong one
 * passes each with a probability of degree/2^62. */
#define DARC_PROJECT_PRIME 3
#define DARC_PROJECT_PRIMES 64
#define DARC_PROJECT_CHECKS 2

/* Points at which a support is looked for until two agree: one loses a
 * monomial with a probability of degree/2^62 for each. */
#define DARC_SUPPORT_RUNS 8

/* Rows of a matrix of operators (a set of rows is a word); minors of one size;
 * what a product of terms in so many variables counts for, with all that is
 * done to its result, beside one modulo a prime. */
#define DARC_MAX_KERNEL 64
#define DARC_KERNEL_MINORS 20000
#define DARC_KERNEL_PRICE 100

/* Primality is looked into where the degrees in the leaders have a product of
 * at most so many: the degree of the polynomial that is factored.  It is seen
 * on one of so many lines, for an irreducible polynomial may fall apart modulo
 * a prime; before, at points, from so many to so many: there degrees of factors
 * may show it at once, or roots, more than one a point by so many standard
 * errors, that it is not so.  A relation between two leaders is looked for
 * where the product of the terms of their equations, of degree 2 in these, is
 * below the last number; of degrees m and n times (m n/4)^2 (a pendulum by its
 * places: both 8). */
#define DARC_MAX_PRIME_DEGREE 100
#define DARC_PRIMALITY_LINES 6
#define DARC_PRIMALITY_POINTS 64
#define DARC_PRIMALITY_MOST 512
#define DARC_PRIMALITY_SIGMAS 4
#define DARC_PRIMALITY_WORK 4000

/* Draws of a point at which derived signals have a value (a base that must be a
 * square is one with probability 1/2: eight of them together with certainty but
 * for .02), and primes until one is found modulo which there are points. Modulo
 * all that are drawn primes up to 37 are squares, as positive numbers are; of
 * others in the numbers of derived signals half of the drawn primes make one.
 */
#define DARC_LAW_DRAWS 1000
#define DARC_LAW_PRIMES 2000
#define DARC_SQUARE_PRIMES 37

/* Dependences among the monomials of an equation with derived signals: so many
 * monomials at most (n^3 operations, a minute), rows beyond that number, and
 * primes of 60 bits before coefficients are given up. */
#define DARC_DEPENDENCE_MONOMIALS 2000
#define DARC_DEPENDENCE_SPARE 8
#define DARC_DEPENDENCE_PRIMES 40

/* Which of dependent monomials is expressed by others: that of the highest
 * degree, each of which counts as so many derivations. */
#define DARC_DEGREE_COST 1000

/* Roots of an order without prime factors above this are unique among squares
 * modulo the primes that are drawn. */
#define DARC_LARGEST_ROOT 100

/* Angles at the start of a point, at least: another prime where the circle has
 * fewer that can be divided so often. */
#define DARC_LAW_TURNS (UWORD(1) << 30)

/* Minors of the determinant of a linear model: 2^16 are one without structure
 * of sixteen equations (chosen: seconds). */
#define DARC_TRANSFER_MINORS 65536
