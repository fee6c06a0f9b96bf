/* derive.h - derived signals, computed block by block. */
#ifndef DARC_NUMERIC_DERIVE_H
#define DARC_NUMERIC_DERIVE_H

#include "darc/budget.h"
#include "darc/derive.h"

/* How derived signals are computed. */
typedef struct {
    size_t block;              /* samples at a time; 0: enough for economy */
    int threads;               /* at most; the result does not depend on it */
    const darc_budget *budget; /* NULL: none */
} darc_derive_work;

/* As darc_derive.  Where the table has a spool the new columns go there, and
 * memory does not grow with the samples.
 * Fails: besides DARC_LIMIT by the budget, DARC_IO. */
DARC_CHECKED darc_status darc_derive_by(darc_table *table, double *error,
                                        const darc_model *model,
                                        const bool *needed,
                                        const darc_derive_work *how,
                                        darc_err *err);

#endif
