/* compare.h - agreement of simulated with reference recordings, all outputs
 * and measures at once.
 *
 * Several reference runs are averaged.  Every run is brought onto the times
 * of the first reference run within the interval that all share, by straight
 * lines between samples where its times differ; of a recording with gaps the
 * longest part without one is used.  What was done stands in the result.
 */
#ifndef DARC_AGREE_COMPARE_H
#define DARC_AGREE_COMPARE_H

#include "agree/feature.h"
#include "agree/interval.h"
#include "agree/practice.h"
#include "agree/spectrum.h"
#include "agree/theil.h"
#include "agree/weights.h"
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
DARC_CHECKED darc_status darc_comparison_init(darc_comparison *out,
                                              const darc_comparison_tables *t,
                                              const darc_compare_options *o,
                                              darc_err *err);
void darc_comparison_clear(darc_comparison *c);

#endif
