/* planned.h - what planned tests are made of and cannot show. */
#pragma once

#include "identify/identify.h"
#include "noise/signalnoise.h"

#include <stdint.h>

/* Add noise like that of a recording to n samples x. */
void darc_planned_add_noise(double *x, size_t n, const darc_signalnoise *noise,
                            uint64_t seed, uint64_t stream);

/* Set never[i * n + j], i and j < n, to whether every change of the parameter
 * that is unknown[i] can be one of unknown[j] (identify/isolable.h), so that no
 * test tells them apart, at whatever values; false where it is not known.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_planned_never(bool *never, const int *unknown,
                                            int n,
                                            const darc_identification_t id,
                                            const darc_budget *budget,
                                            darc_err *err);
