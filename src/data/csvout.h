/* csvout.h - writing recordings as CSV: a header "t [s],a [m/s^2]", then
 * rows of numbers that read back exactly (15, 16 or 17 digits as needed;
 * NAN as an empty cell).  The file appears when it is closed (output.h).
 */
#ifndef DARC_DATA_CSVOUT_H
#define DARC_DATA_CSVOUT_H

#include "data/table.h"

typedef struct darc_csvout darc_csvout;

/* Start the file ("-": standard output) with a header of `columns` names and
 * units; unit, or an entry of it, may be NULL or "".
 * Fails: DARC_IO; DARC_DOMAIN for a name or unit with a quote or a newline. */
DARC_CHECKED darc_status darc_csvout_open(darc_csvout **out, const char *file,
                                          int columns, const char *const *name,
                                          const char *const *unit,
                                          darc_err *err);

/* Append a row of `columns` values. */
void darc_csvout_row(darc_csvout *out, const double *value);

/* Finish the file.  out is freed.  Fails: DARC_IO, for any row. */
DARC_CHECKED darc_status darc_csvout_close(darc_csvout *out, darc_err *err);

/* Write the table to the file: a header "t [s],u [m],..." and a row a sample.
 * Fails: DARC_IO. */
DARC_CHECKED darc_status darc_csvout_table(const darc_table *table,
                                           const char *file, darc_err *err);

#endif
