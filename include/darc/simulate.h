/* simulate.h - recordings made from a model. */
#ifndef DARC_SIMULATE_H
#define DARC_SIMULATE_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/recording.h"

DARC_BEGIN_DECLS

/* Set *recording to the inputs and outputs of the model over time, as the
 * options of "simulate" ask: "param" a number for every parameter, "init"
 * initial values, "input" a signal for every input (one call each), "t-end"
 * [s], "rate" [Hz], "noise", "seed", "keep".  Same options, same bytes.
 * Fails: DARC_USAGE for a name that the model does not have, a parameter or
 * input without a value; DARC_DOMAIN when the model determines no solution, or
 * the solution ends before t-end; DARC_LIMIT for too many samples, on a
 * spent budget, or for lack of memory: the work is done in a child (apart.h).
 */
DARC_CHECKED darc_status darc_recording_simulate(darc_recording **recording,
                                                 const darc_model *model,
                                                 const darc_options *options,
                                                 const darc_budget *budget,
                                                 darc_err *err);

DARC_END_DECLS

#endif
