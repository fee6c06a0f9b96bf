/* recording.h - recordings: signals over time, from files and from memory. */
#ifndef DARC_RECORDING_H
#define DARC_RECORDING_H

#include "darc/options.h"
#include "darc/status.h"

#include <stddef.h>

DARC_BEGIN_DECLS

typedef struct darc_recording darc_recording;

/* A recording as arrays. */
typedef struct {
    const char *name; /* of the recording, for messages and reports */
    size_t samples;
    const double *time; /* samples times in s, increasing; NULL: uniform */
    double t0, rate;    /* s, Hz; where time is NULL */
    int signals;
    const char *const *signal;  /* names, as in the model */
    const char *const *unit;    /* of each, "" if none; NULL: none has one */
    const double *const *value; /* value[k][i] of signal k at sample i; NAN is
                                   a gap, across which nothing is derived */
} darc_samples;

/* Set *recording to that in the file ("-": standard input): CSV, or MAT, HDF5,
 * NPY, MDF by its ending.  options: of "data" (of "check", "drift", "compare"
 * those of reading count); NULL: the defaults.  All columns are read; long
 * ones lie in a temporary file.
 * Fails: DARC_USAGE for the option "each", of which there may be many (see
 * darc_parts_new); DARC_IO; DARC_DATA with "file:line:column: error: ..." for
 * what is no recording, times that do not increase, no row without a gap;
 * DARC_LIMIT for lack of memory. */
DARC_CHECKED darc_status darc_recording_read(darc_recording **recording,
                                             const char *file,
                                             const darc_options *options,
                                             darc_err *err);

/* Set *parts to the recordings of a long table, where rows of many stand in one
 * file: those of each value of the column, by names for darc_recording_read,
 * "FILE[COLUMN=VALUE]", as they come in the file.
 * Fails: DARC_USAGE for standard input; DARC_IO; DARC_DATA for a column that is
 * not there, or has no value, or more than 10,000; DARC_LIMIT. */
typedef struct darc_parts darc_parts;
DARC_CHECKED darc_status darc_parts_new(darc_parts **parts, const char *file,
                                        const char *column, darc_err *err);
void darc_parts_free(darc_parts *parts);

/* Return how many there are; the name of part i. */
int darc_parts_count(const darc_parts *parts);
const char *darc_parts_name(const darc_parts *parts, int i);

/* Set *recording to a copy of the arrays.  Samples that uniform times lack
 * become gaps.
 * Fails: DARC_DATA when there are no samples, times do not increase, a value
 * is infinite, two signals have one name, or each sample has a gap; DARC_LIMIT
 * for lack of memory. */
DARC_CHECKED darc_status darc_recording_new(darc_recording **recording,
                                            const darc_samples *samples,
                                            darc_err *err);
void darc_recording_free(darc_recording *recording);

/* Return the recording as arrays, which belong to it; to be read only. */
const darc_samples *darc_recording_samples(const darc_recording *recording);

/* Write it as CSV ("-": standard output); every number reads back as it was.
 * Fails: DARC_IO; DARC_LIMIT for lack of memory. */
DARC_CHECKED darc_status darc_recording_save(const darc_recording *recording,
                                             const char *file, darc_err *err);

/* Return what it holds (range, noise, band, gaps of each signal) as "text" or
 * "json", NULL for another format, or for lack of memory; valid until the next
 * call.  Cost: a few passes. */
const char *darc_recording_text(darc_recording *recording, const char *format);

DARC_END_DECLS

#endif
