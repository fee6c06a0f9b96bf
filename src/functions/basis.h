/* basis.h - rational and integer relations between functions, rows of
 * rational numbers. */
#pragma once

#include "base/flint.h"

#include <stdbool.h>

/* Functions by their values: column i of value (points x n, more points than
 * functions) is function i at random points modulo a prime.  Express each by
 * those that no combination of earlier ones is: init `by` (n x rank), function
 * i = sum_j by[i][j]*function pivot[j].  Return the rank; -1, `by` not
 * initialised: the numbers are too large. */
slong darc_basis_express(fmpq_mat_t by, slong *pivot, const nmod_mat_t value);

/* Set in[i] for rows that columns 0 to `to` - 1 of linear relations hold, of
 * rows of v that are not 0 there, but are before column `from`; the others
 * stay.  Return whether one of these is not 0 from column `to` on. */
bool darc_basis_related(bool *in, const fmpq_mat_t v, slong from, slong to);

/* Init basis (rank x columns) and by (rows x rank) such that the basis spans
 * the same integer combinations as rows i of v with in[i], row i = sum_j
 * by[i][j]*basis row j.  Rows that would make the sum of |by[i][j]| of one more
 * than `most` leave `in`. */
void darc_basis_find(fmpq_mat_t basis, fmpz_mat_t by, bool *in,
                     const fmpq_mat_t v, slong most);
