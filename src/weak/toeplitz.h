/* toeplitz.h - covariances of moments that are the same all along.
 *
 * Where equations are linear in the signals the rows of A(c) are shifts of one
 * another: V(c) = A A' and the products A_j A' are bands with the same numbers
 * all along.  They are made of products of rows that do not depend on c.  On
 * uneven stamps white noise adds to a sum what the squared weights of its
 * samples add up to: a factor of each rate, where that varies little along a
 * piece.
 */
#pragma once

#include "weak/piece.h"

/* Noise of a channel in the moments of a coefficient. */
typedef struct {
    int coeff, equation, channel, rate;
} darc_weak_inflow;

struct darc_weak_bands {
    bool scaled; /* all that uneven stamps do is to scale the noise of a rate */
    int lags, inflows;
    darc_weak_inflow *inflow; /* owned */
    double *product; /* product[(i*inflows + j)*(2*lags + 1) + lags + m]: row k
                        of inflow i times row k - m of j, of one channel, on
                        even time; owned */
};

/* Return the products of a linear system. */
darc_weak_bands *darc_weak_bands_new(const darc_weak *weak);
void darc_weak_bands_free(darc_weak_bands *bands);

typedef struct {
    int equations, coeffs;
    const int *first; /* of the system, which must stay */
    int lags;         /* test functions further apart share no noise */
    double *own;   /* own[(q*equations + p)*(2*lags + 1) + lags + m]: row (k, q)
                      of A times row (k - m, p); owned */
    double *cross; /* cross[(j*equations + p)*(2*lags + 1) + lags + m]: row k of
                      A_j times row (k - m, p) of A; owned */
} darc_weak_toeplitz;

/* Set l to the bands at c; the noise of a rate is so many times what it is on
 * even time (NULL: 1). */
void darc_weak_toeplitz_init(darc_weak_toeplitz *l, const darc_weak *weak,
                             const double *gain, const double *c);
void darc_weak_toeplitz_clear(darc_weak_toeplitz *l);

/* Set ab (lower band, (band + 1) x rows) to V. */
void darc_weak_toeplitz_fill(double *ab, int band, int rows,
                             const darc_weak_toeplitz *l);

/* Set out (rows x coeffs) to A_j A' x, x of `rows` values. */
void darc_weak_toeplitz_apply(const darc_weak_toeplitz *l, double *out,
                              const double *x, int rows);
