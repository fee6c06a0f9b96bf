/* plant.h - a model with numbers for its parameters and signals for its
 * inputs, ready to be integrated; values of the unknowns that stand for
 * functions: those of parameters, and the initial values of states. */
#pragma once

#include "model/model.h"
#include "model/solved.h"
#include "simulate/evaluator.h"
#include "simulate/integrator.h"
#include "simulate/simulate.h"

/* ---- derived signals: functions of inputs, of outputs as functions of the
 * states, of time and of derived signals before */

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

/* ---- the model */

/* Where the functions come from. */
typedef struct {
    const darc_model *model;
    const double *value;       /* of parameters, by unknown */
    const darc_settings *init; /* states named here are left alone */
} darc_adjoined_source;

typedef struct {
    const darc_names_struct *names;
    darc_signals signals;
    darc_layout layout;
    bool implicit;
    darc_jet_t jet;
    darc_evaluator equations; /* explicit: num, then den of y'; implicit: the
                                 equations, then their sizes */
    darc_evaluator results;   /* explicit: num, then den of the outputs */
    darc_measured measured;   /* explicit: the derived signals, if any */
    bool has_derived;
    const char *lost; /* derived signal that had no value last, NULL: none */
    double lost_at;   /* s */
    int outputs;
    int *output;        /* the unknown that output j is; owned */
    bool *differential; /* implicit: y[i] has a derivative; owned */
    double *exact;      /* explicit: y, adjoined states as functions;
                           owned */
    const darc_adjoined_source *kept; /* of these; NULL: as integrated */
    darc_system system; /* what the integrator gets; its user is the plant */
} darc_plant;

/* Set p to the model with parameter values value[u]; p->signals still waits
 * for waves of the inputs, and p must not move.
 * Fails: DARC_DOMAIN when equations and unknown functions differ in number;
 * DARC_MODEL for derived signals that cannot be simulated. */
DARC_STATUS darc_plant_init(darc_plant *p, const darc_model *model,
                            const double *value, darc_err *err);
void darc_plant_clear(darc_plant *p);

/* Set out[j] to output j at time t.
 * Fails: DARC_DOMAIN where a denominator is 0. */
DARC_STATUS darc_plant_outputs(darc_plant *p, double t, const double *y,
                               double *out, darc_err *err);

/* Let y take up the doses at time t, by what rates gain from them.
 * Fails: DARC_MODEL in an implicit model, or where that is not in proportion,
 * or depends on y; DARC_DOMAIN where there are no rates. */
DARC_STATUS darc_plant_dose(darc_plant *p, double t, double *y, darc_err *err);

/* Return whether input u is one of doses. */
bool darc_is_dose(const darc_model *model, int u);

/* Set value[u] of every adjoined parameter u from the other parameters.
 * Fails: DARC_MODEL where the function has no value. */
DARC_STATUS darc_adjoined_parameters(double *value, const darc_model *model,
                                     darc_err *err);

/* Set the initial values in y of adjoined states, from the other initial values
 * in y.
 * Fails: DARC_MODEL where the function has no value. */
DARC_STATUS darc_adjoined_states(double *y, darc_plant *plant,
                                 const darc_adjoined_source *from,
                                 darc_err *err);

/* From now on let plant take adjoined states as the functions that they stand
 * for, where these have a value: integrated, tanh(v/0.01) grows without bound
 * from the smallest error when v comes back to 0.  What is given must stay as
 * long as the plant. */
void darc_adjoined_keep(const darc_adjoined_source *kept, darc_plant *plant);

/* Check that the adjoined states y at time t still are the functions that they
 * stand for; the signals of plant are those at t.
 * Fails: DARC_DOMAIN where a function has no value, or the solution went past
 * such a place. */
DARC_STATUS darc_adjoined_check(const darc_plant *plant, double t,
                                const double *y,
                                const darc_adjoined_source *from,
                                darc_err *err);
