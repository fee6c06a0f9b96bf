/* command.h - the table of commands; topics of the manual, which the program
 * carries with it; `darc help`, made from these and the table of options. */
#pragma once

#include "commands/job.h"

typedef struct {
    const char *name;
    unsigned command;
    int least, most; /* operands; most -1: any number */
    const char *synopsis;
    const char *purpose;
    darc_command_fn *run;
} darc_command;

/* Run the command that o says, and return its exit code. */
int darc_command_run(const darc_options *o, const darc_budget *budget);

/* Return command i, NULL past the last; the one of that name, or NULL. */
const darc_command *darc_command_at(int i);
const darc_command *darc_command_find(const char *name);

/* A topic is a file src/manual/NAME.md.  Its first line is "# Title", its text
 * begins in the third. */
typedef struct {
    const char *name;  /* "verdict" */
    const char *title; /* "Reading a verdict" */
    const char *text;  /* Markdown below the title */
} darc_topic;

/* The same of topics, in the order of their names. */
const darc_topic *darc_topic_at(int i);
const darc_topic *darc_topic_find(const char *name);

/* Run `darc help [WHAT...]` with n words; return the exit code. */
int darc_help_run(int n, char **words);

/* Print text; return the exit code. */
int darc_help_print(const char *text);

/* Say that there is no such command, and which is near; return the code. */
int darc_help_unknown(const char *what);

/* Print what `darc --help` tells as an error; return the exit code. */
int darc_help_lack(void);
