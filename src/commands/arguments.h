/* arguments.h - the command line: options and operands, help on them, errors
 * and exit codes.
 */
#pragma once

#include "base/budget.h"
#include "base/text.h"
#include "darc/report.h"
#include "session/options.h"

/* Exit codes, INTERFACE 1. */
enum {
    DARC_EXIT_CONSISTENT = 0, /* or: done */
    DARC_EXIT_INCONSISTENT = 1,
    DARC_EXIT_UNDECIDED = 2,
    DARC_EXIT_USAGE = 3,
    DARC_EXIT_INPUT = 4,
    DARC_EXIT_LIMIT = 5
};

/* Parse the arguments that follow the command's name.
 * Fails: DARC_USAGE with a message that names the argument, what was
 * expected, and the nearest option; all values are checked here. */
DARC_STATUS darc_options_parse(darc_options *o, unsigned command, int argc,
                               char **argv, darc_err *err);

/* Append the options of a command, one a line with help and default. */
void darc_options_help(darc_text_t out, unsigned command);

/* Print to standard error, what is hidden in names so that it is seen. */
void darc_cli_say(const char *format, ...) DARC_PRINTF(1, 2);

/* Print the error to standard error, if it has a message, and return the exit
 * code for it. */
int darc_cli_fail(const darc_err *err);

/* Return the exit code of a verdict. */
int darc_cli_exit_code(darc_verdict verdict);

/* Run the command that o says, print its results, and return the exit code. */
typedef int darc_run_fn(const darc_options *o, const darc_budget *budget);
