/* help.h - `darc help`: made from the tables of commands, options and topics.
 */
#ifndef DARC_COMMANDS_HELP_H
#define DARC_COMMANDS_HELP_H

#include "commands/command.h"

/* Run `darc help [WHAT...]` with n words; return the exit code. */
int darc_help_run(int n, char **words);

/* Print text; return the exit code. */
int darc_help_print(const char *text);

/* Say that there is no such command, and which is near; return the code. */
int darc_help_unknown(const char *what);

/* Append what `darc --help` tells, and what --help of a command does. */
void darc_help_overview(darc_text_t out);
void darc_help_command(darc_text_t out, const darc_command *c);

#endif
