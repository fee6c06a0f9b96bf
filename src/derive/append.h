/* append.h - a derived signal and what is known of its errors, into the table.
 */
#ifndef DARC_DERIVE_APPEND_H
#define DARC_DERIVE_APPEND_H

#include "derive/column.h"
#include "derive/derive.h"

/* Append col, which is prepared, to its table as derived signal u, and cut the
 * segments to where it is known; note apart, if so said, the sd that switches
 * see.
 * Fails: as darc_derive_by. */
DARC_CHECKED darc_status darc_append(const darc_column *col, int u,
                                     bool switching,
                                     const darc_derive_work *how,
                                     darc_err *err);

#endif
