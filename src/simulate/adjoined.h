/* adjoined.h - values of the unknowns that stand for functions: those of
 * parameters, and the initial values of states. */
#ifndef DARC_SIMULATE_ADJOINED_H
#define DARC_SIMULATE_ADJOINED_H

#include "simulate/plant.h"
#include "simulate/simulate.h"

/* Where the functions come from. */
typedef struct {
    const darc_model *model;
    const double *value;       /* of parameters, by unknown */
    const darc_settings *init; /* states named here are left alone */
} darc_adjoined_source;

/* Return whether unknown u stands for a function. */
bool darc_is_adjoined(const darc_model *model, int u);

/* Set value[u] of every adjoined parameter u from the other parameters.
 * Fails: DARC_MODEL where the function has no value. */
DARC_CHECKED darc_status darc_adjoined_parameters(double *value,
                                                  const darc_model *model,
                                                  darc_err *err);

/* Set the initial values in y of adjoined states, from the other initial values
 * in y.
 * Fails: DARC_MODEL where the function has no value. */
DARC_CHECKED darc_status darc_adjoined_states(double *y, darc_plant *plant,
                                              const darc_adjoined_source *from,
                                              darc_err *err);

/* From now on let plant take adjoined states as the functions that they stand
 * for, where these have a value: integrated, tanh(v/0.01) grows without bound
 * from the smallest error when v comes back to 0.  What is given must stay as
 * long as the plant. */
void darc_adjoined_keep(darc_adjoined_source *kept, darc_plant *plant);

/* Check that the adjoined states y at time t still are the functions that they
 * stand for; the signals of plant are those at t.
 * Fails: DARC_DOMAIN where a function has no value, or the solution went past
 * such a place. */
DARC_CHECKED darc_status darc_adjoined_check(const darc_plant *plant, double t,
                                             const double *y,
                                             const darc_adjoined_source *from,
                                             darc_err *err);

#endif
