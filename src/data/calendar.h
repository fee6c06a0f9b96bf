/* calendar.h - time that stands in several columns: a year, a month, ..., a
 * second; a day and an hour; points in time that stand still and what goes on
 * within them. */
#pragma once

#include "data/clock.h"

/* What the first rows of a column say of it as time. */
typedef struct {
    darc_column_look look;
    size_t rows, n, still, back; /* rows; with a value; as before, less */
    double first, last, step;
} darc_pace;

/* Set p to the pace of column c, x, if any, to the values that there are, of
 * DARC_CLOCK_ROWS.  Fails: DARC_IO, as columns do. */
DARC_STATUS darc_pace_read(darc_pace *p, double *x, const darc_columns *columns,
                           int c, darc_err *err);

/* Return whether the column holds points in time. */
bool darc_column_is_stamped(const darc_column_look *look);

/* Set k->column and k->part, if columns are those of a calendar by their names
 * and by what the first rows hold; of_day: a column of parts of a day; -1. */
DARC_STATUS darc_calendar_find(darc_clock *k, int of_day,
                               const darc_columns *columns, darc_err *err);

/* Append to k->part the columns that count what goes on within the points in
 * time x of p, s, and add what they say: hours of a day, ms. */
DARC_STATUS darc_calendar_add(darc_clock *k, darc_pace *p, double *x,
                              const darc_columns *columns, darc_err *err);

/* The same where x is what the column says and k may have the parts. */
DARC_STATUS darc_calendar_read(darc_clock *k, darc_pace *p, double *x,
                               const darc_columns *columns, darc_err *err);
