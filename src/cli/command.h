/* command.h - the table of commands, and the help that is made from it. */
#ifndef DARC_CLI_COMMAND_H
#define DARC_CLI_COMMAND_H

/* Run darc with the arguments of main; return the exit code. */
int darc_command_run(int argc, char **argv);

#endif
