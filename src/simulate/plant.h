/* plant.h - a model with numbers for its parameters and signals for its
 * inputs, ready to be integrated. */
#ifndef DARC_SIMULATE_PLANT_H
#define DARC_SIMULATE_PLANT_H

#include "model/model.h"
#include "model/solved.h"
#include "simulate/evaluator.h"
#include "simulate/integrator.h"
#include "simulate/measured.h"

struct darc_plant;

/* Set states in y that are functions of others to what these make them; the
 * signals of p are those at time t. */
typedef void darc_plant_restore(const struct darc_plant *p, double t, double *y,
                                void *user);

typedef struct darc_plant {
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
    int *output;                 /* the unknown that output j is; owned */
    bool *differential;          /* implicit: y[i] has a derivative; owned */
    double *exact;               /* explicit: y as `restore` leaves it; owned */
    darc_plant_restore *restore; /* applied to the states before every
                                    evaluation; NULL: none */
    void *restore_user;
    darc_system system; /* what the integrator gets; its user is the plant */
} darc_plant;

/* Set p to the model with parameter values value[u]; p->signals still waits
 * for waves of the inputs, and p must not move.
 * Fails: DARC_DOMAIN when equations and unknown functions differ in number;
 * DARC_MODEL for derived signals that cannot be simulated. */
DARC_CHECKED darc_status darc_plant_init(darc_plant *p, const darc_model *model,
                                         const double *value, darc_err *err);
void darc_plant_clear(darc_plant *p);

/* Restore states from now on in a plant that is explicit. */
void darc_plant_keep(darc_plant *p, darc_plant_restore *restore, void *user);

/* Return the largest share that is left of an equation at (t, y, dy): its
 * value over the sum of the absolute values of its terms, 0 .. 1. */
double darc_plant_defect(darc_plant *p, double t, const double *y,
                         const double *dy);

/* Set out[j] to output j at time t.
 * Fails: DARC_DOMAIN where a denominator is 0. */
DARC_CHECKED darc_status darc_plant_outputs(darc_plant *p, double t,
                                            const double *y, double *out,
                                            darc_err *err);

#endif
