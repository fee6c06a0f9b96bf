/* quiet.h - the noise of a signal that acts at times only.
 *
 * A blow has power up to half the sampling rate, and noise does not show above
 * it.  But between blows the signal rests, or rings down smoothly, and what its
 * differences hold there is noise.
 */
#pragma once

#include "data/table.h"

/* Return the variance of white noise that the quieter half of the stretches of
 * a column of a table on uniform time shows; HUGE_VAL where all of them
 * together do not show DARC_QUIET_LOUD times as much.  Cost O(samples). */
double darc_quiet_variance(const darc_table *table, int signal);
