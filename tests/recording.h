/* recording.h - recordings for tests, from text or from memory. */
#ifndef DARC_TESTS_RECORDING_H
#define DARC_TESTS_RECORDING_H

#include "data/table.h"

#include <stddef.h>

/* Set *table to what darc_table_load makes of the text. */
darc_status recording_load(darc_table **table, const char *text, size_t size,
                           const darc_load_options *options, darc_err *err);

/* Return a recording of so many signals, `samples` values each, at that rate,
 * Hz. */
darc_table *recording_of(size_t samples, double rate, int signals,
                         const char *const *name, const double *const *value);

#endif
