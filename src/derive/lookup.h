/* lookup.h - piecewise linear functions: table(x, "file") and
 * table(x; x1 y1, x2 y2, ...). */
#ifndef DARC_DERIVE_LOOKUP_H
#define DARC_DERIVE_LOOKUP_H

#include "model/model.h"
#include "syntax/expr.h"

#include <stddef.h>

typedef struct {
    size_t points;
    double *x, *y; /* x rises; one block, which x owns */
    char *file;    /* as it was opened; NULL: written in the model; owned */
} darc_lookup;

/* Set l to the points of the table e.
 * Fails: DARC_DATA, DARC_IO. */
DARC_CHECKED darc_status darc_lookup_init(darc_lookup *l, const darc_expr *e,
                                          const darc_model *model,
                                          darc_err *err);
void darc_lookup_clear(darc_lookup *l);

/* Set y[i] to the value at x[i], NAN outside the table, and slope[i], unless
 * slope is NULL, to that of the line there. */
void darc_lookup_values(const darc_lookup *l, double *y, double *slope,
                        const double *x, size_t n);

#endif
