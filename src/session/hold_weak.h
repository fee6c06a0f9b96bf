/* hold_weak.h - a model held against the recordings of a session by the weak
 * form.
 */
#ifndef DARC_SESSION_HOLD_WEAK_H
#define DARC_SESSION_HOLD_WEAK_H

#include "session/state.h"

/* Set s->holding: judge all io-equations together; those of more coefficients
 * than are fitted one by one, each judgement at alpha over their number.
 * Fails: as the judgements do. */
DARC_CHECKED darc_status darc_hold_weak(darc_session *s, darc_test test,
                                        darc_err *err);

#endif
