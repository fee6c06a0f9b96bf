/* recording.h - writing a recording as CSV. */
#ifndef DARC_SIMULATE_RECORDING_H
#define DARC_SIMULATE_RECORDING_H

#include "data/table.h"

/* Write the table to file ("-": standard output): a header "t [s],u [m],..."
 * and a line a sample; every number reads back as it was.
 * Fails: DARC_IO. */
DARC_CHECKED darc_status darc_recording_write(const darc_table *table,
                                              const char *file, darc_err *err);

#endif
