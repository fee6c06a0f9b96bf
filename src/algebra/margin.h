/* margin.h - what is exact of transfer functions in s: stability, and bounds of
 * their difference over a band.
 */
#pragma once

#include "base/flint.h"

#include <stdbool.h>

/* Return how many zeros of f lie at 0; -1 where another one does not lie left
 * of the imaginary axis (Routh and Hurwitz), or f is 0. */
int darc_margin_integrators(const fmpz_poly_t f);

/* Set q to |f(i w)|^2 as a polynomial in w^2. */
void darc_margin_square(fmpz_poly_t q, const fmpz_poly_t f);

/* Set `to` to x^2 y, exactly. */
void darc_margin_number(fmpq_t to, double x, double y);

/* Return whether |g|^2 < bound^2 q for all frequencies band[0] .. band[1] in
 * Hz, q a polynomial in the square of 2 pi times these. */
bool darc_margin_holds(const fmpz_poly_t g, const fmpz_poly_t q, double bound,
                       const double band[2]);
