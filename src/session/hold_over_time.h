/* hold_over_time.h - a model held against one recording along time. */
#ifndef DARC_SESSION_HOLD_OVER_TIME_H
#define DARC_SESSION_HOLD_OVER_TIME_H

#include "session/state.h"

/* Add to s->holding, which is that of the structure, the stretches of the
 * recording, and make the verdict inconsistent where there are several; a note
 * says why there are none where the weak form does not apply.
 * Fails: DARC_USAGE where the method is pointwise; DARC_LIMIT. */
DARC_CHECKED darc_status darc_hold_over_time(darc_session *s, darc_err *err);

#endif
