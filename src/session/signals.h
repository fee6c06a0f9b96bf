/* signals.h - the signals that the equations of a session need, and what a
 * recording has to be completed by: derived signals, with their errors.
 */
#ifndef DARC_SESSION_SIGNALS_H
#define DARC_SESSION_SIGNALS_H

#include "session/state.h"

/* Of a darc_question, of session s: return the first recording read once more,
 * with all columns; NULL: it is in no file, or has a column that is no number.
 */
const darc_table *darc_session_beside(void *s);

/* Find the signals that enter the io-equations, directly or through derived
 * ones, and which columns they take. */
void darc_session_find_signals(darc_session *s);

/* Append derived signals to a table that becomes a recording of the session,
 * raise its noise to what the table says, and note large errors.
 * Fails: DARC_DATA when the table lacks a signal; as darc_derive. */
DARC_CHECKED darc_status darc_session_prepare(darc_session *s,
                                              darc_table *table, darc_err *err);

/* The same for a table that does not.  May be called from several threads. */
DARC_CHECKED darc_status darc_session_complete(const darc_session *s,
                                               darc_table *table,
                                               darc_err *err);

#endif
