/* filter.h - an output that is the answer of a linear filter.
 *
 * Where all that is left depends on y, ..., y^(c) through s = y^(c) +
 * l_(c-1) y^(c-1) + ... + l_0 y alone, l_k numbers, s is an output of the
 * rest of the model: the variable y^(c+i) stands for s^(i) from then on.  An
 * equation in s, s', ... is far shorter than what it becomes in y.
 */
#ifndef DARC_PROJECT_FILTER_H
#define DARC_PROJECT_FILTER_H

#include "project/flow.h"

/* Look for such an s of output j, parameters being numbers, where no state
 * can be eliminated linearly. */
void darc_flow_filter(darc_flow_t flow, int j);

/* Set the relations of the outputs back to derivatives of y. */
DARC_CHECKED darc_status darc_flow_unfilter(darc_flow_t flow, darc_err *err);

#endif
