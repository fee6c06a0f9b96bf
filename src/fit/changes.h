/* changes.h - held inputs whose changes lie beside the samples that show them.
 *
 * A change that came so many samples before the one that shows it comes between
 * that and the last of the old value.  An estimate of it has an error, and may
 * lie beyond either: then another sample shows it.
 */
#pragma once

#include "fit/regression.h"

/* Return how early each change comes, from 0 to 1, and behind that the values
 * that show it so (table->samples each, to be freed), of those of a held input
 * and -1 < early < 2: less than a sample before the one that shows it. */
double *darc_changes_new(const double *value, const double *early,
                         const darc_table *table);

/* Where derived signal u is sign(x), let it step between samples: in the
 * middle, with the errors of d, until more is known.  Return what is to be kept
 * for that; NULL: it is not. */
double *darc_changes_switch(darc_regression *r, const darc_question *x, int u,
                            const darc_derivation *d, const darc_table *table);

/* Let such signals step where x passes 0, which bends there as the steps say;
 * and their errors be those of the samples of x, as far as these tell the place
 * better than the middle does.  Return whether there are any. */
bool darc_changes_place(const darc_regression *r, const darc_steps *steps,
                        const darc_table *table);
