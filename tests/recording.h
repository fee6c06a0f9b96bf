/* recording.h - recordings for tests, written to a file of their own. */
#ifndef DARC_TESTS_RECORDING_H
#define DARC_TESTS_RECORDING_H

#include "data/table.h"

#include <stddef.h>

/* Set *table to what darc_table_load makes of the text. */
darc_status recording_load(darc_table **table, const char *text, size_t size,
                           const darc_load_options *options, darc_err *err);

#endif
