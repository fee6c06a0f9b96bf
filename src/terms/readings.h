/* readings.h - what inputs do between samples, by the likelihood.
 *
 * They are a line, held from each sample to the next, or up to each from the
 * one before, as the means are that meters, loggers and weather files write: of
 * these the likeliest is taken.  Who moves in between samples repeats no
 * values; and what is held from its samples on is not asked unless it is
 * refused.
 */
#pragma once

#include "fit/fit.h"

/* Replace f, the fit of table, by that of another reading which is likelier by
 * far; return whether there is one. */
bool darc_readings_find(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha);

/* Whether the recording is likelier by far where samples of these inputs are
 * means of the time since the one before. */
bool darc_fit_gains_by_means(const darc_question *x, const darc_table *table,
                             const bool *until);
