/* random_poly.h - random differential polynomials for tests. */
#ifndef DARC_TEST_RANDOM_POLY_H
#define DARC_TEST_RANDOM_POLY_H

#include "algebra/dpoly.h"
#include "algebra/finite.h"

/* Set p to a random polynomial of up to `terms` terms with exponents up to
 * `degree` in each variable of order <= `order`, small coefficients. */
void random_poly(darc_dpoly_t p, int terms, int degree, int order,
                 darc_rng *rng, const darc_jet_t jet);

#endif
