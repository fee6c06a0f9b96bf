/* delayed.h - derived signals that are a held input, so much later.
 *
 * v = delay(u, T) of a held u is held too, and steps where u does, T later: at
 * any moment between two samples; v = mean(u, T) is a line that bends there,
 * and where u steps.
 */
#pragma once

#include "fit/regression.h"

/* Return the unknown of which u is delay(.., *late) alone, or with *mean
 * mean(.., *late); -1: of none. */
int darc_delayed_base(double *late, bool *mean, const darc_question *x,
                      const darc_table *table, int u);

/* Let signal u of r be its held base so much later; return its samples, which
 * the caller owns. */
double *darc_delayed_hold(darc_regression *r, const darc_table *table, int u,
                          int base, double late);
