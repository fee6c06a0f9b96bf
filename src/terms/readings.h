/* readings.h - what inputs do between samples.
 *
 * A line, held from each sample to the next, held up to each from the one
 * before (means, as meters and loggers write them), or a staircase whose
 * changes came between samples: each is a hypothesis, and its likelihood says
 * which holds.
 */
#pragma once

#include "fit/fit.h"

/* Replace f by the fit of another reading where that is likelier by
 * DARC_EDGES_SHOWN.  Return whether nothing is left to be asked of its
 * staircases. */
bool darc_readings_take(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha);

/* Mark inputs of f that may be staircases, or rounded: their steps are small.
 * Return whether there are any. */
bool darc_readings_mark_small(bool *small, const darc_fit *f,
                              const darc_question *x, const darc_table *table);

/* Whether the inputs `small` are staircases, as f takes them: that is likelier,
 * beside what the times of its changes cost, and leaves far less than a line
 * through the middles of their steps, which is what rounding makes steps of. */
bool darc_readings_are_stairs(const darc_fit *f, const darc_question *x,
                              const darc_table *table, const bool *small);

/* Whether the recording is likelier by far with these inputs held, and samples
 * of others means of the time since the one before, and not likelier by far
 * than that with a missing term. */
bool darc_readings_gain(const darc_question *x, const darc_table *table,
                        const bool *held, const bool *until);
