/* meeting.h - `darc fulfil` by equations: parameters with which those of the
 * model are those of the target. */
#pragma once

#include "chain/elim.h"
#include "darc/fulfil.h"
#include "fulfil/matching.h"

typedef struct {
    darc_fulfilled shown; /* first: what the caller sees */
    const darc_budget *budget;
    darc_model *model[2]; /* of which the numbers given are known; owned */
    bool *free[2];        /* of each unknown; owned */
    darc_ioeqs_t io[2];
    bool has_io[2], has_matching, has_components;
    darc_matching m;
    darc_decomposition_t d;
    darc_fulfilling *parameter;   /* owned */
    char **condition, **relation; /* owned */
    bool unstable; /* points were passed over, for what they cancel */
} darc_meeting;

/* Set verdict, reason and what goes with them; budget, model and free are
 * given.
 * Fails: as darc_fulfil. */
DARC_STATUS darc_meeting_decide(darc_meeting *t, darc_err *err);

/* Free the parameters of t; all of it. */
void darc_meeting_forget(darc_meeting *t);
void darc_meeting_clear(darc_meeting *t);
