/* staircase.h - when steps of inputs come that are staircases.
 *
 * Samples show that an input stepped since the one before, not when.  The times
 * are unknowns of the match, unless it is far likelier that steps come at
 * samples.
 */
#pragma once

#include "trajectory/trajectory.h"

/* Of outputs, what is known of their noise, and of parameters. */
typedef struct {
    const double *sd, *value;
} darc_match_near;

/* In short recordings: match again, staircases held where that is likelier than
 * lines between samples, at such times.
 * Fails: as darc_seek and darc_records_drive. */
DARC_STATUS darc_staircase_seek(darc_trajectory *x, darc_record_plan *plan,
                                const darc_match_near *near, darc_err *err);

/* In long ones, whose inputs are read some way (long.h): the same from the
 * match as it is, where there are at most DARC_STEPS_MOST steps.
 * Fails: as darc_records_drive; DARC_LIMIT. */
DARC_STATUS darc_staircase_time(darc_trajectory *x, darc_record_plan *plan,
                                darc_err *err);
