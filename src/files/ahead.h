/* ahead.h - a second thread that reads the next window of a CSV file and
 * parses its plain rows, while the first one uses those of this window. */
#ifndef DARC_FILES_AHEAD_H
#define DARC_FILES_AHEAD_H

#include "files/csv.h"

typedef struct darc_ahead darc_ahead;

/* Return a worker for rows of `slots` cells; NULL where it would not pay (a
 * file that is already in the window, a pipe) or there is no thread.  From
 * here on darc_ahead_fill takes the place of darc_lines_fill. */
darc_ahead *darc_ahead_new(darc_csv *csv, int slots);
void darc_ahead_free(darc_ahead *a);

/* Provide the next window once begin == whole; as darc_lines_fill. */
DARC_CHECKED darc_status darc_ahead_fill(darc_ahead *a, darc_err *err);

/* If the row at hand was parsed ahead, set value[], mark its end, and return
 * true. */
bool darc_ahead_row(darc_ahead *a, double *value);

#endif
