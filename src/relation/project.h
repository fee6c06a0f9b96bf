/* project.h - io-equations of models in solved form by projection. */
#ifndef DARC_RELATION_PROJECT_H
#define DARC_RELATION_PROJECT_H

#include "relation/flow.h"

/* Return the next step: the output and the state whose elimination looks
 * cheapest; output -1 when every output has reached its order. */
darc_choice darc_project_choose(const darc_flow_t flow);

/* Run flow to its end. */
DARC_CHECKED darc_status darc_project_run(darc_flow_t flow, darc_err *err);

#endif
