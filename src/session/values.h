/* values.h - values of identifiable functions in their units, for reports. */
#ifndef DARC_SESSION_VALUES_H
#define DARC_SESSION_VALUES_H

#include "session/state.h"

/* Listen to the estimates of a judgement (user: the session): set s->value to
 * the values of each recording, nothing where they are not known. */
void darc_session_listen(void *user, const darc_estimates *a,
                         const darc_estimates *b);

/* Drop the values. */
void darc_session_forget_values(darc_session *s);

#endif
