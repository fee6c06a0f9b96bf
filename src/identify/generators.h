/* generators.h - short generators of a field of functions, and proofs that
 * variables are in it. */
#ifndef DARC_IDENTIFY_GENERATORS_H
#define DARC_IDENTIFY_GENERATORS_H

#include "identify/fibre.h"
#include "identify/identify.h"

/* Set gen (initialised, empty) to generators of the field of the ratios:
 * polynomials of low degree, quotients by a parameter, then the ratios
 * themselves; none is superfluous.  parameter[v] is known for every
 * parameter.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status
darc_generators_find(darc_ratios_t gen, const darc_ratios_t ratio,
                     const darc_identifiability *parameter,
                     const darc_budget *budget, darc_err *err);

/* Return whether variable v is proved to be in Q(f) over the rationals, as a
 * quotient of low degree; false says nothing. */
bool darc_confirm(const darc_ratios_t f, slong v);

#endif
