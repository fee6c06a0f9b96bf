/* candidates.h - the functions P/x^a of bounded degree that are constant on
 * fibres, by linear algebra between normal forms at several points. */
#ifndef DARC_IDENTIFY_CANDIDATES_H
#define DARC_IDENTIFY_CANDIDATES_H

#include "identify/fibre.h"

/* More monomials in P than this are not tried. */
#define DARC_MAX_CANDIDATE_MONOMIALS 300

/* Append to out a basis of the P/den, P of total degree <= degree, that are
 * constant on the fibres b[i] at place[i], i < places, all modulo one prime;
 * den is a monomial.  Sparse ones come first; those with large rational
 * coefficients are left out. */
DARC_CHECKED darc_status darc_candidates(darc_ratios_t out,
                                         const fmpz_mpoly_t den, slong degree,
                                         const darc_groebner_struct *b,
                                         const darc_place *place, int places,
                                         const darc_budget *budget,
                                         darc_err *err);

#endif
