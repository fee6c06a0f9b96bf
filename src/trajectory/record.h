/* record.h - a recording as trajectories see it: samples of outputs, wherever
 * there are any, inputs as functions of time, initial values that are known.
 */
#pragma once

#include "data/table.h"
#include "trajectory/flow.h"

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
} darc_record;

/* What is known of recordings; arrays by unknown of the flow's model. */
typedef struct {
    const darc_flow *flow;
    const bool *held; /* inputs that are constant from sample to sample */
    int starts; /* initial values "x=1", "x'=0", beside those of the model */
    const char *const *start_name;
    const double *start;
} darc_record_plan;

/* Set r to the recording.
 * Fails: DARC_DATA where no output has a sample or an input has fewer than two;
 * DARC_DOMAIN where an input was not measured, or not as smooth as the
 * equations need it; DARC_USAGE for a start of what is no state. */
DARC_CHECKED darc_status darc_record_init(darc_record *r,
                                          const darc_record_plan *plan,
                                          const darc_table *table,
                                          darc_err *err);
void darc_record_clear(darc_record *r, const darc_flow *flow);
