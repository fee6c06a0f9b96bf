/* still.h - inputs that stand still: constants of a model. */
#pragma once

#include "data/table.h"
#include "model/model.h"

/* Set value[u], by unknown of the model, to the value of an input that has but
 * one, the same in all n recordings, which hold no derived signals (these are
 * numbered as the model's unknowns); else to NAN.  Return whether there are
 * any.  Cost: O(samples) of what stands still. */
bool darc_still_find(double *value, const darc_model *model,
                     darc_table *const *table, int n);

/* Return the model with constants for the inputs that have a value; NULL where
 * there can be none. */
darc_model *darc_still_fix(const darc_model *model, const double *value);
