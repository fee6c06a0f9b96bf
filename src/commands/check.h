/* check.h - one check of a model against recordings: what `darc check` runs
 * and `darc demo` tells.
 */
#ifndef DARC_COMMANDS_CHECK_H
#define DARC_COMMANDS_CHECK_H

#include "base/text.h"
#include "cli/options.h"
#include "fit/decision.h"

/* Run the check that o describes: write the files it asks for, append the
 * report to out unless one of them is standard output, set *verdict.
 * Fails: DARC_USAGE, or as the steps do. */
DARC_CHECKED darc_status darc_check_run(darc_text_t out, darc_verdict *verdict,
                                        const darc_options *o,
                                        const darc_budget *budget,
                                        darc_err *err);

#endif
