/* command.h - the table of commands. */
#ifndef DARC_COMMANDS_COMMAND_H
#define DARC_COMMANDS_COMMAND_H

#include "cli/options.h"

typedef struct {
    const char *name;
    unsigned command;
    int least, most; /* operands; most -1: any number */
    const char *synopsis;
    const char *purpose;
    darc_command_fn *run;
} darc_command;

/* Return command i, NULL past the last. */
const darc_command *darc_command_at(int i);

/* Return the command of that name, NULL if there is none. */
const darc_command *darc_command_find(const char *name);

/* One function a command, in cmd_NAME.c. */
darc_command_fn darc_cmd_eliminate, darc_cmd_identify, darc_cmd_check,
    darc_cmd_isolate, darc_cmd_drift, darc_cmd_simulate, darc_cmd_compare,
    darc_cmd_credibility, darc_cmd_data, darc_cmd_demo;

#endif
