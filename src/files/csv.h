/* csv.h - the columns and rows of a CSV file, as src/manual/formats.md tells.
 */
#pragma once

#include "base/status.h"
#include "files/number.h"
#include "files/stamp.h"
#include "formats/unitword.h"

#include <string.h>

/* ---- lines: a file as a window of whole lines -------------------------------
 */

typedef struct {
    char *file;        /* for messages; owned */
    int fd;            /* -1: closed */
    char *buffer;      /* owned; 64 bytes behind `end` may be read */
    size_t begin;      /* first byte not yet used: the begin of a line */
    size_t next;       /* begin of the line after that, once it is known */
    size_t whole;      /* end of the last whole line, after its '\n' */
    size_t end;        /* end of the bytes read */
    size_t number;     /* of the line at begin, from 1 */
    bool ended;        /* no more bytes will come */
    bool cut;          /* the last line had no '\n' (one was appended) */
    bool started, mac; /* bytes have come; '\r' ends its lines */
    void *convert;     /* to UTF-8, iconv_t; NULL, -1: the bytes are such */
    char kept[8];      /* bytes of a character whose others are to come */
    size_t keeps;
    char *letters; /* what is to be said of it; NULL: nothing; owned */
    bool known;    /* whether they are */
    bool marked;   /* the file begins with the mark of UTF-8 */
} darc_lines;

/* Open the file ("-": standard input).  Fails: DARC_IO. */
DARC_STATUS darc_lines_open(darc_lines *l, const char *file, darc_err *err);

void darc_lines_close(darc_lines *l);

/* Set *fd to the text of "FILE" or "FILE:SHEET", a workbook or a packed text;
 * to -1 where the file is a text as it is.
 * Fails: DARC_IO; DARC_DATA, also for what is recognised as no text. */
DARC_STATUS darc_sheet_open(int *fd, const char *file, darc_err *err);

/* Provide a line at begin unless the file has ended; then begin == whole.
 * Fails: DARC_IO; DARC_DATA for a line over DARC_MAX_LINE. */
DARC_STATUS darc_lines_fill(darc_lines *l, darc_err *err);

/* Read on, keeping what is there from the first byte on; `whole` stays where
 * the file has ended, or the buffer is full. Fails: DARC_IO. */
DARC_STATUS darc_lines_more(darc_lines *l, darc_err *err);

/* Record "file:line:column: error: ..." for the line at begin. */
DARC_STATUS darc_lines_fail(const darc_lines *l, size_t column, darc_err *err,
                            const char *format, ...) DARC_PRINTF(4, 5);

/* A column of points in time. */
typedef struct {
    int column;           /* -1: none */
    darc_stamp_form form; /* as far as it is known */
    bool any;             /* there was one */
    int days;             /* that named theirs: with two, all do */
    bool numbers;         /* the first rows have numbers: no such points */
    bool whole;           /* a day stands beside: the clock begins anew */
    bool by_month;        /* how the last day was read */
    bool chosen;          /* which is no proof */
    bool yearless, pair, counted; /* as in darc_stamp */
    int64_t first, last;          /* ns; */
    int64_t other;                /* the last, read the other way; */
    int64_t third;                /* as 26/01/31, if it can be: */
    bool by_year;
} darc_csv_clock;

/* A cell as it stands: without blanks around it and without quotes. */
typedef struct {
    const char *s;
    size_t n;
    bool quoted;
    bool scaled; /* a prefix may end it: "2.5 k", of which V was taken off; */
    bool bare;   /* no unit stood there, and M is no mega */
    bool lacks;  /* others have a unit that may be a prefix: 2 among 3m */
} darc_cell;

static inline darc_cell darc_cell_of(const char *s, size_t n)
{
    return (darc_cell){.s = s, .n = n};
}

/* What cells are. */
typedef enum {
    DARC_CELL_GAP,
    DARC_CELL_NUMBER,
    DARC_CELL_STAMP,
    DARC_CELL_WORD,
    DARC_CELL_KINDS
} darc_cell_kind;

