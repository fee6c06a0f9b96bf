/* stretches.h - one recording along time: on which stretches one set of
 * parameters holds, and what jumps between them.
 *
 * Runs of test functions are the values of a course (course.h) without lines.
 * Its steps propose stretches.  Each is then fitted like a recording of its
 * own, a support of the test functions left out where it meets another, and
 * held against the one before as drift holds a pair.  Where these are not found
 * to differ they become one, the least different first.
 */
#pragma once

#include "diagnose/drift.h"

typedef struct {
    int count;
    double *from, *to; /* s; owned */
    darc_drift *pair;  /* of stretch i the last recording, against the one
                          before, if any, as the first; owned */
} darc_stretches;

/* Set out for the equations that the question names; release it with
 * darc_stretches_clear.
 * Fails: as darc_fit_init, darc_bindings_init. */
DARC_STATUS darc_stretches_find(darc_stretches *out, const darc_question *x,
                                const darc_table *table, darc_err *err);
void darc_stretches_clear(darc_stretches *s);

/* Return what is known of stretch i. */
const darc_drift_recording *darc_stretches_at(const darc_stretches *s, int i);
