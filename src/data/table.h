/* table.h - recordings: columns of samples with units, time and gaps.
 *
 * A gap (a cell that is empty, nan or NA in a column that is used) ends a
 * segment; no derivative is taken across it.  The formats are described in
 * reader.h, which reads the same block by block.
 */
#pragma once

#include "base/output.h"
#include "darc/recording.h"
#include "files/stamp.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *name;    /* the model's name, or the column's; owned */
    char *unit;    /* "" if none; owned */
    double *value; /* samples values, scaled; NAN in a gap; owned; to be
                      read only if the table was loaded */
} darc_signal;

typedef struct {
    size_t begin, end; /* samples begin .. end - 1, end > begin */
} darc_segment;

/* A measured signal whose noise reaches a derived one: that of sample i - shift
 * enters sample i, times slope. */
typedef struct {
    int unknown;     /* of the model that the table was completed for */
    long shift;      /* samples */
    double constant; /* the slope of all samples, where there is no column */
    double *slope;   /* NAN in gaps; NULL: constant; owned */
} darc_influence;

/* How sure a derived signal is, see derive.h.  Its columns are not among the
 * signals of the table. */
typedef struct {
    int unknown; /* the signal, of the same model */
    int influences;
    darc_influence *influence; /* owned */
    double *sd; /* of an error of its own, by sample; NULL: none; owned */
    double
        *switching; /* the same for what asks for its sign; NULL: sd; owned */
    double *rest;   /* of an error that may be anything while a switch rests: sd
                       of white noise that is more; NULL: none; owned */
    double correlation; /* samples along which the own error stays the same */
    double error;       /* RMS of the effect of all noise and own errors */
    size_t missing;     /* samples that are gaps because it has no value */
    char *reason;       /* of the first of them; NULL: none; owned */
} darc_derivation;

typedef struct {
    char *file;
    size_t samples; /* kept: all rows between --from and --to */
    size_t rows;    /* data rows read; reading stops behind --to */
    double *time;   /* samples times in s, increasing; NULL when uniform */
    double t0;      /* time of the first sample, s */
    double dt;      /* seconds between samples when uniform within 1e-6 of
                       dt, or within 1e-6 s and 1e-4 of dt; 0: non-uniform */
    int signals;
    darc_signal *signal;
    int absents;            /* signals of which that is known, or 0 */
    unsigned char **absent; /* by signal and sample: the value was not
                               measured, and is there for convenience
                               (bridge.h); NULL: all were; owned */
    int segments;
    darc_segment *segment; /* without gaps, in order */
    size_t sides, *side;   /* samples at whose time two rows stood, the sides of
                              an event: the later one is there; owned */
    int remarks;
    char **remark; /* what reading has to say; owned */
    int derivations;
    darc_derivation *derivation; /* in order of derivation; owned */
    struct darc_spool *spool; /* holds long columns in a temporary file; NULL:
                                 they are in memory; owned */
} darc_table;

/* How columns are found and read; all zero is the default. */
typedef struct {
    const char *time_column; /* NULL: "t", "time" or the first whose name
                                says so */
    double rate; /* Hz, where there is no time column; 0: none; it overrides a
                    column that time_column does not name; beside one that it
                    names, it gives the step */
    darc_stamp_form stamps; /* how points in time are written */
    double from, to;        /* part of the recording, s; NAN: all */
    size_t live; /* rows of a block of a stream, whose late rows are dropped:
                    so many on end, then time has gone back; 0: a file */
    int wanted;  /* signals to read; 0: all columns */
    const char *const *want;  /* names as in the model */
    const char *label_column; /* left out where all are read; NULL: none */
    const char *each; /* column whose values are recordings; NULL: none; for who
                         calls darc_parts_init */
    int maps;         /* --map: model name -> column name */
    const char *const *map_name, *const *map_column;
    int scales; /* --scale: model name -> factor */
    const char *const *scale_name;
    const double *scale;
    bool bridge; /* step over short holes (bridge.h) */
    bool sparse; /* rows count that lack some of the values, where all do */
    int units;   /* of the model's signals: values are brought to them */
    const char *const *unit_name, *const *unit;
    size_t memory; /* bytes of columns; what is longer goes to a temporary
                      file in TMPDIR; 0: DARC_TABLE_MEMORY */
} darc_load_options;

/* Set o to the defaults. */
void darc_load_options_init(darc_load_options *o);

/* Set *table to the recording in the file ("-": standard input), by the
 * reader that its ending names (CSV for any other ending).
 * Fails: DARC_IO, also when a temporary file finds no room; DARC_DATA with
 * "file:line:column: error: ..." as darc_reader_next does, and when there is no
 * row without a gap. */
DARC_STATUS darc_table_load(darc_table **table, const char *file,
                            const darc_load_options *options, darc_err *err);
