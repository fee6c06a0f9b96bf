/* overlay.h - a model beside a recording: simulated with given parameters, the
 * recording's inputs, and the initial values that come nearest to its outputs.
 *
 * The initial values are those of least squares, each output over its standard
 * deviation: Levenberg's and Marquardt's iteration over the first samples, then
 * over four times as many, and so on until their effect has faded, so that they
 * need no start.
 */
#pragma once

#include "base/budget.h"
#include "darc/report.h"
#include "data/table.h"
#include "model/model.h"
#include "simulate/wave.h"

typedef struct {
    const darc_model *model; /* as for simulations */
    double *value;           /* of parameters, by unknown; those that stand for
                                functions are set */
    const darc_between *between; /* samples of inputs, by unknown */
    const darc_table *table;
    darc_segment part; /* without gaps */
    const darc_budget *budget;
} darc_overlay_question;

/* Append to x, which has room for all outputs of the model, what becomes of
 * those that the table holds; count them in *n.
 * Fails: DARC_DOMAIN, DARC_MODEL where the model cannot be simulated, as
 * darc_simulate, or there is an input that was not measured; DARC_LIMIT. */
DARC_STATUS darc_overlay_append(darc_overlay *x, int *n,
                                const darc_overlay_question *q, darc_err *err);
void darc_overlay_clear(darc_overlay *x);
