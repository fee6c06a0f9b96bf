/* lack.h - lack of memory, darc's own, FLINT's or GMP's, ends the process with
 * a message and the exit code of a limit.
 */
#ifndef DARC_CLI_LACK_H
#define DARC_CLI_LACK_H

/* From now on; before any thread starts. */
void darc_lack_watch(void);

#endif