void darc_table_free(darc_table *table);

/* Append the segment begin .. end - 1, joined to the last one if that ends
 * there. */
void darc_table_add_segment(darc_table *table, size_t begin, size_t end);

/* Set the segments to the rows without gaps; a pause over `reach` s ends one
 * too.
 */
void darc_table_find_segments(darc_table *table, double reach);

/* Append what reading has to say. */
void darc_table_remark(darc_table *table, const char *format, ...)
    DARC_PRINTF(2, 3);

/* Return the longest segment; an empty one where there is none. */
darc_segment darc_table_longest(const darc_table *table);

/* Return the first of `most` samples, less than there are, in which signals go
 * a longer way than in others: their steps, each as a share of its own. */
size_t darc_table_liveliest(const darc_table *table, size_t most);

/* Say that samples begin .. end - 1 are not read for a while: columns in a
 * temporary file give their memory back.  Needed for economy alone. */
void darc_table_done(const darc_table *table, size_t begin, size_t end);

/* Return the index of the signal, -1 if there is none. */
int darc_table_find(const darc_table *table, const char *name);

/* Return how sure the derived signal is, NULL for one that is measured. */
const darc_derivation *darc_table_derivation(const darc_table *table,
                                             int unknown);

/* Return whether a and b hold the same samples of the signals a[i] and b[j]
 * (missing ones in the same places): whether one is a copy of the other. */
bool darc_table_is_copy(const darc_table *a, int i, const darc_table *b, int j);

/* Return whether a column has one value throughout. */
bool darc_table_stands_still(const darc_table *table, int column);

/* Return whether a column changes at samples of two sides and nowhere else: it
 * is held. */
bool darc_table_is_held(const darc_table *table, int column);

/* Bring signal i, whose values are in memory, to the unit.
 * Fails: DARC_DATA when that cannot be. */
DARC_STATUS darc_table_convert(darc_table *table, int i, const char *unit,
                               darc_err *err);

/* Return the time of sample i in s. */
double darc_table_time(const darc_table *table, size_t i);

/* ---- bridge: short holes, which sums over samples step over -----------------
 *
 * Recorders lose rows, write signals at several rates into one table (empty
 * cells between), or stamp their rows unevenly.  Such holes do not end a
 * segment: the cells are marked as absent and hold a value on the line between
 * their neighbours, so that there is a number, and nothing is said about the
 * signal there.  The weak form gives absent cells the weight 0.
 */

/* Mark the absent cells of holes of up to DARC_BRIDGE_REACH times the usual
 * spacing of a signal's samples, and join the segments that they part.  Where
 * segments are long as they are, and where columns are in a temporary file,
 * holes stay gaps.  On uneven time longer pauses end segments too.  Does
 * nothing to a table that was bridged before. */
void darc_table_bridge(darc_table *table);

/* Return whether sums over the samples of the table need their times: time is
 * uneven, or cells are absent. */
bool darc_table_is_patchy(const darc_table *table);

/* Return which samples of a signal are absent; NULL: none. */
const unsigned char *darc_table_absent(const darc_table *table, int signal);

/* Return dt, or the usual spacing of uneven times, s. */
double darc_table_step(const darc_table *table);

/* Return the usual spacing of the samples that a signal (-1: the rows) has, s.
 */
double darc_table_spacing(const darc_table *table, int signal);

/* ---- csvout: recordings written as CSV --------------------------------------
 *
 * A header "t [s],a [m/s^2]", then rows of numbers that read back exactly (15,
 * 16 or 17 digits as needed; NAN as an empty cell).  The file appears when it
 * is closed (output.h).
 */

/* Start the file ("-": standard output) with a header of `columns` names and
 * units, "" for none; append a row of `columns` values.
 * Fails: DARC_IO; DARC_DOMAIN for a name or unit with a quote or a newline. */
DARC_STATUS darc_csvout_open(darc_output **out, const char *file, int columns,
                             const char *const *name, const char *const *unit,
                             darc_err *err);
void darc_csvout_row(darc_output *out, int columns, const double *value);

/* Write the table to the file: a header "t [s],u [m],..." and a row a sample.
 * Fails: DARC_IO. */
DARC_STATUS darc_csvout_table(const darc_table *table, const char *file,
                              darc_err *err);

/* ---- samples: a recording from memory, for programs that have it there -----
 */

/* Set *table to a copy; release it with darc_table_free.  Samples that uniform
 * times lack become gaps, as in reader.h.
 * Fails: DARC_DATA when there are no samples, times do not increase, a value
 * is infinite, two signals have one name, or each sample has a gap.
 * Cost: one pass. */
DARC_STATUS darc_table_from_samples(darc_table **table,
                                    const darc_samples *from, darc_err *err);
