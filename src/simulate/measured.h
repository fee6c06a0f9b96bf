/* measured.h - derived signals in a simulation: functions of inputs, of
 * outputs as functions of the states, of time and of derived signals before.
 */
#pragma once

#include "model/model.h"
#include "model/solved.h"
#include "simulate/evaluator.h"

typedef struct {
    const darc_model *model;
    int leaves;
    darc_deriv *leaf; /* derivatives of outputs in the expressions; owned */
    double *value;    /* of the leaves; owned */
    darc_jet_t jet;   /* of the functions that the leaves are */
    bool has_jet;
    darc_evaluator functions; /* num, then den of the leaves */
} darc_measured;

/* Set m to the derived signals of model, whose solved form is s.
 * Fails: DARC_MODEL for what a simulation cannot know: derivatives of derived
 * signals, tables, delays of anything but an input, outputs that depend on
 * derived signals themselves. */
DARC_STATUS darc_measured_init(darc_measured *m, const darc_model *model,
                               const darc_solved_t s, const darc_places *at,
                               darc_err *err);
void darc_measured_clear(darc_measured *m);

/* Set the values of the derived signals in signals, which stand at time t;
 * NAN where they have none. */
void darc_measured_set(darc_measured *m, double t, const double *y,
                       darc_signals *signals);
