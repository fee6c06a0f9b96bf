/* options.h - the options of all questions: one table, from which the command
 * line, --help, manual pages and darc/options.h are served.
 */
#ifndef DARC_SESSION_OPTIONS_H
#define DARC_SESSION_OPTIONS_H

#include "darc/options.h"

#include <stdbool.h>
#include <stddef.h>

/* The options, in the order of their table in options.c. */
typedef enum {
    DARC_OPT_FOR,
    DARC_OPT_CHANGED,
    DARC_OPT_KEEP,
    DARC_OPT_RANKING,
    DARC_OPT_FORM,
    DARC_OPT_ALL_COMPONENTS,
    DARC_OPT_FORMAT,
    DARC_OPT_SUMMARY,
    DARC_OPT_ENGINE,
    DARC_OPT_METHOD,
    DARC_OPT_ALPHA,
    DARC_OPT_TOLERANCE,
    DARC_OPT_NOISE,
    DARC_OPT_NOISE_FROM,
    DARC_OPT_MAP,
    DARC_OPT_SCALE,
    DARC_OPT_TIME,
    DARC_OPT_RATE,
    DARC_OPT_FROM,
    DARC_OPT_TO,
    DARC_OPT_AGAINST,
    DARC_OPT_DIFF,
    DARC_OPT_BASELINE,
    DARC_OPT_DB,
    DARC_OPT_PARAM,
    DARC_OPT_INIT,
    DARC_OPT_INPUT,
    DARC_OPT_T_END,
    DARC_OPT_SIM_RATE,
    DARC_OPT_SIM_NOISE,
    DARC_OPT_SIM_KEEP,
    DARC_OPT_OUTPUT,
    DARC_OPT_COLUMNS,
    DARC_OPT_FEATURES,
    DARC_OPT_TARGET,
    DARC_OPT_REFERENCE,
    DARC_OPT_PAIRED,
    DARC_OPT_SPECTRA,
    DARC_OPT_NOMINAL,
    DARC_OPT_LAMBDA_PROXIMITY,
    DARC_OPT_LAMBDA_SHAPE,
    DARC_OPT_LAMBDA_FEATURE,
    DARC_OPT_CHECKLIST,
    DARC_OPT_VARIED,
    DARC_OPT_CALIBRATED,
    DARC_OPT_TABLE,
    DARC_OPT_ACCEPT,
    DARC_OPT_JSON,
    DARC_OPT_HTML,
    DARC_OPT_CSV,
    DARC_OPT_TIMEOUT,
    DARC_OPT_MEMORY,
    DARC_OPT_THREADS,
    DARC_OPT_SEED,
    DARC_OPT_QUIET,
    DARC_OPT_VERBOSE,
    DARC_OPT_NO_PROGRESS,
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

/* Set *row to that of the option whose name is the n characters at name.
 * Fails: DARC_USAGE, with the nearest option of the command. */
DARC_CHECKED darc_status darc_option_find(const darc_option_row **row,
                                          const char *name, size_t n,
                                          unsigned command, darc_err *err);

/* Set o to no options; to a copy of `from` (NULL: none, of the command),
 * without its operands. */
void darc_options_init(darc_options *o, unsigned command);
void darc_options_copy(darc_options *o, const darc_options *from,
                       unsigned command);
void darc_options_clear(darc_options *o);

/* Store text as the value of an option, or add it to what stands there.
 * Fails: DARC_USAGE when it is no value of that kind. */
DARC_CHECKED darc_status darc_option_store(darc_options *o,
                                           const darc_option_row *row,
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

/* A list "m=300,c=2e4" or "m,c", of --input one of lines, for signals hold
 * commas; value is "" without '='. */
typedef struct {
    int count;
    size_t alloc;
    char **name, **value; /* owned */
} darc_pairs;

void darc_option_pairs(darc_pairs *p, const darc_options *o, darc_option_id id);
void darc_pairs_clear(darc_pairs *p);

#endif
