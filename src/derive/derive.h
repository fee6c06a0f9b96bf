/* derive.h - computing the derived signals of a model from a recording.
 *
 * A derived signal is a new column, computed sample by sample from measured
 * ones.  A derivative in its expression is an estimated one: of central
 * differences and Savitzky-Golay fits of many widths the one is taken whose
 * truncation error (difference to the next higher order) and noise
 * (estimated noise times noise gain) are least together.  delay(x, T) is the
 * value T seconds before, by a cubic through four samples where T is no
 * multiple of the sampling time; table(x, "file") interpolates linearly
 * between the rows (x, y) of a file.  Where a delay or a derivative would
 * reach over the end of a segment the derived signal has a gap.
 */
#ifndef DARC_DERIVE_DERIVE_H
#define DARC_DERIVE_DERIVE_H

#include "base/budget.h"
#include "data/table.h"
#include "model/model.h"

#include <stdbool.h>

/* needed[u] says which unknowns a test needs.  Mark also the measured and
 * derived signals that marked derived ones are computed from. */
void darc_derive_mark(bool *needed, const darc_model *model);

/* Return whether derived signal u, or one that it is computed from, contains
 * a derivative, which has to be estimated: its error is no white noise. */
bool darc_derive_is_estimated(const darc_model *model, int u);

/* Append the derived signals u with needed[u] to the table, which holds the
 * measured ones that they depend on; shorten its segments to where all are
 * known.  Set error[u] (NULL allowed) to the RMS effect that the noise of
 * measured signals and the errors of estimated derivatives have on the
 * signal, in its unit, to first order; the rest is unchanged.
 * Fails: DARC_DATA when an expression has no value (the logarithm of a
 * negative number, a table that ends too early; the message names signal,
 * time and value), when a table cannot be used, or no sample is left.  Then
 * the table is fit to be freed only. */
DARC_CHECKED darc_status darc_derive(darc_table *table, double *error,
                                     const darc_model *model,
                                     const bool *needed, darc_err *err);

/* Inside: derived signals, computed block by block. */

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