/* What the first rows have in a column. */
typedef struct {
    unsigned gaps, numbers, words, stamps; /* cells */
    unsigned dates, clocks;                /* of the stamps: no clock, no day */
    unsigned pairs;                        /* of the clocks: two numbers */
    bool minutes;                          /* these are minutes and seconds */
    unsigned dotted; /* of the stamps: 23.59.59, which may be days; */
    int turns;       /* changes of their last number, less of the first */
    char last[9];    /* of them */
    unsigned places, zeros; /* most digits of a second's fraction; least of
                               those that end in 0, if there are more */
    bool back;              /* they fall within a second */
    int falls, most; /* of the seconds of 1:02:03:04: they fall; the most */
    int64_t ns;      /* of the last */
} darc_csv_look;

/* Cells of a column that are no numbers though others are. */
typedef struct {
    size_t cells, line; /* of the first */
    char text[32];
    char *message; /* what an error would say; owned */
} darc_csv_odd;

typedef struct {
    darc_lines lines;
    char separator;  /* ' ': runs of blanks and tabs; DARC_CSV_WIDE: those
                        of two blanks or a tab at least */
    char point;      /* of decimals */
    bool point_sure; /* a cell has shown it */
    bool named;      /* the file has a header */
    bool again;      /* it has stood there once more: who reads it clears */
    char *run;       /* the first word of a line that begins a run; NULL: there
                        is none; owned */
    bool live;       /* what is to come is not waited for */
    bool begun;      /* there was a row */
    size_t rest;     /* number of the line from which on there is none; 0:
                        the table ends with the file */
    bool cut_off;    /* that line ends the file, within a number */
    size_t sure;     /* number of a line that is known to be a row */
    bool rows_named; /* R: the first column holds quoted names of rows, and has
                        no name */
    bool ragged;     /* the last cell stands in the first row alone */
    bool bracketed;  /* rows stand in "[ ... ; ... ]" */
    bool joins;      /* a blank parts days from clocks below one name */
    bool signs;      /* blanks part signs, both + and -, from digits */
    size_t first_byte, first_line; /* of what stands above the rows */
    size_t header_line;       /* number of the line that fixed the columns */
    int columns, widest;      /* most rows have so many cells; 0: not known */
    int beside;               /* columns in front that hold settings */
    int levels;               /* that have neither names nor values: lines that
                                 have some there are no rows, but of a level above */
    size_t level_line, above; /* the first of them; how many there were */
    char **name, **unit;      /* of the columns; owned */
    char **prefix, **suffix;  /* what stands before, behind all numbers of a
                                 column; NULL: nothing; owned */
    bool keys_differ;         /* in a column */
    bool vertical;            /* names stood one below the other */
    bool keyed;               /* columns have names of the former: "u=2.1" */
    double step, start; /* of time, s, as settings have them; 0, NAN: none */
    double count;       /* of values, likewise; 0: not told */
    size_t step_line;
    double told; /* a rate in words above, Hz; 0: none */
    size_t told_line;
    char *step_name;         /* owned */
    const int *slot;         /* of column c: place in a row, -1: not used; set
                                by who reads rows; NULL: none is; not owned */
    darc_csv_clock clock[2]; /* what may hold points in time: read as s since
                                the first; and what holds days beside it */
    darc_csv_odd *odd; /* of columns where odd cells are gaps; NULL: they are
                          errors; owned */
    size_t odd_line;   /* of the last such cell */
    int pick;          /* rows alone count that have a value in this column; -1:
                          all do */
    char *picked;      /* the value; owned */
    bool alone;        /* the first rows have no other */
    bool lacks;        /* a column has a unit that may be a prefix */
    size_t passed;     /* rows of others */
    bool grouped, decimals; /* the mark in a number may part thousands; others
                               show that it does not */
    darc_csv_odd infinite;  /* values beyond the range of a sensor: gaps */
    darc_csv_odd scaled;    /* numbers with a prefix */
} darc_csv;

#define DARC_CSV_WIDE '\v'
/* The same, or one behind a bracket that closes: T (K) Heat flux (W/m^2). */
#define DARC_CSV_CLOSED '\f'

/* Open the file and find its table.  No column is used yet.  `live`: rows come
 * while they are read; two are enough to know the table by. */
DARC_STATUS darc_csv_open(darc_csv *csv, const char *file, bool live,
                          darc_err *err);
void darc_csv_close(darc_csv *csv);

