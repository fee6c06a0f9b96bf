/* resting.h - the recording at rest of a session: the noise of its signals. */
#ifndef DARC_SESSION_RESTING_H
#define DARC_SESSION_RESTING_H

#include "session/state.h"

/* Measure noise in the recording at rest of the settings, if there is one.
 * Fails: as darc_table_load and darc_signalnoise_rest; DARC_USAGE for a
 * signal whose noise is a number as well. */
DARC_CHECKED darc_status darc_session_rest(darc_session *s, darc_err *err);

/* Fail with DARC_DATA unless the table has the rate of that recording. */
DARC_CHECKED darc_status darc_session_same_rate(const darc_session *s,
                                                const darc_table *table,
                                                darc_err *err);

#endif
