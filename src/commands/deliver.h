/* deliver.h - what a command found goes where --csv, --html and --json say. */
#ifndef DARC_COMMANDS_DELIVER_H
#define DARC_COMMANDS_DELIVER_H

#include "cli/arguments.h"

/* Write the files that o asks for, from what its command found (a session, a
 * campaign, ...), and print its text unless standard output is one of them.
 * Fails: DARC_IO. */
DARC_CHECKED darc_status darc_deliver(void *found, const darc_options *o,
                                      darc_err *err);

#endif
