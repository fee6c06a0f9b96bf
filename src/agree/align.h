/* align.h - recordings on the same times. */
#pragma once

#include "darc/status.h"
#include "data/table.h"

typedef struct {
    size_t samples;
    double *time; /* s; owned */
    double dt;    /* 0: not uniform */
    int tables, signals;
    double **value; /* value[k * signals + i]: signal i of table k on
                       these times; owned */
    size_t offered; /* samples of the first table */
    bool resampled;
} darc_aligned;

/* Bring the named signals of all tables onto the times of the first one,
 * within the interval that all share, the longest part without a gap.
 * Fails: DARC_DATA when fewer than two such samples are left, or a signal is
 * missing. */
DARC_CHECKED darc_status darc_aligned_init(darc_aligned *a,
                                           const darc_table *const *table,
                                           int tables, const char *const *name,
                                           int signals, darc_err *err);
void darc_aligned_clear(darc_aligned *a);
