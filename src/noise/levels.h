/* levels.h - the noise of a signal that switches between a few levels.
 *
 * A switch has power up to half the sampling rate, and noise does not show
 * above it.  But where values stand in a few groups, far apart, each is a level
 * and its noise, at all frequencies.
 */
#pragma once

#include "noise/signalnoise.h"

/* Where a column of a table on uniform time switches between 2 to
 * DARC_LEVELS_MOST levels, and is white noise besides, the same on each, set n,
 * which was read off its spectrum, to that.  Return whether it does.  Cost
 * O(samples). */
bool darc_levels_read(darc_signalnoise *n, const darc_table *table, int signal);

/* Whether values of a column stand in such groups. */
bool darc_levels_are_there(const darc_table *table, int signal);

/* Set the samples of such a column to the means of their levels, a remark of
 * the table says so; unless another signal follows the noise on them: then it
 * acts.  A mean of n samples has 1 / sqrt(n) of the noise.  Cost: a regression
 * of each signal on 39 columns of at most 8,192 rows. */
void darc_levels_average(darc_table *table, int signal);
