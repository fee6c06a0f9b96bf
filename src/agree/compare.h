/* compare.h - agreement of simulated with reference recordings, all outputs
 * and measures at once; validation in four steps as a checklist.
 *
 * Several reference runs are averaged.  Every run is brought onto the times
 * of the first reference run within the interval that all share, by straight
 * lines between samples where its times differ, and to its units; of a
 * recording with gaps the longest part without one is used.  What was done
 * stands in the result.
 */
#pragma once

#include "agree/measures.h"
#include "agree/runs.h"
#include "agree/spectrum.h"
#include "base/text.h"
#include "data/table.h"

typedef struct {
    double lambda_proximity, lambda_shape, lambda_feature; /* 0.5 each */
    int outputs;               /* 0: all signals that every file has */
    const char *const *output; /* their names */
    int inputs;                /* not compared; a difference is said */
    const char *const *input;
    bool choose; /* all features if the reference shows a step, else none */
    bool feature[DARC_FEATURE_COUNT]; /* otherwise those wanted */
    double target;                    /* of steady_state_error; NAN: none */
    int nominals;                     /* nominal values of near-zero signals */
    const char *const *nominal_name;
    const double *nominal;
    double level;     /* of confidence intervals, 0.99 */
    double tolerance; /* practical, a fraction of the reference; 0: none */
    bool paired;      /* run k of both under the same conditions */
    bool spectra;
} darc_compare_options;

/* One simulation run against the reference. */
typedef struct {
    double theil, theil_reference, proximity;
    darc_grey grey;
    double data_consistency;                /* sqrt(proximity * shape) */
    double feature[DARC_FEATURE_COUNT];     /* of the simulation */
    double consistency[DARC_FEATURE_COUNT]; /* NAN where one side has none */
    darc_errors errors;
    double max_error_time; /* s */
    darc_iso18571 iso;
    darc_spectra spectra; /* bands = 0 where not asked for or not possible */
} darc_compare_run;

typedef struct {
    char *name, *unit;     /* owned */
    darc_compare_run *run; /* one a simulation; owned */
    darc_compare_run mean; /* theil ... consistency averaged over the runs */
    double reference[DARC_FEATURE_COUNT]; /* features of the reference */
    bool wanted[DARC_FEATURE_COUNT];
    const char *missing[DARC_FEATURE_COUNT]; /* why it is left out; static */
    bool interval_known[DARC_FEATURE_COUNT];
    darc_interval interval[DARC_FEATURE_COUNT];
} darc_compare_output;

typedef struct {
    int outputs, runs, references;
    darc_compare_output *output; /* owned */
    size_t samples;              /* compared */
    size_t offered;              /* of the first reference */
    double begin, end;           /* s */
    bool resampled;              /* some run had other times */
    darc_text_t inputs;          /* which inputs differ; "" none; owned */
    darc_text_t units;           /* what was converted; "" nothing; owned */
    int columns;                 /* consistencies that are weighted */
    char **column;               /* "y", "y rise_time"; owned */
    darc_weights weights;
    double consistency; /* the combined consistency C, 0 .. 1 */
} darc_comparison;

/* Set o to the defaults. */
void darc_compare_options_init(darc_compare_options *o);

/* The recordings: references first, then simulations, one of each at least. */
typedef struct {
    int references, simulations;
    const darc_table *const *table;
} darc_comparison_tables;

/* Set out to the comparison.
 * Fails: DARC_DATA when an output is missing, when recordings do not overlap
 * in two samples at least, or share no signal; DARC_DOMAIN as the weights. */
DARC_STATUS darc_comparison_init(darc_comparison *out,
                                 const darc_comparison_tables *t,
                                 const darc_compare_options *o, darc_err *err);
void darc_comparison_clear(darc_comparison *c);

/* The four-step validation of agent-based and other simulations: each step gets
 * an answer from what was measured, and the evidence for it; DARC_UNKNOWN: it
 * is still to be done. */
typedef enum {
    DARC_STEP_FACE,        /* do plots look right?  Always a person's answer */
    DARC_STEP_SENSITIVITY, /* a parameter varied on both sides: do outputs
                              move alike? */
    DARC_STEP_CALIBRATION, /* were other data used to calibrate? */
    DARC_STEP_STATISTICS,  /* confidence intervals of replicated runs */
    DARC_STEP_COUNT
} darc_validation_step;

typedef struct {
    darc_truth passed[DARC_STEP_COUNT];
    char evidence[DARC_STEP_COUNT][400];
} darc_validation;

/* Set v.  `varied` compares recordings made after the same change on both
 * sides, of the same outputs as c; NULL: none.  Outputs move alike when
 * mean, RMS and peak, where the reference moves by more than 1 % of its RMS,
 * move the same way in the simulation, by at least half and at most twice as
 * much.  file[] are the references of c, calibration[] the recordings that
 * were used to calibrate (none: not known). */
void darc_validation_set(darc_validation *v, const darc_comparison *c,
                         const darc_comparison *varied, const char *const *file,
                         const char *const *calibration, int calibrations);

/* Return "face", "sensitivity", "calibration", "statistics". */
const char *darc_validation_name(darc_validation_step step);
