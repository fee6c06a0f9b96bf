/* sampled.h - resultants of high degree by evaluation and interpolation.
 *
 * Let f be irreducible and free of t, g = B*t + A.  Then res_v(f, g) is
 * e*E^k with e free of t and E irreducible, the polynomial wanted.  With
 * numbers for all variables but v and t it costs microseconds; e consists of
 * factors that are known not to vanish, their multiplicities follow from a
 * random line; E follows on a grid as wide as its degrees, which lines tell.
 */
#ifndef DARC_MODULAR_SAMPLED_H
#define DARC_MODULAR_SAMPLED_H

#include "modular/ring.h"

/* Set r to the irreducible factor of res_v(f, g) that vanishes at the point
 * of ring; f and g contain v, one of them is free of a variable in which the
 * other one is linear.
 * Fails: DARC_LIMIT when there is no such variable, E is a power, e has
 * unknown factors, the grid is too large, or the budget is spent. */
DARC_CHECKED darc_status darc_sampled_resultant(darc_mpoly *r,
                                                const darc_mpoly *f,
                                                const darc_mpoly *g, slong v,
                                                darc_ring_t ring,
                                                darc_err *err);

#endif
