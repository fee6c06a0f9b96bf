/* integrated.h - the session of a model whose states are integrals where their
 * rates are measured (model/integrals.h): it needs no derivatives estimated
 * for them.
 */
#ifndef DARC_SESSION_INTEGRATED_H
#define DARC_SESSION_INTEGRATED_H

#include "session/state.h"

/* Return it, with the one recording of s; NULL where s needs no estimated
 * derivative, no rate is measured, or the recording does not allow it: one
 * recording on even time without gaps.  It belongs to s. */
darc_session *darc_session_integrated(darc_session *s);

#endif
