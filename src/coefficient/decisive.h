/* decisive.h - whether relations between two recordings are all there is. */
#ifndef DARC_COEFFICIENT_DECISIVE_H
#define DARC_COEFFICIENT_DECISIVE_H

#include "coefficient/coeffrel.h"

/* Return whether the mixed relations of r have, along the product of the
 * varieties of the single vectors, the rank that the codimension of V there
 * asks for; of one recording: whether r is complete.  jacobian is that of
 * coeffs.h at a generic point. */
bool darc_coeffrel_is_decisive(const darc_coeffrel_t r,
                               const nmod_mat_t jacobian);

#endif
