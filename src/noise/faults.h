/* faults.h - what is wrong with the samples of a signal, before any model.
 *
 * Loggers write codes for what they could not measure, cables drop out, sensors
 * stick and clip, angles jump by a turn, and now and then one sample is far
 * off. Each kind has a mark that signals without it do not have; what is held,
 * switched or computed without noise shows none of them.
 */
#pragma once

#include "base/text.h"
#include "data/table.h"

typedef enum {
    DARC_FAULT_CODE,     /* a number that stands for a missing one: -9999 */
    DARC_FAULT_ZEROS,    /* zeros of which the signal knows nothing beside */
    DARC_FAULT_WRAPPED,  /* an angle that jumps by a turn */
    DARC_FAULT_OUTLIERS, /* single samples far off their neighbours' course */
    DARC_FAULT_STUCK,    /* the same value for long, where noise stands else */
    DARC_FAULT_CLIPPED,  /* stops at its largest or least value in full course
                            or piles up there */
    DARC_FAULT_LINE,     /* of the spectrum, none of the signal's (lines.h) */
    DARC_FAULT_KINDS
} darc_fault_kind;

typedef struct {
    darc_fault_kind kind;
    size_t count; /* samples; of an angle: jumps; of a line: 0 */
    double share; /* of the samples; of a line: its RMS over the signal's sd */
    double value; /* the code, the limit, the turn, or the frequency in Hz */
    bool low;     /* clipped at its least value */
} darc_fault;

/* Set list, of DARC_FAULT_KINDS at least, to what signal i of the table shows,
 * at most one of each kind, a code or zeros alone; return how many.  Cost: a
 * few passes. */
int darc_faults_find(darc_fault *list, const darc_table *table, int signal);

/* Set *at to the samples that are outliers, *value to what their neighbours
 * tell of them; return how many.  Both are the caller's. */
size_t darc_faults_outliers(size_t **at, double **value,
                            const darc_table *table, int signal);

/* Mend what can be mended: codes and zeros become gaps, angles go on over the
 * turn, outliers take the value of their neighbours' course.  A remark of the
 * table says so; others warn of what sticks or clips.  Signals of `computed`
 * (by signal; NULL: none) may be commands, which saturate and kick: of these
 * only codes, zeros and angles are mended.  Of signals of `held` (likewise)
 * noise on levels is averaged.  Columns that are in a temporary file are left
 * as they are. */
void darc_faults_mend(darc_table *table, const bool *computed,
                      const bool *held);

/* Return "outliers", "clipped", ...; static. */
const char *darc_fault_text(darc_fault_kind kind);

/* Append what to know about it in plain words. */
void darc_fault_say(darc_text_t out, const darc_fault *f);
