/* command.h - the table of commands. */
#ifndef DARC_COMMANDS_COMMAND_H
#define DARC_COMMANDS_COMMAND_H

#include "cli/arguments.h"

typedef struct {
    const char *name;
    unsigned command;
    int least, most; /* operands; most -1: any number */
    const char *synopsis;
    const char *purpose;
    darc_command_fn run;
} darc_command;

/* Return command i, NULL past the last. */
const darc_command *darc_command_at(int i);

/* Return the command of that name, NULL if there is none. */
const darc_command *darc_command_find(const char *name);

#endif
