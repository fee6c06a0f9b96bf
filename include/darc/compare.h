/* compare.h - classical agreement of simulations with references; the
 * credibility of a simulation from that of its factors.
 */
#ifndef DARC_COMPARE_H
#define DARC_COMPARE_H

#include "darc/options.h"
#include "darc/recording.h"

#include <stdbool.h>

DARC_BEGIN_DECLS

/* An output, averaged over the simulations. */
typedef struct {
    const char *name, *unit;
    double theil, theil_reference; /* 0: equal; the second over the
                                      reference alone */
    double proximity;              /* exp(-lambda theil_reference), 1: equal */
    double shape;                  /* grey relational degree, 1: equal */
    double data_consistency;       /* sqrt(proximity * shape) */
} darc_output_agreement;

/* A consistency that is weighted: of the data or a feature of an output. */
typedef struct {
    const char *name; /* "y", "y rise_time" */
    double weight;    /* all add up to 1 */
    double mean;      /* over the simulations */
} darc_weighted;

/* The result; made by the library, more lies behind it: never copy it. */
typedef struct {
    double consistency; /* all combined, 0 .. 1 */
    int outputs;        /* 0 from darc_weigh */
    const darc_output_agreement *output;
    int columns;
    const darc_weighted *column;
    const char *note; /* why all weights are equal; NULL: they are not */
} darc_agreement;

/* Set *a to the agreement of recordings: the first `references` of `count` are
 * reference runs, which are averaged, the others simulations.  They must stay
 * until darc_agreement_free.  Options of "compare"; NULL: the defaults.
 * Fails: DARC_USAGE without a reference or a simulation, and for a feature that
 * does not exist; DARC_DATA when the recordings share no signal or no time;
 * DARC_DOMAIN when no weight exists; DARC_LIMIT for lack of memory. */
DARC_CHECKED darc_status darc_compare(darc_agreement **a,
                                      const darc_recording *const *recording,
                                      int references, int count,
                                      const darc_options *options,
                                      darc_err *err);

/* Set *a to the weights of consistencies that are known: every signal of the
 * table is one, every sample a run.  The table must stay.
 * Fails: DARC_DATA for a value outside 0 .. 1; DARC_DOMAIN when a column
 * is not correlated with any other; DARC_LIMIT for lack of memory. */
DARC_CHECKED darc_status darc_weigh(darc_agreement **a,
                                    const darc_recording *table,
                                    const darc_options *options, darc_err *err);
void darc_agreement_free(darc_agreement *a);

/* Return the result as "text", "json", "html" or "svg", NULL for another
 * format, or for lack of memory; valid until the next call. */
const char *darc_agreement_text(darc_agreement *a, const char *format);

/* A factor of a simulation's credibility. */
typedef struct {
    const char *name;
    double similarity, credibility; /* NAN: not known */
    darc_truth acceptable;
    bool defect, origin; /* on the path of a defect; where it begins */
} darc_factor_credibility;

/* The result; made by the library, more lies behind it: never copy it. */
typedef struct {
    darc_truth verdict; /* whether all outputs are acceptable */
    int factors;
    const darc_factor_credibility *factor;
} darc_credibility;

/* Set *c to the assessed factor space in the file, whose language `darc help
 * comparing` describes; options of "credibility" (NULL: none).
 * Fails: DARC_IO; DARC_SYNTAX and DARC_MODEL with a place; as recordings are
 * read. */
DARC_CHECKED darc_status darc_assess(darc_credibility **c, const char *file,
                                     const darc_options *options,
                                     darc_err *err);
void darc_credibility_free(darc_credibility *c);

/* Return the result as "text", "json", "html" or "svg", NULL for another
 * format, or for lack of memory; valid until the next call. */
const char *darc_credibility_text(darc_credibility *c, const char *format);

DARC_END_DECLS

#endif
