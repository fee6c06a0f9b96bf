/* kronecker.h - determinants of polynomials with all exponents packed into few
 * machine words.
 *
 * Kronecker's substitution: with degree bounds for a result known, the
 * exponents become digits of one number, and the ring has one variable (or
 * two, when 62 bits do not suffice).  Products and exact quotients are the
 * same; monomials are compared in one operation.
 */
#ifndef DARC_MODULAR_KRONECKER_H
#define DARC_MODULAR_KRONECKER_H

#include "modular/determinant.h"

/* Set r to the determinant of M up to sign, computed in packed form. */
DARC_CHECKED darc_status darc_kronecker_det(darc_mpoly *r, const darc_matrix *M,
                                            darc_ring_t ring, darc_err *err);

#endif
