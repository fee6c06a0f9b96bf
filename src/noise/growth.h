/* growth.h - where white noise is stronger than elsewhere: where the signal is
 * large, variance a + b y^2, and in spikes.
 *
 * The k-th differences of a signal hold its noise and next to nothing of what
 * is slow; their squares, regressed on the square of the signal, show growth.
 * One that stands out by more than noise does is a spike of the size that makes
 * it, and the variance there is its square.
 */
#pragma once

#include "data/table.h"

/* Set factor[t], t < table->samples, to the sd of the white noise of a signal
 * over that of its mean variance along the segments, which *variance gets.
 * Return false where there is neither, or the differences show more than
 * noise. */
bool darc_growth_find(double *factor, double *variance, const darc_table *table,
                      int signal);
