/* member.h - whether an expression vanishes on all solutions, as a result of
 * `eliminate --member`.
 */
#pragma once

#include "darc/eliminate.h"
#include "emit/emit.h"
#include "session/options.h"

/* Set the member of e, and its inequations, to what is found.
 * Fails: as darc_membership_init. */
DARC_STATUS darc_member_find(darc_elimination *e, const darc_model *model,
                             const darc_options *options,
                             const darc_budget *budget, darc_err *err);

/* Append it as text or JSON. */
void darc_member_put(darc_text_t out, const darc_elimination *e,
                     const darc_options *options, const darc_emit *how);
