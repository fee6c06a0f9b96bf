/* resultant.h - the elimination of a variable from two polynomials. */
#ifndef DARC_MODULAR_RESULTANT_H
#define DARC_MODULAR_RESULTANT_H

#include "modular/ring.h"

/* Set r to the polynomial that generates the elimination ideal of f and g
 * with respect to v: the factor of their resultant that vanishes at the
 * point, as f and g do; g contains v.  r may alias f.
 * Fails: as darc_ring_select; DARC_LIMIT where both have a degree above 1 in v
 * and one a degree above DARC_MAX_MINORS. */
DARC_CHECKED darc_status darc_resultant(darc_mpoly *r, const darc_mpoly *f,
                                        const darc_mpoly *g, slong v,
                                        darc_ring_t ring, darc_err *err);

#endif
