/* primality.h - from projections to a characteristic set.
 *
 * Every output has an irreducible equation, of degree D_j in its leader z_j.
 * Together they generate a prime ideal only if K(z_1, ..., z_m), K the field
 * of all that is lower, has degree D_1 ... D_m over K.  Where the leaders
 * obey a further relation (b*y1' = y2', both known up to sign by the
 * projections), it takes the place of an equation: else b would be known up
 * to its sign alone.  [DGHP23]
 */
#ifndef DARC_ELIMINATE_PRIMALITY_H
#define DARC_ELIMINATE_PRIMALITY_H

#include "eliminate/thresholds.h"
#include "projection/ioeq.h"
#include "projection/point.h"

/* Replace equations of e, of degrees above 1 in their leaders, by relations
 * between leaders until the set is prime, as long as the equations are short;
 * pt is a point of the model.  e->linked is set where lines modulo several
 * primes say that there is a relation and none was found.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_ioeqs_make_prime(darc_ioeqs_t e,
                                               const darc_point_t pt,
                                               const darc_budget *budget,
                                               darc_err *err);

#endif
