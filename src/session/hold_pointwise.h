/* hold_pointwise.h - a model held against the recordings of a session by the
 * residual at every sample.
 */
#ifndef DARC_SESSION_HOLD_POINTWISE_H
#define DARC_SESSION_HOLD_POINTWISE_H

#include "session/state.h"

/* Set s->holding: derive the relations of the test and hold them against the
 * recordings.  With several relations each is tested at alpha / count
 * (Bonferroni).
 * Fails: as the steps do. */
DARC_CHECKED darc_status darc_hold_pointwise(darc_session *s, darc_test test,
                                             darc_err *err);

/* Derive the test's relations for display, where that takes no long work.
 * s->holding has no relations before.
 * Fails: on a spent budget. */
DARC_CHECKED darc_status darc_hold_relations(darc_session *s, darc_test test,
                                             darc_err *err);

/* Set the relation of s->holding.report[e] to the first that comes from
 * io-equation e, if there is one. */
void darc_hold_show(darc_session *s, int e);

#endif
