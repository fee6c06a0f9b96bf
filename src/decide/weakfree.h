/* weakfree.h - an io-equation that holds no parameter: x' = v, both measured.
 *
 * There is no coefficient to estimate.  Its terms are given a gain before the
 * leading ones, which is fitted; the structure holds if the residual is what
 * noise explains, and the gain is 1.
 */
#ifndef DARC_DECIDE_WEAKFREE_H
#define DARC_DECIDE_WEAKFREE_H

#include "decide/weakcheck.h"

/* Return whether equation e is one, and has terms enough. */
bool darc_weakfree_is(const darc_ioeqs_t io, int e);

/* Structure of such an equation, as darc_weakcheck_structure. */
DARC_CHECKED darc_status darc_weakfree_structure(
    darc_weakcheck *out, const darc_model *model, const darc_ioeqs_t io, int e,
    const darc_table *table, const darc_weakcheck_options *o,
    const darc_budget *budget, darc_err *err);

#endif
