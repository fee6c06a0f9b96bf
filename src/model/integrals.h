/* integrals.h - states whose rates are measured.
 *
 * Where an equation says x' = p*v, p made of parameters and v of measured
 * signals, x is x_0 + p*int(v), x_0 its value at the first sample.  So nothing
 * of x has to be eliminated by derivatives.  It takes a recording without gaps,
 * and x_0 is another in every recording.
 */
#ifndef DARC_MODEL_INTEGRALS_H
#define DARC_MODEL_INTEGRALS_H

#include "model/model.h"

/* Set *out to the model in which such states are integrals, NULL: it has none;
 * the caller owns it.
 * Fails: as darc_model_parse. */
DARC_CHECKED darc_status darc_model_integrals(darc_model **out,
                                              const darc_model *model,
                                              darc_err *err);

#endif
