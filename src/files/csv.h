/* csv.h - the columns and rows of a CSV file, as src/manual/formats.md tells.
 */
#pragma once

#include "darc/status.h"
#include "files/number.h"

/* ---- lines: a file as a window of whole lines -------------------------------
 */

typedef struct {
    char *file;    /* for messages; owned */
    int fd;        /* -1: closed */
    char *buffer;  /* owned; 64 bytes behind `end` may be read */
    size_t begin;  /* first byte not yet used: the begin of a line */
    size_t next;   /* begin of the line after that, once it is known */
    size_t whole;  /* end of the last whole line, after its '\n' */
    size_t end;    /* end of the bytes read */
    size_t number; /* of the line at begin, from 1 */
    bool ended;    /* no more bytes will come */
    bool cut;      /* the last line had no '\n' (one was appended) */
    int wide;      /* the file is in UTF-16: 1 begins with the low byte, 2 with
                      the high one */
    bool started, mac;  /* bytes have come; '\r' ends its lines */
    unsigned char half; /* the first byte of a unit whose second is to come */
    bool halved;
} darc_lines;

/* Open the file ("-": standard input).  Fails: DARC_IO. */
DARC_CHECKED darc_status darc_lines_open(darc_lines *l, const char *file,
                                         darc_err *err);

void darc_lines_close(darc_lines *l);

/* Set *fd to the text of "FILE" or "FILE:SHEET", a workbook or a packed text;
 * to -1 where the file is a text as it is.
 * Fails: DARC_IO; DARC_DATA, also for what is recognised as no text. */
DARC_CHECKED darc_status darc_sheet_open(int *fd, const char *file,
                                         darc_err *err);

/* Provide a line at begin unless the file has ended; then begin == whole.
 * Fails: DARC_IO; DARC_DATA for a line over DARC_MAX_LINE. */
DARC_CHECKED darc_status darc_lines_fill(darc_lines *l, darc_err *err);

/* Read on, keeping what is there from the first byte on; `whole` stays where
 * the file has ended, or the buffer is full. Fails: DARC_IO. */
DARC_CHECKED darc_status darc_lines_more(darc_lines *l, darc_err *err);

/* Record "file:line:column: error: ..." for the line at begin. */
DARC_CHECKED darc_status darc_lines_fail(const darc_lines *l, size_t column,
                                         darc_err *err, const char *format, ...)
    DARC_PRINTF(4, 5);

typedef struct {
    darc_lines lines;
    darc_pow5 pow5;
    char separator;     /* ' ': runs of blanks and tabs; DARC_CSV_WIDE: those
                           of two blanks or a tab at least */
    char point;         /* of decimals */
    bool point_sure;    /* a cell has shown it */
    bool named;         /* the file has a header */
    bool again;         /* it has stood there once more: who reads it clears */
    bool live;          /* what is to come is not waited for */
    bool begun;         /* there was a row */
    size_t rest;        /* number of the line from which on there is none; 0:
                           the table ends with the file */
    bool bracketed;     /* rows stand in "[ ... ; ... ]" */
    size_t header_line; /* number of the line that fixed the columns */
    int columns;
    char **name, **unit; /* of the columns; owned */
    const int *slot;     /* of column c: place in a row, -1: not used; set by
                            who reads rows; not owned */
    int stamped;         /* column that may hold points in time (stamp.h), read
                            as s since the first; -1: none */
    bool stamps;         /* it does */
    int64_t first, last; /* of them, ns */
} darc_csv;

#define DARC_CSV_WIDE '\v'

/* Open the file and read its header.  No column is used yet. */
DARC_CHECKED darc_status darc_csv_open(darc_csv *csv, const char *file,
                                       darc_err *err);
void darc_csv_close(darc_csv *csv);

/* Set value[slot[c]] to the cell of column c for every used column, NAN for
 * a gap, and go on to the next row.  *row is false at the end of the table,
 * below which only text may stand, or the begin of a row.
 * Before the step `lines` stands at the row, for messages: call
 * darc_csv_next when done with it. */
