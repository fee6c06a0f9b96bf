/* samples.h - a recording from memory, for programs that have it there. */
#ifndef DARC_DATA_SAMPLES_H
#define DARC_DATA_SAMPLES_H

#include "darc/recording.h"
#include "data/table.h"

/* Set *table to a copy; release it with darc_table_free.  Samples that uniform
 * times lack become gaps, as in reader.h.
 * Fails: DARC_DATA when there are no samples, times do not increase, a value
 * is infinite, two signals have one name, or each sample has a gap.
 * Cost: one pass. */
DARC_CHECKED darc_status darc_table_from_samples(darc_table **table,
                                                 const darc_samples *from,
                                                 darc_err *err);

#endif
