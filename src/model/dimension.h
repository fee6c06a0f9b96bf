/* dimension.h - do the units that a model declares fit its equations? */
#ifndef DARC_MODEL_DIMENSION_H
#define DARC_MODEL_DIMENSION_H

#include "model/model_struct.h"

/* Terms of a sum, both sides of an equation, what min, max and if choose from
 * must be of one dimension, arguments of sin, exp and their like of none.  What
 * has no unit, or one that is not known, takes what the equations need, which
 * parameters and states without a unit keep; so do numbers that stand as terms.
 * rad is 1.
 * Fails: DARC_MODEL, at the term that differs from most of the others. */
DARC_CHECKED darc_status darc_check_dimensions(darc_model *model,
                                               const darc_script *script);

/* Append the unit of the product of unknowns to powers and s^seconds, in terms
 * of the units that are declared for them, or taken: in those of the SI where
 * these all are; nothing where one has none. */
void darc_model_unit_of(darc_text_t out, const darc_model *model,
                        const double *power, double seconds);

#endif
