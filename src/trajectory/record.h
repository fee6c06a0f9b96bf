/* record.h - a recording as trajectories see it: samples of outputs, wherever
 * there are any, inputs as functions of time, initial values that are known.
 */
#pragma once

#include "data/table.h"
#include "simulate/flow.h"
#include "stats/autoregress.h"

/* What inputs do between samples, where nobody says that they are held. */
typedef enum {
    DARC_READ_PLAIN, /* as it is said; a line, or what derivatives need */
    DARC_READ_SMOOTH,
    DARC_READ_HELD,
    DARC_READ_LATE /* held, and acts a sample later, as all that are held do */
} darc_record_reading;

/* Inputs that are staircases step at a sample, or since the one before. */
typedef struct {
    size_t at;          /* sample of the inputs */
    double time, since; /* of the sample; from the one before, s */
} darc_record_step;

typedef struct {
    const char *file;
    size_t n;         /* rows with a sample of an output */
    double *time;     /* s; owned */
    double *y;        /* of output j at row i: y[i * outputs + j]; NAN: none;
                         owned */
    double *weight;   /* 1 over the standard deviation of each; owned */
    size_t *count;    /* samples of each output; owned */
    darc_wave **wave; /* by unknown; owned */
    double *start;    /* of each state, NAN: not known; owned */
    int steps;        /* of inputs that nobody says how they are held */
    darc_record_step *step; /* owned */
    bool *stairs; /* by unknown, the inputs that these are of; owned */
    bool timed; /* each step comes at a time of its own, which is sought, or */
    bool still; /* stays where the match has it */
    size_t piece; /* rows after which a trajectory begins anew, 0: none does */
    darc_autoregress *colour; /* of the noise of each output; NULL: white;
                                 owned */
} darc_record;

/* What is known of recordings; arrays by unknown of the flow's model. */
typedef struct {
    const darc_flow *flow;
    int recordings;
    const darc_table *const *table;
    const bool *held; /* inputs that are constant from sample to sample */
    darc_record_reading reading;
    bool stairs; /* inputs that are staircases are held */
    int starts;  /* initial values "x=1", "x'=0", beside those of the model */
    const char *const *start_name;
    const double *start;
} darc_record_plan;

/* Set r to the recording; of a long one inputs are smooth, to begin with.
 * Fails: DARC_DATA where no output has a sample or an input has fewer than two;
 * DARC_DOMAIN where an input was not measured, or not as smooth as the
 * equations need it; DARC_USAGE for a start of what is no state. */
DARC_STATUS darc_record_init(darc_record *r, darc_record_plan *plan,
                             const darc_table *table, darc_err *err);

/* Return how many samples all outputs have. */
size_t darc_record_samples(const darc_record *r, int outputs);

/* Return the standard deviation of the samples of output j. */
double darc_record_moves(const darc_record *r, int j, int outputs);

/* Return an input of r that steps; -1: none does. */
int darc_record_stepped(const darc_record *r, const darc_flow *flow);

/* Read the inputs of so many recordings again.
 * Fails: as darc_record_init. */
DARC_STATUS darc_records_drive(darc_record *r, int runs,
                               const darc_record_plan *plan, darc_err *err);
void darc_record_clear(darc_record *r, const darc_flow *flow);
