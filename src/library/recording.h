/* recording.h - what the library and the program know of its objects. */
#pragma once

#include "archive/fleet.h"
#include "base/text.h"
#include "darc/drift.h"
#include "darc/recording.h"
#include "data/table.h"

struct darc_recording {
    darc_table *table;    /* owned, */
    char *bytes;          /* or NULL: in these, which a child has said; owned */
    darc_samples samples; /* points into it */
    darc_text_t text;     /* darc_recording_text */
};

/* Let the fleet, which must stay, fit the recordings of the campaign. */
void darc_campaign_deal(darc_campaign *c, darc_fleet *fleet);

/* Fit recordings for the dealer of the fleet until it ends. */
void darc_campaign_fit(darc_campaign *c);
