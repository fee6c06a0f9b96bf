/* clock.h - which column is the time of a recording, and what it counts. */
#pragma once

#include "data/columns.h"

typedef enum {
    DARC_TIME_COUNTS,   /* seconds, or what the unit says */
    DARC_TIME_HHMMSS,   /* 235959.9 */
    DARC_TIME_DIGITS,   /* 20260131235959 */
    DARC_TIME_CALENDAR, /* a year, with a month and a day in other columns, */
    DARC_TIME_YEARDAY   /* or the day of the year */
} darc_time_code;

enum { DARC_TIME_PARTS = 5 };

/* A column of what goes on within what another one says. */
typedef struct {
    int column;
    double seconds; /* of its unit; a month and a day of a calendar have none;
                       -1: it is hhmm */
} darc_time_part;

typedef struct darc_clock {
    int column, day; /* -1: none; a column of days beside a clock */
    int parts;       /* columns to be added, */
    darc_time_part part[DARC_TIME_PARTS]; /* hours of a day, ms of a second */
    darc_stamp_form form;                 /* of points in time */
    bool stamps, numbers; /* it holds such; no such, but numbers */
    bool turning; /* numbers may be hhmmss: no minute has ended so far */
    double scale; /* to s */
    darc_time_code code;
    double usual; /* spacing of the first rows, s, by which rows may be missing;
                     0: there are none to tell; -1: it is uneven */
    bool may_stand; /* few of the first rows have the time of the one before */
    char *note;     /* what was taken though it is not certain; NULL: nothing;
                       owned */
} darc_clock;

/* Choose the time column: the one that the options name; or by its name, in
 * the languages of Europe, by its unit, by points in time in it.
 * Fails: DARC_DATA for a column that is not there, for none and no rate. */
DARC_STATUS darc_clock_init(darc_clock *clock, const darc_columns *columns,
                            const darc_load_options *o, darc_err *err);
void darc_clock_clear(darc_clock *clock);

/* Return the s that a number of the column means. */
double darc_clock_seconds(const darc_clock *clock, double x);

/* Let the column be hhmmss from x on if a minute ends behind `before`; return
 * what is to be added to times, s. */
double darc_clock_turn(darc_clock *clock, double before, double x);

/* Return the s of the column, or the year there, and of its parts. */
double darc_clock_time(const darc_clock *clock, double x, const double *part);

/* Return whether the column, or a part, is c. */
bool darc_clock_uses(const darc_clock *clock, int c);
