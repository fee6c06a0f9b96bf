/* options.h - the options of all questions: one table, options.txt, from which
 * the command line, --help, manual pages and darc/options.h are served.
 */
#pragma once

#include "algebra/ranking.h"
#include "darc/options.h"

#include <stdbool.h>
#include <stddef.h>

enum {
#define X(id, ...) DARC_COMMAND_##id,
#include "commands.inc" /* of commands.txt, by commands.awk */
#undef X
    DARC_COMMANDS
};

/* Commands, as bits: an option belongs to a set of them. */
enum {
#define X(id, ...) DARC_CMD_##id = 1 << DARC_COMMAND_##id,
#include "commands.inc"
#undef X
    /* Beside those of an option: where the program's output goes, and what a
     * darc_budget bounds; no option of the library. */
    DARC_OF_PROGRAM = 1 << DARC_COMMANDS
};

#define DARC_OF_DATA (DARC_OF_DECISIONS | DARC_CMD_COMPARE)
#define DARC_OF_FILES                                                          \
    (DARC_OF_DATA | DARC_CMD_PLAN | DARC_CMD_MONITOR | DARC_CMD_DATA)
#define DARC_OF_DECISIONS                                                      \
    (DARC_CMD_CHECK | DARC_CMD_ISOLATE | DARC_CMD_DRIFT | DARC_CMD_VALUES)
#define DARC_OF_FITS (DARC_OF_DECISIONS | DARC_CMD_PLAN | DARC_CMD_MONITOR)
#define DARC_OF_MODELS (DARC_CMD_ELIMINATE | DARC_CMD_IDENTIFY | DARC_OF_FITS)
#define DARC_OF_ALL (DARC_OF_PROGRAM - 1)

typedef enum {
    DARC_KIND_FLAG,
    DARC_KIND_TEXT,
    DARC_KIND_REAL,   /* low <= value <= high */
    DARC_KIND_WHOLE,  /* the same, a whole number */
    DARC_KIND_CHOICE, /* one of the words in `argument`, split at '|' */
    DARC_KIND_PAIRS   /* NAME=VALUE,...; may be given again, adds up */
} darc_option_kind;

typedef enum {
#define X(id, ...) DARC_OPT_##id,
#include "options.inc" /* of options.txt, by options.awk */
#undef X
    DARC_OPT_COUNT
} darc_option_id;

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

/* The options of one question; of the program, its command line. */
struct darc_options {
    unsigned command;
    char *value[DARC_OPT_COUNT]; /* owned; NULL: not given */
    int operands;
    const char **operand; /* owned array of argv strings */
    char *command_line;   /* as typed, for reports; "": the library; owned */
};

/* Return row i of the table, 0 <= i < DARC_OPT_COUNT. */
const darc_option_row *darc_option_row_at(int i);

/* Return the option of the commands that follows row, NULL: the first; NULL
 * behind the last. */
const darc_option_row *darc_option_next(const darc_option_row *row,
                                        unsigned commands);

/* Set *row to that of the option whose name is the n characters at name.
 * Fails: DARC_USAGE, with the nearest option of the command. */
DARC_STATUS darc_option_find(const darc_option_row **row, const char *name,
                             size_t n, unsigned command, darc_err *err);

/* Set o to a copy of `from` (NULL: no options, of the command), without its
 * operands. */
void darc_options_copy(darc_options *o, const darc_options *from,
                       unsigned command);
void darc_options_clear(darc_options *o);

/* Store text as the value of an option, or add it to what stands there.
 * Fails: DARC_USAGE when it is no value of that kind. */
DARC_STATUS darc_option_store(darc_options *o, const darc_option_row *row,
                              const char *text, darc_err *err);

/* Return whether the option was given; its text (default where not given,
 * NULL where there is none); its number. */
bool darc_option_given(const darc_options *o, darc_option_id id);
const char *darc_option_text(const darc_options *o, darc_option_id id);
double darc_option_real(const darc_options *o, darc_option_id id);
long darc_option_whole(const darc_options *o, darc_option_id id);

/* Return which word of the list "a|b|c" of a choice was chosen: 0, 1, ...;
 * -1 where it was not given and has no default. */
int darc_option_choice(const darc_options *o, darc_option_id id);

/* Fail with DARC_USAGE, the name of the option and why. */
DARC_STATUS darc_option_refuse(darc_option_id id, const darc_err *why,
                               darc_err *err);

/* Set rk to what --ranking says; NULL: nothing.
 * Fails: DARC_USAGE. */
DARC_STATUS darc_option_ranking(darc_ranking_t rk, const char *text,
                                const darc_names_t names, darc_err *err);

/* A list "m=300,c=2e4" or "m,c", of --input one of lines, for signals hold
 * commas; value is "" without '='.  Either may stand in quotes. */
typedef struct {
    int count;
    char **name, **value; /* owned */
} darc_pairs;

void darc_option_pairs(darc_pairs *p, const darc_options *o, darc_option_id id);
void darc_option_more_pairs(darc_pairs *p, const darc_options *o,
                            darc_option_id id);
void darc_pairs_clear(darc_pairs *p);

/* Return whether the list has the name. */
bool darc_pairs_has(const darc_pairs *p, const char *name);
