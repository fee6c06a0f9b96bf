/* fdweights.h - weights of difference formulas in extended precision. */
#ifndef DARC_DERIVE_FDWEIGHTS_H
#define DARC_DERIVE_FDWEIGHTS_H

/* n points x, and the one at which derivatives are wanted. */
typedef struct {
    const long double *x;
    int n;
    long double z;
} darc_fdpoints;

/* darc_fdweights in long double, w of (orders + 1) * n entries. */
void darc_fdweights_long(long double *w, int orders, darc_fdpoints at);

/* The same for the polynomial of `degree`, orders <= degree < n, fitted by
 * least squares; work has 3 * n entries.  By orthogonal polynomials on the
 * points: p_(j+1) = (x - a_j) p_j - b_j p_(j-1).  Cost O(degree * n). */
void darc_fdweights_fit(long double *w, int orders, int degree,
                        darc_fdpoints at, long double *work);

#endif
