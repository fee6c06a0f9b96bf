/* prepare.h - what takes many samples to find out about an expression: the
 * noise of its signals, the formulas of its derivatives, the states of its
 * integrals.
 */
#ifndef DARC_DERIVE_PREPARE_H
#define DARC_DERIVE_PREPARE_H

#include "derive/column.h"

/* Make col ready to be evaluated.
 * Fails: DARC_LIMIT by the budget. */
DARC_CHECKED darc_status darc_prepare(darc_column *col, darc_err *err);

#endif
