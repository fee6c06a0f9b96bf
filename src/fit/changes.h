/* changes.h - held inputs whose changes lie beside the samples that show them.
 *
 * A change that came so many samples before the one that shows it comes between
 * that and the last of the old value.  An estimate of it has an error, and may
 * lie beyond either: then another sample shows it.
 */
#pragma once

#include "data/table.h"

/* Let value and early (table->samples each) be as if each change came where
 * early says, -1 < early < 2: less than a sample before the one that shows it.
 * Two changes less than three samples apart stay where they are. */
void darc_changes_move(double *value, double *early, const darc_table *table);

/* Set least and most to how early the change that sample t shows may be taken
 * to be, so that it can be moved, at most half a sample beyond both. */
void darc_changes_limits(double *least, double *most, const double *value,
                         darc_segment g, size_t t);
