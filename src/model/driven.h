/* driven.h - a model that some outputs and derived signals drive, as inputs do.
 */
#ifndef DARC_MODEL_DRIVEN_H
#define DARC_MODEL_DRIVEN_H

#include "model/model.h"

/* Set *out to the model, as simulations need it, in which every unknown u with
 * drives[u] (NULL: none) is an input; the caller owns it.
 * Fails: as darc_model_parse. */
DARC_CHECKED darc_status darc_model_driven(darc_model **out,
                                           const darc_model *model,
                                           const bool *drives, darc_err *err);

#endif
