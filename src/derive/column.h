/* column.h - expressions of the model language on columns of a recording,
 * block by block: what takes all samples (which formula suits a derivative
 * best, how much noise a signal carries) is found out once.
 */
#ifndef DARC_DERIVE_COLUMN_H
#define DARC_DERIVE_COLUMN_H

#include "base/budget.h"
#include "data/table.h"
#include "derive/differ.h"
#include "model/derived.h"

typedef struct {
    const darc_table *table;
    const darc_model *model;
    const char *name;    /* of the signal that is computed, for messages */
    const double *error; /* error[u] of derived signal u, see derive.h */
    size_t block;        /* samples that are worked on at a time */
    int threads;
    const darc_budget *budget; /* NULL: none */
} darc_column_context;

/* An expression that can be evaluated. */
typedef struct darc_column {
    const darc_expr *e;           /* not owned */
    const darc_column_context *c; /* not owned */
    int args;
    struct darc_column *arg; /* owned */
    int signal;              /* of the table; -1: none, or time */
    double error;            /* of the signal, or of the derivative of it or of
                                the argument: estimated, RMS */
    int order;               /* of a derivative */
    bool fits;               /* formula of the derivative fits somewhere */
    darc_diff_spec formula;  /* that makes the error least */
    darc_table *rows;        /* of a table in a file; owned */
} darc_column;

/* Make col the column of e.
 * Fails: as darc_derive. */
DARC_CHECKED darc_status darc_column_init(darc_column *col, const darc_expr *e,
                                          const darc_column_context *c,
                                          darc_err *err);
void darc_column_clear(darc_column *col);

/* Set out[i - begin] to the value at sample i of the table, begin <= i < end,
 * NAN in gaps; signals and estimated derivatives are taken + perturb times
 * their error.  Thread-safe.
 * Fails: as darc_derive. */
DARC_CHECKED darc_status darc_column_eval(const darc_column *col, double *out,
                                          size_t begin, size_t end,
                                          double perturb, darc_err *err);

/* Find out the best formula of the derivative col, and its error. */
DARC_CHECKED darc_status darc_column_choose(darc_column *col, darc_err *err);

/* The parts of darc_column_eval for single kinds (darc_column_lookup fails for
 * values outside the table). */
DARC_CHECKED darc_status darc_column_derivative(const darc_column *col,
                                                double *out, size_t begin,
                                                size_t end, double perturb,
                                                darc_err *err);
DARC_CHECKED darc_status darc_column_delay(const darc_column *col, double *out,
                                           size_t begin, size_t end,
                                           double perturb, darc_err *err);
DARC_CHECKED darc_status darc_column_lookup(const darc_column *col, double *out,
                                            const double *x, size_t begin,
                                            size_t end, darc_err *err);

/* Read the rows of the table that col names.
 * Fails: DARC_DATA, DARC_IO. */
DARC_CHECKED darc_status darc_column_load(darc_column *col, darc_err *err);

#endif