DARC_CHECKED darc_status darc_csv_row(darc_csv *csv, double *value, bool *row,
                                      darc_err *err);

/* Read a row of numbers at s without gaps, quotes or comments, as
 * darc_csv_row does; return its end, NULL when it is not one. */
const char *darc_csv_fast_row(const darc_csv *csv, const char *s,
                              double *value);

/* Set x to the values of column c in the first rows, NAN in a gap,
 * infinite where text stands; return how many rows: up to n of those that are
 * in memory. */
size_t darc_csv_first(double *x, size_t n, darc_csv *csv, int c);

/* Leave the row that darc_csv_row has read. */
void darc_csv_next(darc_csv *csv);

/* Return the place of column c in the line at hand, from 1. */
size_t darc_csv_place(const darc_csv *csv, int c);

/* Return whether c is a blank or a tab, whether it begins a comment; the end of
 * the line that begins at s, before "\n" or "\r\n". */
bool darc_csv_is_blank(char c);
static inline bool darc_csv_is_hash(char c)
{
    return c == '#' || c == '%';
}
const char *darc_csv_line_end(const char *s, const darc_csv *csv);

/* A cell as it stands: without blanks around it and without quotes. */
typedef struct {
    const char *s;
    size_t n;
    bool quoted;
} darc_cell;

/* Leave out a comment from # on, which stands first or behind a blank. */
void darc_csv_uncomment(darc_cell *cell);

/* Set *cell to the cell at *s of the line that ends at end ('\n'), and *s
 * behind its separator, to NULL after the last cell.
 * Fails: DARC_DATA for an open quote or a cell over DARC_MAX_FIELD. */
DARC_CHECKED darc_status darc_csv_cell(darc_cell *cell, const char **s,
                                       const char *end, const darc_csv *csv,
                                       darc_err *err);

/* The same, a unit in brackets behind a name and blanks belonging to it. */
DARC_CHECKED darc_status darc_csv_head_cell(darc_cell *cell, const char **s,
                                            const char *end,
                                            const darc_csv *csv, darc_err *err);

/* Set *x to the number in the cell, NAN for a gap; false if it is neither. */
bool darc_csv_number(double *x, const darc_cell *cell, darc_csv *csv);

/* What the lines at the beginning say.  Lines are offsets into the buffer of
 * csv->lines, which stands at the first. */
typedef struct {
    size_t names, units, data;    /* names, units == data: there is none */
    size_t names_line, data_line; /* their numbers */
    int columns;                  /* of the rows; 0: as many as names */
    char names_separator, separator;
    bool bracketed;
} darc_csv_layout;

/* Find the line of names, a line of units below it, and the first row; what is
 * above the names is skipped.  Where nothing of that sort is seen the names are
 * the first line.
 * Fails: DARC_IO; DARC_DATA for a file without data. */
DARC_CHECKED darc_status darc_csv_lay_out(darc_csv_layout *x, darc_csv *csv,
                                          darc_err *err);

/* Return whether the n characters at s look like a unit; whether the cell
 * stands in brackets. */
bool darc_csv_is_unit(const char *s, size_t n);
bool darc_csv_is_framed(const darc_cell *cell);

/* ---- stamp: points in time as loggers write them
 * ----------------------------- */

typedef struct {
    int64_t ns; /* since 1970-01-01, or since midnight; zones are taken off */
    bool day;   /* whether it names the day */
} darc_stamp;

/* Read [day][T][time][zone]; day: 2026-01-31, 2026/01/31,
 * 20260131T, 31.01.2026, 31-Jan-2026, 31/01/2026, or 01/31/2026 before a clock
 * of 12 hours or where no month is so high; time: 23:59[:59[.999]] or 11:59:59
 * PM, 235959, the mark may be a comma or colon; zone: Z, UTC, +01:00, +0100.
 * Return false when the n characters at s are none, or of a day before 1824 or
 * behind 2115. */
bool darc_stamp_read(darc_stamp *stamp, const char *s, size_t n);
