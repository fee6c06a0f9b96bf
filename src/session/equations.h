/* equations.h - the io-equations of a session, expanded or not. */
#ifndef DARC_SESSION_EQUATIONS_H
#define DARC_SESSION_EQUATIONS_H

#include "session/state.h"

/* Set s->io, and note what is not expanded: an equation of more terms than
 * can be fitted, unless that takes no time, an engine is forced, or the method
 * is the pointwise one; any equation whose expansion takes long.
 * Fails: DARC_USAGE for a wrong ranking; as darc_ioeqs_init. */
DARC_CHECKED darc_status darc_session_derive(darc_session *s, darc_err *err);

/* Put the equations without parameters behind the others and out of their
 * count, or back. */
void darc_session_part(darc_session *s);
void darc_session_join(darc_session *s);

#endif
