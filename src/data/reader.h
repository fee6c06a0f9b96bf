/* reader.h - recordings read block by block, in constant memory.
 *
 *     darc_reader_open(&r, "run.csv", &options, err);
 *     do { darc_reader_next(r, &block, err); use block; }
 *     while (block.samples > 0);
 *     darc_reader_close(r);
 *
 * src/manual/formats.md tells the formats.  Besides: rows that a uniform series
 * of times lacks are gaps as long as there are no more of them than four for
 * each row; where the time cell itself is a gap, the row is one, and its time
 * continues the step before it.  "FILE[10:60]" is the part of a recording from
 * 10 to 60 s.
 */
#pragma once

#include "data/columns.h"
#include "files/csv.h"

typedef struct darc_reader darc_reader;

/* Consecutive samples; pointers are valid until the next call. */
typedef struct {
    size_t samples;             /* 0: the recording has ended */
    const double *time;         /* s, increasing */
    const double *const *value; /* value[i][t] of signal i; NAN in a gap; time
                                   behind the last one */
    bool gaps;                  /* whether some value is NAN */
} darc_block;

/* Start reading the file ("-": standard input); everything that the options
 * and the header decide is settled here.
 * Fails: DARC_IO; DARC_DATA with "file:line:column: error: ..." for a header
 * that cannot be read, a column that is not there, an option that names
 * nothing, no time column and no rate. */
DARC_STATUS darc_reader_open(darc_reader **reader, const char *file,
                             const darc_load_options *options, darc_err *err);
void darc_reader_close(darc_reader *reader);

/* Set *block to the next samples between --from and --to.
 * Fails: DARC_IO; DARC_DATA with the place: a cell that is no number, rows
 * of different length, time that does not increase, NUL bytes,
 * lines or cells beyond the limits. */
DARC_STATUS darc_reader_next(darc_reader *reader, darc_block *block,
                             darc_err *err);

/* Return whether all columns are read. */
bool darc_reader_takes_all(const darc_reader *reader);

int darc_reader_signals(const darc_reader *reader);
const darc_taken *darc_reader_signal(const darc_reader *reader, int signal);

/* Return the n samples in whose place two rows of one time stood; they belong
 * to the caller from then on. */
size_t *darc_reader_take_sides(size_t *n, darc_reader *reader);

/* Return the number of data rows read so far. */
size_t darc_reader_rows(const darc_reader *reader);

/* Return the step in s if all samples so far lie within 1e-6 of a step (or 1e-6
 * s, up to 1e-4 of a step) from t0 + i dt (and the rounding of the times as
 * doubles); else 0. */
double darc_reader_dt(const darc_reader *reader);

/* Return what stands in a signal's column that is no number, where all columns
 * are read; NULL: nothing. */
const darc_csv_odd *darc_reader_odd(const darc_reader *reader, int signal);

/* Remark in the table what is worth knowing of how the file was read. */
void darc_reader_tell(const darc_reader *reader, darc_table *table);

/* ---- grid: is a series of times uniform?  Decided one time after another.
 * ----
 *
 * Times t_i are uniform when some dt keeps |t_i - (t_0 + i dt)| <= tol_i
 * for all i, tol_i = the rounding of t_i plus 1e-6 dt, or up to 1e-6 s where
 * that is less than 1e-4 dt; or half a digit, where times are written with few
 * (all are multiples of 10^-k, dt is not) and that is less than a sixteenth of
 * dt.  Then t_0 is rounded too: places around the first time are tried for it.
 * Each i bounds dt from both sides; low .. high is the intersection so far.
 */

enum { DARC_GRID_PLACES = 9 };

typedef struct {
    size_t count;
    double first, last;
    double tolerance; /* apart from rounding, s */
    double digit;     /* 10^-k of which all times are multiples; 0: none */
    double decade;    /* power of 10 at or below the last time */
    double share;     /* 10^-k of whose decades all times are multiples: k + 1
                         digits as %g prints; 0: none */
    bool is_double;   /* not all times are floats of single precision */
    double step;      /* s, on the average */
    double half;      /* of the last digit of the first time, where it counts */
    double low[DARC_GRID_PLACES], high[DARC_GRID_PLACES]; /* bounds of dt, s,
                                                             for each t_0 */
    int place;     /* of t_0, the middle one possible; -1: not uniform */
    double usual;  /* the step that most times have, s, by which some may be
                      missing; 0: not known, -1: none are */
    size_t filled; /* of the times, by darc_grid_fill */
} darc_grid;

void darc_grid_init(darc_grid *g);

/* Append the time t > the last one. */
void darc_grid_append(darc_grid *g, double t);

/* Return how many times are missing between the last one and t if all are
 * those of one uniform series; 0 also where they are not, or where they would
 * be too many for the rows that were read. */
size_t darc_grid_missing(const darc_grid *g, double t, size_t rows);

/* Append those that are missing before t, and t; return its place. */
size_t darc_grid_add(darc_grid *g, double t, size_t rows);

/* Append the first of `missing` times before t; return it, or NAN, and append
 * nothing, where rounding leaves no number between. */
double darc_grid_fill(darc_grid *g, size_t missing, double t);

/* Return the step, 0 if the times are not uniform or fewer than two. */
double darc_grid_step(const darc_grid *g);
