/* starts.h - where parameters of functions may be, from the signals alone. */
#pragma once

#include "data/table.h"
#include "model/model.h"

/* Set x, room for `most` rows of n numbers, to values of the n parameters, that
 * are unknowns of the model, with which functions that hold them bend along the
 * recording, as those do that can be told from what is linear, none twice;
 * return the number of rows.  The same model and recording give the same
 * values. */
int darc_starts_find(double *x, int most, const darc_model *model,
                     const int *parameter, int n, const darc_table *table);
