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

/* Print what `darc --help` tells as an error; return the exit code. */
int darc_help_lack(void);

/* Append the completion script for "bash", "zsh" or "fish"; return whether
 * the shell is one of these. */
bool darc_completion(darc_text_t out, const char *shell);

#endif
