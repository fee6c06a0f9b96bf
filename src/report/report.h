/* report.h - the record of one check, and its writers.
 *
 * The record points to what the caller owns; the writers only read it.
 */
#ifndef DARC_REPORT_REPORT_H
#define DARC_REPORT_REPORT_H

#include "base/text.h"
#include "decide/weakcheck.h"
#include "emit/json.h"
#include "fit/decision.h"
#include "pointwise/residual.h"

#include <stdbool.h>
#include <stddef.h>

/* A recording as it was used. */
typedef struct {
    const char *file;
    size_t samples; /* rows kept */
    double rate;    /* Hz; NAN: non-uniform */
    size_t used;    /* samples with a residual */
} darc_report_data;

/* A relation that was held against data, and what came of it. */
typedef struct {
    const char *form;     /* "expanded", "matrix" or "io" */
    long terms;           /* of the expanded or io form; entries of the
                             matrix form */
    int order;            /* highest derivative */
    const char *equation; /* in the model language */
    const char *weak;     /* the io-equation in total derivatives, on which
                             the weak form decides; NULL: pointwise */
    int inequations;
    const char *const *inequation;
    darc_residual_summary residual;
    const char *plot; /* of |residual| over time, one line; NULL: none */
    const darc_residual_series *series; /* NULL: not kept */
    int missing;                        /* terms that may be missing */
    const darc_missing_term *missing_term;
    bool untested; /* nothing is left to test: decides only if all are so */
    darc_decision decision;
} darc_report_relation;

typedef struct {
    const char *command;      /* "check" */
    const char *test;         /* "structure", "equal", "changed" */
    const char *command_line; /* arguments as typed */
    const char *model_name, *model_file;
    const char *changed; /* "m,c", or NULL */
    int recordings;
    const darc_report_data *data;
    int relations; /* one per io-equation */
    const darc_report_relation *relation;
    int deciding; /* index of the relation that decides */
    int estimates;
    const darc_estimate *estimate;
    int notes; /* things the user should know */
    const char *const *note;
} darc_report;

/* Append the report as JSON; the fields are those of README, "JSON". */
void darc_report_json(darc_text_t out, const darc_report *r);

/* Append the report as text: quiet is the verdict alone. */
void darc_report_print(darc_text_t out, const darc_report *r, bool quiet,
                       bool verbose);

/* Append the "data" array, a decision under a key, the "estimates" of one
 * recording or two; the lines of recordings: what the reports of other
 * commands share. */
void darc_report_json_data(darc_json *j, const darc_report_data *data,
                           int recordings);
void darc_report_json_decision(darc_json *j, const char *key,
                               const darc_decision *d);
void darc_report_json_estimates(darc_json *j, const darc_estimate *estimate,
                                int estimates, bool two);
void darc_report_print_data(darc_text_t out, const darc_report_data *data,
                            int recordings);

/* Return the index of the relation whose verdict is the verdict of all:
 * the first inconsistent one, else the first undecided one, else the first;
 * untested ones are passed over unless all are. */
int darc_report_deciding(const darc_report_relation *relation, int relations);

#endif
