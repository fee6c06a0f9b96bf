/* noisesums.h - the estimate of noise.h, put together from parts of a
 * recording.
 */
#ifndef DARC_NOISE_NOISESUMS_H
#define DARC_NOISE_NOISESUMS_H

#include "noise/noise.h"

#include <stddef.h>

/* All zero to begin with; sums of two parts are added term by term. */
typedef struct {
    double square[DARC_NOISE_ORDERS + 1]; /* of differences, scaled to sd^2 */
    double count[DARC_NOISE_ORDERS + 1];
} darc_noisesums;

/* Add the differences inside segments of the table that begin at samples
 * first .. last - 1. */
void darc_noisesums_add(darc_noisesums *s, const darc_table *table, int signal,
                        size_t first, size_t last);

void darc_noisesums_estimate(darc_noise *noise, const darc_noisesums *s);

#endif
