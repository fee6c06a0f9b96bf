/* noise.h - how much noise a recorded signal carries, from itself.
 *
 * The k-th difference of white noise of standard deviation sd has variance
 * C(2k, k) sd^2, whatever k; what is smooth dies out as k rises.  Estimates
 * of rising order fall until they meet the noise and then stay level: the
 * floor.  Without a floor the estimate of the highest order is an upper
 * bound: some or all of it may be signal.  Noise that is not white, such as
 * what an anti-alias filter leaves, cannot be seen in this way.
 */
#pragma once

#include "data/table.h"

enum { DARC_NOISE_ORDERS = 20 };

typedef struct {
    double sd;        /* at the highest order; unit of the signal */
    double low, high; /* least and greatest estimate along the floor; low is
                         0 where there is no floor */
    double dof;       /* sd^2 fluctuates like sd^2 chi2(dof) / dof */
    int order;        /* highest difference, 0: too few samples */
    bool floor;
} darc_noise;

/* Set noise from the differences inside the segments of the table, up to
 * order 20 or a quarter of the samples.  On a non-uniform grid divided
 * differences take their place.  Cost O(20 samples). */
void darc_noise_estimate(darc_noise *noise, const darc_table *table,
                         int signal);

/* The same put together from parts of a recording.  All zero to begin with; of
 * two parts they are added term by term. */
typedef struct {
    double square[DARC_NOISE_ORDERS + 1]; /* of differences, scaled to sd^2 */
    double count[DARC_NOISE_ORDERS + 1];
} darc_noisesums;

/* Add the differences inside segments of the table that begin at samples
 * first .. last - 1. */
void darc_noisesums_add(darc_noisesums *s, const darc_table *table, int signal,
                        size_t first, size_t last);

void darc_noisesums_estimate(darc_noise *noise, const darc_noisesums *s);
