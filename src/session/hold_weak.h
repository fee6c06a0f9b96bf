/* hold_weak.h - a model held against the recordings of a session by the weak
 * form.
 */
#ifndef DARC_SESSION_HOLD_WEAK_H
#define DARC_SESSION_HOLD_WEAK_H

#include "session/state.h"

/* Set s->holding: test every io-equation, and what binds their coefficients,
 * each at alpha over the number of tests.
 * Fails: as the steps do. */
DARC_CHECKED darc_status darc_hold_weak(darc_session *s, darc_test test,
                                        darc_err *err);

#endif
