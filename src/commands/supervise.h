/* supervise.h - runs a command in a child process under its budgets; what the
 * process does where memory lacks, or where it is one of several.
 *
 * FLINT cannot be interrupted and ends the process when memory runs out, so
 * the work is done in a child: the parent draws the progress line, keeps
 * the newest partial result, and on a spent budget ends the child and prints
 * that result.
 */
#pragma once

#include "commands/arguments.h"

/* Run the command and return its exit code; DARC_EXIT_LIMIT when a budget
 * was spent, the user interrupted, or the child died. */
int darc_supervise(darc_run_fn *run, const darc_options *o);

/* From now on, before any thread starts, lack of memory, darc's own, FLINT's or
 * GMP's, ends the process with a message and the exit code of a limit. */
void darc_lack_watch(void);

/* Where mpirun, or srun, has started several processes, go on as the program
 * fleet-rank, which starts this one again in its role (archive/fleet.h); a
 * process that has its role ends with the one that started it.  Else return
 * at once.  Fails, with a message: returns false where the program is missing.
 */
bool darc_ranks_enter(char **argv);
