/* build.h - from trees to polynomials. */
#ifndef DARC_MODEL_BUILD_H
#define DARC_MODEL_BUILD_H

#include "model/model_struct.h"

/* Append the polynomials of the model to its eq and ineq, in its jet.
 * Fails: as darc_model_equations. */
DARC_CHECKED darc_status darc_build_equations(darc_model *model,
                                              const darc_script *script);

#endif
