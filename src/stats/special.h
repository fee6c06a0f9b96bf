/* special.h - densities without cancellation, and a monotone root finder. */
#ifndef DARC_STATS_SPECIAL_H
#define DARC_STATS_SPECIAL_H

/* Return x^a exp(-x) / Gamma(a + 1): the Poisson density at a >= 0 (not
 * necessarily whole) for the mean x >= 0. */
double darc_special_poisson(double a, double x);

/* Return x > 0 with f(x, user) = p, for f >= 0 rising or falling, by
 * bracketing from `start` > 0 and false position in log f; 0 or HUGE_VAL when
 * f does not reach p within the range of double. */
double darc_special_solve(double (*f)(double x, const void *user),
                          const void *user, double p, int rising, double start);

#endif