/* Set value[slot[c]] to the cell of column c for every used column, NAN for
 * a gap, and go on to the next row.  *row is false at the end of the table,
 * below which only text may stand, or the begin of a row.
 * Before the step `lines` stands at the row, for messages: call
 * darc_csv_next when done with it. */
DARC_STATUS darc_csv_row(darc_csv *csv, double *value, bool *row,
                         darc_err *err);

/* Set look[c] to what the first rows have in column c. */
void darc_csv_look_at(darc_csv_look *look, darc_csv *csv);

/* Return a number for the text of the cell, NAN where it is empty; all its
 * letters count. */
double darc_csv_text_number(const darc_cell *cell);

/* Set x to the values of column c in the first rows, NAN where there is none;
 * return how many rows: up to n of those that are in memory.  Points in time
 * are read by the form; NULL: numbers for the texts. */
size_t darc_csv_first(double *x, size_t n, darc_csv *csv, int c,
                      const darc_stamp_form *form);

/* Return whether the line at hand ends the file without an end of its own,
 * within a number: it lacks the mark or the unit that ends the rows above; it
 * has fewer digits than the rows above, which have as many each, or none, or
 * not the power that they have; or, of whole numbers, would be nearer to the
 * one above with as many. */
bool darc_csv_is_cut(const darc_csv *csv);

/* Leave the row that darc_csv_row has read. */
void darc_csv_next(darc_csv *csv);

/* Return the place of column c in the line at hand, from 1. */
size_t darc_csv_place(const darc_csv *csv, int c);

/* Return whether c is a blank or a tab; take such marks around the cell off;
 * return whether c begins a comment; the end of the line that begins at s,
 * before "\n" or "\r\n". */
bool darc_csv_is_blank(char c);
void darc_csv_trim(darc_cell *cell, const char *marks);
static inline bool darc_csv_is_hash(char c)
{
    return c == '#' || c == '%';
}
const char *darc_csv_line_end(const char *s, const darc_csv *csv);

/* Return whether there are only separators up to the end. */
static inline bool darc_csv_is_bare(const char *s, const char *end)
{
    return s + strspn(s, ",;|\t ") >= end;
}

/* Leave out a comment from # on, which stands first or behind a blank. */
void darc_csv_uncomment(darc_cell *cell);

/* Set *cell to the cell at *s of the line that ends at end ('\n'), and *s
 * behind its separator, to NULL after the last cell.
 * Fails: DARC_DATA for an open quote or a cell over DARC_MAX_FIELD. */
DARC_STATUS darc_csv_cell(darc_cell *cell, const char **s, const char *end,
                          const darc_csv *csv, darc_err *err);

/* The same, a unit in brackets behind a name and blanks belonging to it. */
DARC_STATUS darc_csv_head_cell(darc_cell *cell, const char **s, const char *end,
                               const darc_csv *csv, darc_err *err);

/* Return whether the line at s is blank, a comment, of a level above or not
 * picked; is of a level above; names the
 * columns again: a logger has begun anew. */
bool darc_csv_is_comment(const darc_csv *csv, const char *s);
bool darc_csv_is_above(const darc_csv *csv, const char *s);
bool darc_csv_is_header(const darc_csv *csv, const char *s);

/* Blank out the brackets of a matrix and what parts its rows. */
void darc_csv_unbracket(char *s, const char *end);

/* Set *cell to that of column c in the line at s, empty if it has none; return
 * how many cells there are. */
int darc_csv_find(darc_cell *cell, const darc_csv *csv, const char *s, int c);

/* Set *x to the point in time in the cell, s since the first one; false: it is
 * none.  Where they do not name the day, midnight comes when the clock falls by
 * more than half a day; likewise the end of an hour, of a year. */
bool darc_csv_stamp(double *x, const darc_cell *cell, darc_csv_clock *clock);

/* Return the bytes of a sign and the blanks that part it from its digits; 0:
 * none do. */
size_t darc_csv_sign(const char *s, const char *end);

/* See whether the number, "1,202" or, where semicolons part, "1.202", may be
 * 1202. */
void darc_csv_see_group(darc_csv *csv, const darc_cell *cell);

/* Set *x to the number in the cell, NAN for a gap; false if it is neither. */
bool darc_csv_number(double *x, const darc_cell *cell, darc_csv *csv);

