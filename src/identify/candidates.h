/* candidates.h - the functions P/x^a of bounded degree that are constant on
 * fibres, by linear algebra between normal forms at several points. */
#ifndef DARC_IDENTIFY_CANDIDATES_H
#define DARC_IDENTIFY_CANDIDATES_H

#include "identify/fibre.h"
#include "identify/thresholds.h"

/* Append to out a basis of the P/den, P of total degree <= degree, that are
 * constant on n fibres, all modulo one prime; den is a monomial.  Sparse ones
 * come first; those with large rational coefficients are left out.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_candidates(darc_ratios_t out,
                                         const fmpz_mpoly_t den, slong degree,
                                         const darc_fibre *fibre, int n,
                                         darc_err *err);

#endif
