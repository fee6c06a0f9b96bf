/* simulate.h - recordings made from a model: integration, signals, noise.
 *
 * A model with a solved form is integrated by CVODE as y' = f(t, y), any
 * other by IDA as F(t, y, y') = 0.  A first run with loose tolerances finds
 * the size of each state; the run that counts keeps the local error below
 * rtol (|y_i| + RMS y_i).  It uses Adams formulas unless the Jacobian says
 * that stability, not accuracy, would set their step; then BDF.
 */
#pragma once

#include "base/budget.h"
#include "data/table.h"
#include "model/model.h"

#include <stdint.h>
#include <string.h>

/* Names with values, numbers or descriptions as text. */
typedef struct {
    int count;
    const char *const *name, *const *value;
} darc_settings;

/* Return the index of the name, -1 if it is not there. */
static inline int darc_settings_find(const darc_settings *s, const char *name)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->name[i], name) == 0)
            return i;
    return -1;
}

typedef struct {
    darc_settings param; /* a number for every parameter */
    darc_settings init;  /* numbers for states "x" and their derivatives
                            "x'"; where not given those of the model, else
                            0; for an implicit model, guesses where the
                            equations decide */
    darc_settings input; /* a description (wave.h) for every input */
    darc_settings map;   /* for inputs from files: the column, where it has
                            another name than the input */
    double t_end;        /* s */
    double rate;         /* Hz: samples at 0, 1/rate, ... before t_end */
    double noise;        /* white noise on outputs, relative to their RMS */
    uint64_t seed;       /* of roads, phases and noise */
    double rtol;         /* relative local error of the integration */
} darc_simulate_options;

/* Set o to the defaults: no names, t_end 10 s, 1 kHz, no noise, seed 1,
 * rtol 1e-13. */
void darc_simulate_options_init(darc_simulate_options *o);

/* Set *table to the recording: inputs and outputs of the model in order of
 * declaration, with units.
 * Fails: DARC_USAGE for a name that the model does not have, a parameter or
 * input that has no value, a value that is no number; DARC_MODEL for derived
 * signals, derivatives of an input that its description does not have;
 * DARC_DOMAIN when the model determines no solution, or the solution ends
 * before t_end; DARC_LIMIT for more than DARC_MAX_SAMPLES samples or a spent
 * budget; as darc_wave_new. */
DARC_STATUS darc_simulate(darc_table **table, const darc_model *model,
                          const darc_simulate_options *options,
                          const darc_budget *budget, darc_err *err);
