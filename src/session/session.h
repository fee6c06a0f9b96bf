/* session.h - sessions (darc/session.h) from settings as numbers and from
 * tables: what the library's own callers use.
 */
#pragma once

#include "darc/session.h"
#include "session/settings.h"

/* As darc_session_open, with settings as numbers (NULL: the defaults).  What
 * they point to must stay until darc_session_free. */
DARC_CHECKED darc_status darc_session_new(darc_session **s,
                                          const darc_model *model,
                                          const darc_session_settings *settings,
                                          const darc_budget *budget,
                                          darc_err *err);

/* As darc_session_add, with a table, which the session releases in any case. */
DARC_CHECKED darc_status darc_session_add_take(darc_session *s,
                                               darc_table *table,
                                               darc_err *err);
