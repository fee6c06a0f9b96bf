/* ranks.h - a command under mpirun: it becomes a rank of a fleet. */
#ifndef DARC_CLI_RANKS_H
#define DARC_CLI_RANKS_H

/* Where mpirun, or srun, has started several processes, go on as the program
 * fleet-rank, which starts this one again in its role (archive/fleet.h); a
 * process that has its role ends with the one that started it.  Else return
 * at once.  Fails, with a message: returns false where the program is missing.
 */
int darc_ranks_enter(char **argv);

#endif
