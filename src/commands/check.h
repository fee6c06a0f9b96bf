/* check.h - one check of a model against recordings: what `darc check` runs
 * and `darc demo` tells.
 */
#pragma once

#include "cli/arguments.h"
#include "darc/session.h"

typedef struct {
    darc_model *model;
    darc_session *session;
} darc_check;

/* Run the check that o describes; release it with darc_check_close in any
 * case.
 * Fails: DARC_USAGE, or as the steps do. */
DARC_CHECKED darc_status darc_check_run(darc_check *c, const darc_options *o,
                                        const darc_budget *budget,
                                        darc_err *err);
void darc_check_close(darc_check *c);

/* With --verbose, print the rewritten model, if it was rewritten, on standard
 * error. */
void darc_cli_show_rewritten(const darc_options *o, const darc_model *model);

/* Set c to a session on the model that the operand names, and the recordings
 * of the operands behind it; show the model as it was rewritten. */
DARC_CHECKED darc_status darc_check_open(darc_check *c, const darc_options *o,
                                         int operand, const darc_budget *budget,
                                         darc_err *err);

/* Write the files that o asks for, from what its command found (a session, a
 * campaign, ...), and print its text unless standard output is one of them.
 * Fails: DARC_IO. */
DARC_CHECKED darc_status darc_deliver(void *found, const darc_options *o,
                                      darc_err *err);
