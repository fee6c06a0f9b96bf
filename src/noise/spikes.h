/* spikes.h - single samples far off the course of their neighbours. */
#pragma once

#include <stddef.h>

/* Return the standard deviation of what neighbours do not tell of the samples
 * of a column: of noise, where the signal is slower; by the median of some
 * thousand places, so that spikes do not count. */
double darc_spikes_sd(const double *y, size_t n);

/* The same of the samples around sample i. */
double darc_spikes_sd_near(const double *y, size_t n, size_t i);

/* Set *at to the samples of a column that are more than DARC_SPIKE_FAR standard
 * deviations (`least` at the least) off what their neighbours tell of them, and
 * *value to that; return how many, 0 if they are more than DARC_SPIKE_SHARE of
 * all.  Neighbours tell of a sample by the weighted sum of eight on either side
 * that is best for the column.  A spike, or three of them, explains all that is
 * far off around: of steps, corners and bursts it does not.  *at and *value are
 * the caller's.  Cost O(n). */
size_t darc_spikes_find(size_t **at, double **value, const double *y, size_t n,
                        double least);
