/* recording.h - a recording of darc/recording.h: a table. */
#pragma once

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
