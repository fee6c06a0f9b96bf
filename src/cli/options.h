/* options.h - the command line, parsed by the table of option_list.h. */
#ifndef DARC_CLI_OPTIONS_H
#define DARC_CLI_OPTIONS_H

#include "base/text.h"
#include "cli/option_list.h"
#include "darc/budget.h"
#include "darc/status.h"
#include "fit/decision.h"

#include <stdbool.h>
#include <stddef.h>

/* Exit codes, INTERFACE 1. */
enum {
    DARC_EXIT_CONSISTENT = 0, /* or: done */
    DARC_EXIT_INCONSISTENT = 1,
    DARC_EXIT_UNDECIDED = 2,
    DARC_EXIT_USAGE = 3,
    DARC_EXIT_INPUT = 4,
    DARC_EXIT_LIMIT = 5
};

typedef enum {
#define DARC_OPTION_ENUM(id, ...) DARC_OPT_##id,
    DARC_OPTION_LIST(DARC_OPTION_ENUM, DARC_OPTION_ENUM, DARC_OPTION_ENUM,
                     DARC_OPTION_ENUM, DARC_OPTION_ENUM, DARC_OPTION_ENUM)
#undef DARC_OPTION_ENUM
        DARC_OPT_COUNT
} darc_option_id;

/* Commands, as bits: an option belongs to a set of them. */
enum {
    DARC_CMD_ELIMINATE = 1 << 0,
    DARC_CMD_IDENTIFY = 1 << 1,
    DARC_CMD_CHECK = 1 << 2,
    DARC_CMD_ISOLATE = 1 << 3,
    DARC_CMD_DRIFT = 1 << 4,
    DARC_CMD_SIMULATE = 1 << 5,
    DARC_CMD_COMPARE = 1 << 6,
    DARC_CMD_CREDIBILITY = 1 << 7,
    DARC_CMD_DEMO = 1 << 8,
    DARC_CMD_DATA = 1 << 9
};

typedef enum {
    DARC_KIND_FLAG,
    DARC_KIND_TEXT,
    DARC_KIND_REAL,   /* low <= value <= high */
    DARC_KIND_WHOLE,  /* the same, a whole number */
    DARC_KIND_CHOICE, /* one of the words in `argument`, split at '|' */
    DARC_KIND_PAIRS   /* NAME=VALUE,...; may be given again, adds up */
} darc_option_kind;

typedef struct {
    darc_option_id id;
    const char *name;     /* "--alpha" */
    const char *argument; /* "P"; NULL for a flag */
    darc_option_kind kind;
    double low, high;
    const char *preset; /* default as text; NULL: none */
    unsigned commands;
    const char *help;
} darc_option_row;

/* A parsed command line; strings belong to argv or to this struct. */
typedef struct {
    unsigned command;
    char *value[DARC_OPT_COUNT]; /* owned; NULL: not given */
    int operands;
    const char **operand;     /* owned array of argv strings */
    const char *command_line; /* as typed, for reports; owned */
} darc_options;

/* Return row i of the table, 0 <= i < DARC_OPT_COUNT. */
const darc_option_row *darc_option_row_at(int i);

/* Return the option of the commands that follows row, NULL: the first; NULL
 * behind the last. */
const darc_option_row *darc_option_next(const darc_option_row *row,
                                        unsigned commands);

/* Parse the arguments that follow the command's name.
 * Fails: DARC_USAGE with a message that names the argument, what was
 * expected, and the nearest option; all values are checked here. */
DARC_CHECKED darc_status darc_options_parse(darc_options *o, unsigned command,
                                            int argc, char **argv,
                                            darc_err *err);
void darc_options_clear(darc_options *o);

/* Return whether the option was given; its text (default where not given,
 * NULL where there is none); its number. */
bool darc_option_given(const darc_options *o, darc_option_id id);
const char *darc_option_text(const darc_options *o, darc_option_id id);
double darc_option_real(const darc_options *o, darc_option_id id);
long darc_option_whole(const darc_options *o, darc_option_id id);

/* Return which word of the list "a|b|c" of a choice was chosen: 0, 1, ...;
 * -1 where it was not given and has no default. */
int darc_option_choice(const darc_options *o, darc_option_id id);

/* A comma-separated list "m=300,c=2e4" or "m,c"; value is "" without '='. */
typedef struct {
    int count;
    size_t alloc;
    char **name, **value; /* owned */
} darc_pairs;

void darc_option_pairs(darc_pairs *p, const darc_options *o, darc_option_id id);

/* Append a name of n characters and a value of m. */
void darc_pairs_append(darc_pairs *p, const char *name, size_t n,
                       const char *value, size_t m);
void darc_pairs_clear(darc_pairs *p);

/* Append the options of a command, one a line with help and default. */
void darc_options_help(darc_text_t out, unsigned command);

/* Print the error to standard error and return the exit code for it. */
int darc_cli_fail(const darc_err *err);

/* Return the exit code of a verdict. */
int darc_cli_exit_code(darc_verdict verdict);

/* A command: it prints its results and sets *code, which is
 * DARC_EXIT_CONSISTENT, to the exit code. */
typedef darc_status darc_command_fn(int *code, const darc_options *o,
                                    const darc_budget *budget, darc_err *err);

#endif
