/* expand.h - from the matrix form of a relation to one polynomial. */
#ifndef DARC_RELATION_EXPAND_H
#define DARC_RELATION_EXPAND_H

#include "relation/plan.h"
#include "relation/thresholds.h"

/* Set r->poly to the irreducible factor of the determinant (or of h of the
 * minors) that vanishes on the solutions of p, and r->inequations to what
 * must not vanish: the factors of its initial and separant, and of the
 * entries in the columns that belong to one recording alone.
 * Fails: DARC_LIMIT past max_terms terms or on a spent budget. */
DARC_CHECKED darc_status darc_expand(darc_relation *r, const darc_plan_t p,
                                     slong max_terms, const darc_budget *budget,
                                     darc_err *err);

/* Record that the expanded relation is too large. */
darc_status darc_fail_expansion(darc_err *err, slong columns, slong max_terms);

#endif
