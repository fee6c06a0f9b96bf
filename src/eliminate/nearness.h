/* nearness.h - whether one transfer function is near another over a band,
 * exactly (src/MATHEMATICS.md, 11, Meeting a target).
 */
#pragma once

#include "eliminate/transfer.h"

/* Return how many poles of r lie at 0, with these values of its parameters; -1
 * where another does not lie left of the imaginary axis, or what may not vanish
 * does. */
int darc_nearness_integrators(const darc_transfer *r, const double *value);

/* Return whether |H - G| < bound |G| in the band, Hz, for function number
 * `entry`, H the model's with these values, G the target's, which has no
 * parameters; |G| is that of all functions of its output where G is 0. model
 * NULL: whether 0 < |G|. */
bool darc_nearness_holds(const darc_transfer *model, const double *value,
                         const darc_transfer *target, int entry, double bound,
                         const double band[2]);
