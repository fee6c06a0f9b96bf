/* known.h - the field that coefficients known as polynomials generate. */
#ifndef DARC_IDENTIFY_KNOWN_H
#define DARC_IDENTIFY_KNOWN_H

#include "base/budget.h"
#include "identify/ratios.h"
#include "projection/coeffs.h"

/* Append to ratio, which holds independent ratios inside the vectors of c,
 * others until they generate the field of all, short ones first; what is left
 * out is constant on fibres modulo two primes.  *complete: the transcendence
 * degree of that field is rank.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_known_field(darc_ratios_t ratio, bool *complete,
                                          const darc_coeffs_t c, slong rank,
                                          const darc_budget *budget,
                                          darc_err *err);

#endif
