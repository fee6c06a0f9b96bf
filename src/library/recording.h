/* recording.h - a recording of darc/recording.h: a table. */
#ifndef DARC_LIBRARY_RECORDING_H
#define DARC_LIBRARY_RECORDING_H

#include "base/text.h"
#include "darc/recording.h"
#include "data/table.h"

struct darc_recording {
    darc_table *table;    /* owned */
    darc_samples samples; /* points into it */
    darc_text_t text;     /* darc_recording_text */
};

/* Return a recording that owns the table. */
darc_recording *darc_recording_take(darc_table *table);

/* Return the tables of n recordings, to be freed with darc_free. */
const darc_table **
darc_recordings_tables(const darc_recording *const *recording, int n);

#endif
