/* computed.h - inputs of a question that a controller computed.
 */
#pragma once

#include "fit/regression.h"

/* Whether unknown u is a measured input whose noise nobody knows, and a
 * controller made it of the outputs of the model (noise/controller.h); *left as
 * there.  Cuts of the table do not matter. */
bool darc_computed_find(double *left, const darc_question *x,
                        const darc_table *table, int u);
