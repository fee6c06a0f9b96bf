/* starts.h - known initial values of states (src/MATHEMATICS.md, 11). */
#ifndef DARC_IDENTIFY_STARTS_H
#define DARC_IDENTIFY_STARTS_H

#include "model/solved.h"
#include "projection/ioeq.h"

/* Of state[i], "x" or "x'", the initial value is what asked output value[i] is,
 * by parameters; -1: known, whatever it is. */
typedef struct {
    int count;
    const char *const *state;
    const int *value;
} darc_starts;

bool darc_starts_have_values(const darc_starts *starts);

/* Set start, as in s->start.
 * Fails: DARC_USAGE where a name is no state of the solved form, or a value is
 * not by parameters. */
DARC_CHECKED darc_status darc_starts_set(int *start, const darc_solved_t s,
                                         const darc_starts *starts,
                                         darc_err *err);

/* Recordings that start so, of s, a model of the io-equations io (or NULL). */
typedef struct {
    bool reached; /* the functions parts[k] of every io-equation obey one linear
                     relation alone: its coefficients show */
    bool regular; /* no separant vanishes at the start: these coefficients and
                     the first derivatives give all others */
} darc_started;

void darc_started_find(darc_started *out, const darc_solved_t s,
                       const darc_ioeqs_struct *io, flint_rand_t rand);

#endif
