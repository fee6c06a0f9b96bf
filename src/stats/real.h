/* real.h - exact numbers as doubles. */
#pragma once

#include "base/flint.h"

/* Return num/den within two units of the last place, however large both are;
 * HUGE_VAL or 0 where the quotient is out of range.  den > 0. */
double darc_real(const fmpz_t num, const fmpz_t den);

/* The same of an integer, truncated. */
double darc_real_integer(const fmpz_t n);