/* Return what the cell is; set *stamp to the point in time in it. */
darc_cell_kind darc_csv_kind(darc_stamp *stamp, const darc_cell *cell,
                             darc_csv *csv);

/* Let the cell be the name, and perhaps the unit, of column c. */
void darc_csv_name(darc_csv *csv, int c, const darc_cell *cell);

/* Name the columns, which have no line of names, by lines one below the other,
 * before `limit`; csv->vertical tells whether there were any. */
void darc_csv_name_vertically(darc_csv *csv, const char *limit);

/* Return what stands behind "VARIABLES =" at s, NULL: it is not there. */
const char *darc_csv_variables(const char *s);

/* Return where the number at the begin of the cell ends and something follows
 * that may be its unit; 0: nowhere. */
size_t darc_csv_behind_number(const darc_cell *cell);

/* Return what a prefix of units, or "MEG", means; 0: it is none. */
double darc_csv_prefix(const char *s, size_t n);

/* Return the bytes of a key before a value, "u=" or "u:"; 0: there is none. */
size_t darc_csv_key(const darc_cell *cell);

/* Let csv->prefix, and names, be the keys of the first rows, csv->suffix, and
 * units that are not known, what stands behind the numbers, less a prefix where
 * that changes: "21.5 °C", "998 W", "1.02 kW", "10u"; take both off a cell of
 * column c. */
void darc_csv_find_affixes(darc_csv *csv);
void darc_csv_strip(darc_cell *cell, const darc_csv *csv, int c);

/* Return whether the cell is empty, or what loggers write for a missing sample;
 * what they write for an infinite one, and, if `failed`, words for one that
 * failed, which may be names, too; the word, in any case; what stands in
 * brackets. */
bool darc_csv_is_gap(const darc_cell *cell);
bool darc_csv_is_infinite(const darc_cell *cell, bool failed);
bool darc_csv_is_word(const darc_cell *cell, const char *word);
bool darc_csv_is_framed(const darc_cell *cell);

/* Return 1 where the cell says that names follow, 0: units, -1: neither. */
int darc_csv_label(const darc_cell *cell);

/* Take "Unit:" off the cell and return 0; return 1 where another such word says
 * that what follows is neither a name nor a unit, -1: there is none. */
int darc_csv_untag(darc_cell *cell);

/* What a setting of that name tells of time, and of values in all. */
typedef enum {
    DARC_SETTING_NONE,
    DARC_SETTING_STEP,
    DARC_SETTING_MICROS,
    DARC_SETTING_RATE,
    DARC_SETTING_START,
    DARC_SETTING_COUNT
} darc_setting;
darc_setting darc_csv_setting(const darc_cell *cell);

/* Keep a rate in the line, "at 100 Hz", which nothing says is that of the rows;
 * keep the settings of the line at s, whose number is given: "key, value",
 * "key: value", "key = value", or the value below the key, before `limit`. */
void darc_csv_read_told(darc_csv *csv, const char *s, const char *end,
                        size_t number);
void darc_csv_read_settings(darc_csv *csv, const char *s, const char *limit,
                            size_t number);

/* What the lines at the beginning say.  Lines are offsets into the buffer of
 * csv->lines, which stands at the first. */
typedef struct {
    size_t names, units, data;    /* names, units == data: there is none */
    size_t between;               /* a line that begins a run; data: none */
    size_t names_line, data_line; /* their numbers */
    int columns;                  /* of the rows; 0: as many as names */
    double rate;                  /* told by rows above, Hz; 0: not */
    int widest;                   /* most rows have so many cells; 0: none */
    int beside;                   /* of them: settings beside the rows */
    char names_separator, separator;
    bool bracketed, joins;           /* as of darc_csv */
    size_t first, name, unit, aside; /* the same, as the finder counts them */
    bool are_units;                  /* the names may be units */
    bool labelled; /* what has the name of the first column has none */
    bool ragged;   /* the first row has a cell more than others */
    int levels;    /* columns in front that are empty in all rows */
} darc_csv_layout;

/* Find the rows, and names and units above them.
 * Fails: DARC_IO; DARC_DATA for a file without data. */
DARC_STATUS darc_csv_lay_out(darc_csv_layout *x, darc_csv *csv, darc_err *err);
