/* supervise.h - runs a command in a child process under its budgets.
 *
 * FLINT cannot be interrupted and ends the process when memory runs out, so
 * the work is done in a child: the parent draws the progress line, keeps
 * the newest partial result, and on a spent budget ends the child and prints
 * that result.
 */
#ifndef DARC_CLI_SUPERVISE_H
#define DARC_CLI_SUPERVISE_H

#include "cli/arguments.h"

/* Run the command and return its exit code; DARC_EXIT_LIMIT when a budget
 * was spent, the user interrupted, or the child died. */
int darc_supervise(darc_command_fn command, const darc_options *o);

#endif
