/* setup.h - from names and texts to the numbers of a simulation. */
#ifndef DARC_SIMULATE_SETUP_H
#define DARC_SIMULATE_SETUP_H

#include "simulate/plant.h"
#include "simulate/simulate.h"

/* Return the number of samples at 0, 1/rate, ... before t_end, at least 1. */
double darc_setup_samples(const darc_simulate_options *o);

/* Set value[u] to the value of every parameter u.
 * Fails: DARC_MODEL for a name that is no parameter, a parameter without a
 * value, a value that is no number. */
DARC_CHECKED darc_status darc_setup_parameters(double *value,
                                               const darc_model *model,
                                               const darc_settings *param,
                                               darc_err *err);

/* Make the waves of all inputs.
 * Fails: DARC_MODEL likewise, and when a wave lacks a derivative or ends
 * before t_end. */
DARC_CHECKED darc_status darc_setup_inputs(darc_plant *plant,
                                           const darc_model *model,
                                           const darc_simulate_options *o,
                                           darc_err *err);

/* Set y, and for implicit models dy, to the initial values.
 * Fails: DARC_MODEL for a name that is no state variable. */
DARC_CHECKED darc_status darc_setup_states(double *y, double *dy,
                                           const darc_plant *plant,
                                           const darc_settings *init,
                                           darc_err *err);

#endif
