/* column.h - expressions of the model language on columns of a recording. */
#ifndef DARC_NUMERIC_COLUMN_H
#define DARC_NUMERIC_COLUMN_H

#include "darc/derived.h"
#include "darc/table.h"

typedef struct {
    const darc_table *table;
    const darc_model *model;
    const char *name;    /* of the signal that is computed, for messages */
    const double *error; /* error[u] of derived signal u, see derive.h */
    double perturb; /* signals and estimated derivatives are taken + perturb
                       times their error */
} darc_column_context;

/* Set out[i] to the value of e at sample i of the table, NAN in gaps.
 * Fails: as darc_derive. */
DARC_CHECKED darc_status darc_column_eval(double *out, const darc_expr *e,
                                          darc_column_context *c,
                                          darc_err *err);

/* Set out to derivative k of x, and *error to its estimated RMS error, by the
 * formula that makes the error least. */
DARC_CHECKED darc_status darc_column_derivative(double *out, double *error,
                                                const double *x, int k,
                                                const darc_table *table,
                                                darc_err *err);

/* Set out to x delayed by `delay` seconds. */
void darc_column_delay(double *out, const double *x, double delay,
                       const darc_table *table);

/* Set out to the table in the file at x.
 * Fails: DARC_DATA, DARC_IO. */
DARC_CHECKED darc_status darc_column_lookup(double *out, const double *x,
                                            const char *file,
                                            const darc_column_context *c,
                                            darc_err *err);

#endif
