/* check.h - names, orders and the ranking of a model, before its polynomials.
 */
#ifndef DARC_MODEL_CHECK_H
#define DARC_MODEL_CHECK_H

#include "model/model_struct.h"

/* Set model->names and ->declared (both empty before) from its syntax, bind
 * every name of its expressions, evaluate its constants.
 * Fails: DARC_MODEL. */
DARC_CHECKED darc_status darc_check_names(darc_model *model,
                                          const darc_script *script);

/* Set model->order to the orders that the trees of equations and
 * assumptions reach.
 * Fails: DARC_LIMIT past DARC_MAX_ORDER. */
DARC_CHECKED darc_status darc_check_orders(darc_model *model,
                                           const darc_script *script);

/* Set the initialised model->ranking.
 * Fails: DARC_MODEL when the section names what is no unknown, or twice. */
DARC_CHECKED darc_status darc_check_ranking(darc_model *model,
                                            const darc_script *script);

#endif
