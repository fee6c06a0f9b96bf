/* reader_state.h - what a reader holds, for the sources of it alone. */
#pragma once

#include "data/arrayfile.h"
#include "data/clock.h"
#include "data/reader.h"
#include "files/csv.h"

/* Values of a signal that may stand for missing ones, and the range of the
 * others. */
typedef struct {
    size_t count;
    double value, low, high;
    char text[24]; /* how the first is written, in a text */
} darc_fillers;

struct darc_reader {
    darc_csv csv;
    darc_arrayfile source; /* in place of csv */
    bool arrays;           /* whether it is */
    const double **at;     /* of slot s: the next value of the source; owned */
    size_t left;           /* values there */
    size_t skipped;        /* rows of the source without the value, */
    int pick;              /* in this column; -1: all count */
    double picked;
    int *slot_of; /* of column c of the file, -1: not used; owned */
    darc_clock clock;
    darc_selection take;
    int *slot;      /* of signal i in a row; several signals may share one */
    int slots;      /* time, if a column, is the last of them */
    double *row;    /* slots cells */
    double **value; /* (signals + 1) * BLOCK; owned */
    darc_fillers *fillers; /* of the signals; owned */
    double *time;          /* the last of them */
    double rate, from, to;
    size_t rows;       /* read */
    double last, step; /* time and time step of the last row, s */
    double raw;        /* the number in its time column */
    bool timed;        /* there was a row with a time */
    darc_grid grid;    /* of the samples given out */
    size_t missing;    /* samples to put before the row that is held */
    double held;       /* the time of that row */
    bool paced;        /* the rate gives the step, the time column the order */
    double began, now; /* the column's first and last time, s */
    bool ended;
    size_t kept; /* place in the block of a sample for the next one; 0: none */
    bool kept_gaps;
    size_t live;         /* as in the options */
    bool all;            /* no signal was named */
    size_t late;         /* rows dropped since the last one */
    darc_csv_look *look; /* of the columns of csv; owned */
    double start;        /* of time, where there is no column, s */
    double first, shift; /* time of the recording's first row; what was added to
                            times that went back */
    size_t still, anew;  /* rows with the time of the one before; that begin a
                            recording, */
    size_t still_line, back_line; /* where the first of them stands */
    size_t sides, room, *side;    /* samples whose time two rows have; owned */
    bool again, apart;            /* the row at hand is one */
    size_t set, set_line;         /* times that a clock was set, where first */
    char *parted_by; /* column by which rows are of several recordings, known
                        where a time was not later; NULL: none; owned */
};

/* Return whether rows of the table, which has no names, begin with theirs: one
 * is the time. */
bool darc_reader_is_turned(const darc_csv *csv);

/* As in darc_columns, which may be asked of the row at hand too, where the
 * time's column has *t; NULL: of the first ones alone. */
char *darc_reader_propose(void *user, int column, darc_stamp_form form,
                          const double *t);

/* See a value of the file: a number that loggers write for a missing one?
 * Return whether it is the first. */
bool darc_fillers_see(darc_fillers *f, double x);

/* Keep how the first is written, in the line behind which a text stands. */
void darc_fillers_quote(darc_fillers *f, const darc_csv *csv, int column);

/* Settle what a time *t says that is not later than the one before: *known is
 * false where the row counts no more; a recording begins anew with another *t.
 * Fails: DARC_DATA. */
DARC_STATUS darc_reader_step_back(darc_reader *r, double *t, bool *known,
                                  darc_err *err);

/* Take out of the time *t of the row at hand, s, by what the clock was set
 * then: an hour, as summer time begins or ends. */
void darc_reader_set_clock(darc_reader *r, double *t);

/* Fail where the time of the row at hand, s, is too large to be added to. */
DARC_STATUS darc_reader_check_time(const darc_reader *r, double t,
                                   darc_err *err);

/* As in darc_columns; user is the reader. */
darc_status darc_reader_look(darc_column_look *look, void *user, int c,
                             darc_err *err);
darc_status darc_reader_first(double *x, size_t *n, void *user, int c,
                              darc_stamp_form form, darc_err *err);

/* Fail where the values that are taken belong to several signals, which another
 * column names: rows of "PID;VALUE". */
DARC_STATUS darc_reader_refuse_mixed(darc_reader *r, darc_err *err);
