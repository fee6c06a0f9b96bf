/* options.h - the options of all questions: one table, from which the command
 * line, --help, manual pages and darc/options.h are served.
 */
#pragma once

#include "algebra/ranking.h"
#include "darc/options.h"

#include <stdbool.h>
#include <stddef.h>

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
    DARC_CMD_DATA = 1 << 9,
    DARC_CMD_VALUES = 1 << 10,
    DARC_CMD_MODEL = 1 << 11,
    DARC_CMD_PLAN = 1 << 12,
    DARC_CMD_MONITOR = 1 << 13,
    DARC_CMD_FULFIL = 1 << 14,
    /* Beside those of an option: where the program's output goes, and what a
     * darc_budget bounds; no option of the library. */
    DARC_OF_PROGRAM = 1 << 15
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

/* All options: id, name, argument (NULL for a flag), kind, least and greatest
 * value, default as text (NULL: none), commands, help. */
#define DARC_OPTION_LIST(X)                                                    \
    X(FOR, "--for", "structure|equal|changed", CHOICE, 0, 0, NULL,             \
      DARC_CMD_ELIMINATE, "the relation of this test")                         \
    X(CHANGED, "--changed", "P[,P...]", PAIRS, 0, 0, NULL,                     \
      DARC_CMD_ELIMINATE | DARC_CMD_CHECK | DARC_CMD_PLAN,                     \
      "parameters that differ between the recordings")                         \
    X(KEEP, "--keep", "NAME[,NAME...]", PAIRS, 0, 0, NULL, DARC_CMD_ELIMINATE, \
      "eliminate everything but these names")                                  \
    X(RANKING, "--ranking", "\"x1 x2 >> m c >> y\"", TEXT, 0, 0, NULL,         \
      DARC_OF_MODELS, "blocks to eliminate, highest first")                    \
    X(FORM, "--form", "expanded|matrix|io|support", CHOICE, 0, 0, NULL,        \
      DARC_CMD_ELIMINATE, "form of the result")                                \
    X(ALL_COMPONENTS, "--all-components", NULL, FLAG, 0, 0, NULL,              \
      DARC_CMD_ELIMINATE, "the singular components too")                       \
    X(FORMAT, "--format", "text|latex|json|c|python", CHOICE, 0, 0, "text",    \
      DARC_CMD_ELIMINATE, "language of the result")                            \
    X(MODEL_FORMAT, "--format", "darc|modelica|sympy|julia", CHOICE, 0, 0,     \
      "darc", DARC_CMD_MODEL, "language of the model")                         \
    X(SUMMARY, "--summary", NULL, FLAG, 0, 0, NULL, DARC_CMD_ELIMINATE,        \
      "orders, terms and degrees, not the equations")                          \
    X(ASK, "--ask", "FUNCTION[,FUNCTION...]", PAIRS, 0, 0, NULL,               \
      DARC_CMD_IDENTIFY, "functions of parameters and states to decide")       \
    X(ENGINE, "--engine", "auto|general|project|linear|constraints", CHOICE,   \
      0, 0, "auto", DARC_OF_MODELS, "elimination engine")                      \
    X(METHOD, "--method", "weak|pointwise|trajectory|auto", CHOICE, 0, 0,      \
      "auto", DARC_OF_DECISIONS, "how the relation is held against data")      \
    X(ALPHA, "--alpha", "P", REAL, 1e-12, 0.5, "0.01",                         \
      DARC_OF_DATA | DARC_CMD_PLAN | DARC_CMD_MONITOR,                         \
      "false-alarm probability of one test")                                   \
    X(TOLERANCE, "--tolerance", "R", REAL, 0, 1e3, "0",                        \
      DARC_OF_DATA | DARC_CMD_FULFIL,                                          \
      "defect that does not matter, a fraction (0.02 = 2 %)")                  \
    X(NOISE, "--noise", "NAME=SD,...", PAIRS, 0, 0, NULL, DARC_OF_FITS,        \
      "known noise of a signal, in its unit; 0: none")                         \
    X(NOISE_FROM, "--noise-from", "DATA", TEXT, 0, 0, NULL, DARC_OF_FITS,      \
      "recording at rest, whose spectra are the noise")                        \
    X(NOISE_COLOUR, "--noise-colour", "auto|white|any", CHOICE, 0, 0, "auto",  \
      DARC_OF_FITS, "colour of noise neither given nor measured")              \
    X(HOLD, "--hold", "NAME[,NAME...]", PAIRS, 0, 0, NULL, DARC_OF_FITS,       \
      "inputs that are constant from each sample to the next")                 \
    X(MAP, "--map", "NAME=COLUMN,...", PAIRS, 0, 0, NULL,                      \
      DARC_OF_FILES | DARC_CMD_SIMULATE, "the model's name for a column")      \
    X(SCALE, "--scale", "NAME=F,...", PAIRS, 0, 0, NULL, DARC_OF_FILES,        \
      "factor into the model's unit")                                          \
    X(TIME, "--time", "COLUMN", TEXT, 0, 0, NULL, DARC_OF_FILES,               \
      "time column")                                                           \
    X(STAMPS, "--stamps", "auto|dmy|mdy|h:m|m:s", CHOICE, 0, 0, "auto",        \
      DARC_OF_FILES, "how points in time are written: 31/1, 1/31; 23:59")      \
    X(CONTENTS, "--list", NULL, FLAG, 0, 0, NULL, DARC_CMD_DATA,               \
      "what else lies in a file: arrays, groups, sheets")                      \
    X(RATE, "--rate", "HZ", REAL, 1e-12, 1e12, NULL, DARC_OF_FILES,            \
      "sampling rate; beside --time it gives the step")                        \
    X(EACH, "--each", "COLUMN", TEXT, 0, 0, NULL,                              \
      DARC_OF_DATA | DARC_CMD_DATA,                                            \
      "each value of the column is a recording: a subject, a run")             \
    X(FROM, "--from", "T", REAL, -1e300, 1e300, NULL, DARC_OF_FILES,           \
      "begin of the part used, s")                                             \
    X(TO, "--to", "T", REAL, -1e300, 1e300, NULL, DARC_OF_FILES,               \
      "end of the part used, s")                                               \
    X(AGAINST, "--against", "TERM[,TERM...]", TEXT, 0, 0, NULL,                \
      DARC_CMD_CHECK, "test against these missing terms")                      \
    X(OVER_TIME, "--over-time", NULL, FLAG, 0, 0, NULL, DARC_CMD_CHECK,        \
      "structure: when parameters jumped within the recording")                \
    X(OVERLAY, "--overlay", NULL, FLAG, 0, 0, NULL,                            \
      DARC_CMD_CHECK | DARC_CMD_VALUES,                                        \
      "simulate with the values found; how well outputs are met")              \
    X(DIFF, "--diff", "central2|central4|central6|sg:WINDOW,DEGREE", TEXT, 0,  \
      0, "central4", DARC_OF_DECISIONS, "derivative of the pointwise method")  \
    X(BASELINE, "--baseline", "DATA", TEXT, 0, 0, NULL,                        \
      DARC_CMD_DRIFT | DARC_CMD_MONITOR,                                       \
      "reference recording instead of the first")                              \
    X(FALSE_ALARMS, "--false-alarms-per-day", "R", REAL, 1e-6, 1e6, "1",       \
      DARC_CMD_MONITOR, "how often nothing may be taken for a change")         \
    X(STATE, "--state", "FILE", TEXT, 0, 0, NULL, DARC_CMD_MONITOR,            \
      "go on from there, and keep there how far it came")                      \
    X(LIST, "--list", "FILE", TEXT, 0, 0, NULL, DARC_CMD_DRIFT,                \
      "recordings, one a line; with a header more is told of each; - is "      \
      "standard input")                                                        \
    X(GROUP, "--group", "COLUMN", TEXT, 0, 0, NULL, DARC_CMD_DRIFT,            \
      "column of the list: recordings of a group are held against its own "    \
      "first one")                                                             \
    X(COVARIATE, "--covariate", "COLUMN[,COLUMN...]", PAIRS, 0, 0, NULL,       \
      DARC_CMD_DRIFT,                                                          \
      "columns of the list, of numbers: a change counts beside what goes "     \
      "with them")                                                             \
    X(MERGE, "--merge", NULL, FLAG, 0, 0, NULL,                                \
      DARC_CMD_DRIFT | DARC_OF_PROGRAM,                                        \
      "make one database (-o) of those named, instead")                        \
    X(MERGED, "-o", "OUT.sqlite", TEXT, 0, 0, NULL,                            \
      DARC_CMD_DRIFT | DARC_OF_PROGRAM, "database that --merge makes")         \
    X(DB, "--db", "FILE.sqlite", TEXT, 0, 0, NULL, DARC_CMD_DRIFT,             \
      "keep the fits; hold recordings against those kept")                     \
    X(VALUES, "--values", "DATA", TEXT, 0, 0, NULL, DARC_CMD_PLAN,             \
      "recording that tells values and noise")                                 \
    X(PARAM, "--param", "m=300,...", PAIRS, 0, 0, NULL,                        \
      DARC_CMD_SIMULATE | DARC_CMD_PLAN | DARC_CMD_FULFIL,                     \
      "values of the parameters")                                              \
    X(FREE, "--free", "NAME[,NAME...]", PAIRS, 0, 0, NULL, DARC_CMD_FULFIL,    \
      "parameters to find, of TARGET too; all those of MODEL where not given") \
    X(BAND, "--band", "HZ0,HZ1", TEXT, 0, 0, NULL, DARC_CMD_FULFIL,            \
      "the nearest frequency response there, up to the tolerance")             \
    X(INIT, "--init", "x=1,...", PAIRS, 0, 0, NULL,                            \
      DARC_CMD_SIMULATE | DARC_CMD_PLAN,                                       \
      "initial values of states; else the model's, or 0")                      \
    X(START, "--init", "x[=V],...", PAIRS, 0, 0, NULL, DARC_CMD_IDENTIFY,      \
      "states whose initial values are known, and which they are")             \
    X(KNOWN_START, "--init", "x=V,...", PAIRS, 0, 0, NULL,                     \
      DARC_CMD_CHECK | DARC_CMD_ISOLATE | DARC_CMD_VALUES,                     \
      "initial values of states that are known (--method trajectory)")         \
    X(INPUT, "--input", "NAME=SIGNAL", TEXT, 0, 0, NULL,                       \
      DARC_CMD_SIMULATE | DARC_CMD_PLAN,                                       \
      "an input: FILE.csv, constant:V,\n                          "            \
      "  "                                                                     \
      "step:AMPL,T, sine:AMPL,HZ[,PHASE],\n                            "       \
      "chirp:AMPL,HZ0,HZ1,T, multisine:RMS,HZ0,HZ1,\n                        " \
      "    road:CLASS,M/S; sums with +")                                       \
    X(T_END, "--t-end", "S", REAL, 1e-12, 1e12, "10",                          \
      DARC_CMD_SIMULATE | DARC_CMD_PLAN, "end of the simulation, s")           \
    X(SIM_RATE, "--rate", "HZ", REAL, 1e-12, 1e12, "1000", DARC_CMD_SIMULATE,  \
      "samples per second")                                                    \
    X(SIM_NOISE, "--noise", "R", REAL, 0, 1e6, "0", DARC_CMD_SIMULATE,         \
      "white noise on outputs, relative to their RMS")                         \
    X(SIM_KEEP, "--keep", "NAME[,NAME...]", PAIRS, 0, 0, NULL,                 \
      DARC_CMD_SIMULATE, "write these signals only")                           \
    X(OUTPUT, "-o", "OUT.csv", TEXT, 0, 0, "-",                                \
      DARC_CMD_SIMULATE | DARC_OF_PROGRAM, "file for the recording")           \
    X(COLUMNS, "--columns", "NAME[,NAME...]", PAIRS, 0, 0, NULL,               \
      DARC_CMD_COMPARE, "outputs to compare; all that every file has")         \
    X(INPUTS, "--inputs", "NAME[,NAME...]", PAIRS, 0, 0, NULL,                 \
      DARC_CMD_COMPARE, "not compared: said where they differ")                \
    X(FEATURES, "--features", "NAME[,NAME...]|none", PAIRS, 0, 0, NULL,        \
      DARC_CMD_COMPARE,                                                        \
      "features that count; where not given, all if the reference is a step "  \
      "response")                                                              \
    X(TARGET, "--target", "V", REAL, -1e300, 1e300, NULL, DARC_CMD_COMPARE,    \
      "set point, for the steady-state error")                                 \
    X(REFERENCE, "--reference", "FILE[,FILE...]", PAIRS, 0, 0, NULL,           \
      DARC_CMD_COMPARE | DARC_OF_PROGRAM,                                      \
      "further reference runs; all are averaged")                              \
    X(PAIRED, "--paired", NULL, FLAG, 0, 0, NULL, DARC_CMD_COMPARE,            \
      "run k of both was made under the same conditions")                      \
    X(SPECTRA, "--spectra", NULL, FLAG, 0, 0, NULL, DARC_CMD_COMPARE,          \
      "power spectra too")                                                     \
    X(NOMINAL, "--nominal", "NAME=V,...", PAIRS, 0, 0, NULL, DARC_CMD_COMPARE, \
      "size of a signal whose reference is near zero")                         \
    X(LAMBDA_PROXIMITY, "--lambda-proximity", "L", REAL, 1e-9, 1e9, "0.5",     \
      DARC_CMD_COMPARE, "of exp(-lambda Theil)")                               \
    X(LAMBDA_SHAPE, "--lambda-shape", "L", REAL, 1e-9, 1e9, "0.5",             \
      DARC_CMD_COMPARE, "of the grey relational degree")                       \
    X(LAMBDA_FEATURE, "--lambda-feature", "L", REAL, 1e-9, 1e9, "0.5",         \
      DARC_CMD_COMPARE, "of exp(-lambda relative error)")                      \
    X(CHECKLIST, "--checklist", NULL, FLAG, 0, 0, NULL, DARC_CMD_COMPARE,      \
      "validation in four steps, and what is still to do")                     \
    X(VARIED, "--varied", "REFERENCE,SIMULATION", PAIRS, 0, 0, NULL,           \
      DARC_CMD_COMPARE, "both after the same change of a parameter")           \
    X(CALIBRATED, "--calibrated", "FILE[,FILE...]", PAIRS, 0, 0, NULL,         \
      DARC_CMD_COMPARE, "recordings that were used to calibrate")              \
    X(TABLE, "--table", "FILE.csv", TEXT, 0, 0, NULL,                          \
      DARC_CMD_COMPARE | DARC_OF_PROGRAM,                                      \
      "weigh computed consistencies, one run a row")                           \
    X(ACCEPT, "--accept", "C", REAL, 0, 1, NULL,                               \
      DARC_CMD_COMPARE | DARC_OF_PROGRAM,                                      \
      "exit code 1 below this consistency")                                    \
    X(JSON, "--json", "FILE", TEXT, 0, 0, NULL,                                \
      DARC_OF_PROGRAM | (DARC_OF_ALL & ~(DARC_CMD_SIMULATE | DARC_CMD_DEMO |   \
                                         DARC_CMD_ELIMINATE | DARC_CMD_MODEL | \
                                         DARC_CMD_MONITOR)),                   \
      "report; - is standard output")                                          \
    X(HTML, "--html", "FILE", TEXT, 0, 0, NULL,                                \
      DARC_OF_DATA | DARC_CMD_CREDIBILITY | DARC_CMD_FULFIL | DARC_OF_PROGRAM, \
      "report as one page for a browser; - is standard output")                \
    X(SVG, "--svg", "FOLDER", TEXT, 0, 0, NULL,                                \
      DARC_OF_DATA | DARC_CMD_CREDIBILITY | DARC_CMD_FULFIL | DARC_OF_PROGRAM, \
      "each plot of that page as a file of its own")                           \
    X(CSV, "--csv", "FILE", TEXT, 0, 0, NULL,                                  \
      DARC_CMD_CHECK | DARC_CMD_DRIFT | DARC_OF_PROGRAM, "residual series")    \
    X(TIMEOUT, "--timeout", "S", REAL, 0.01, 1e9, NULL,                        \
      DARC_OF_ALL | DARC_OF_PROGRAM,                                           \
      "stop after S seconds with what is known so far")                        \
    X(MEMORY, "--memory", "MB", REAL, 1, 1e9, NULL,                            \
      DARC_OF_ALL | DARC_OF_PROGRAM, "stop when more memory is needed")        \
    X(DISK, "--disk", "MB", REAL, 1, 1e9, NULL, DARC_OF_ALL,                   \
      "stop when temporary files take more")                                   \
    X(THREADS, "--threads", "N", WHOLE, 1, 1024, NULL, DARC_OF_ALL,            \
      "threads; all cores where not given")                                    \
    X(SEED, "--seed", "N", WHOLE, 0, 1e15, "1", DARC_OF_ALL,                   \
      "seed of everything random")                                             \
    X(QUIET, "--quiet", NULL, FLAG, 0, 0, NULL, DARC_OF_ALL,                   \
      "only the verdict")                                                      \
    X(VERBOSE, "--verbose", NULL, FLAG, 0, 0, NULL, DARC_OF_ALL,               \
      "what was done, and how it was checked")                                 \
    X(NO_PROGRESS, "--no-progress", NULL, FLAG, 0, 0, NULL,                    \
      DARC_OF_ALL | DARC_OF_PROGRAM, "no progress line on a terminal")

typedef enum {
#define DARC_OPTION_ID(id, ...) DARC_OPT_##id,
    DARC_OPTION_LIST(DARC_OPTION_ID)
#undef DARC_OPTION_ID
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
DARC_CHECKED darc_status darc_option_find(const darc_option_row **row,
                                          const char *name, size_t n,
                                          unsigned command, darc_err *err);

/* Set o to a copy of `from` (NULL: no options, of the command), without its
 * operands. */
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

/* Fail with DARC_USAGE, the name of the option and why. */
DARC_CHECKED darc_status darc_option_refuse(darc_option_id id,
                                            const darc_err *why, darc_err *err);

/* Set rk to what --ranking says; NULL: nothing.
 * Fails: DARC_USAGE. */
DARC_CHECKED darc_status darc_option_ranking(darc_ranking_t rk,
                                             const char *text,
                                             const darc_names_t names,
                                             darc_err *err);

/* A list "m=300,c=2e4" or "m,c", of --input one of lines, for signals hold
 * commas; value is "" without '='. */
typedef struct {
    int count;
    size_t alloc;
    char **name, **value; /* owned */
} darc_pairs;

void darc_option_pairs(darc_pairs *p, const darc_options *o, darc_option_id id);
void darc_option_more_pairs(darc_pairs *p, const darc_options *o,
                            darc_option_id id);
void darc_pairs_clear(darc_pairs *p);

/* Return whether the list has the name. */
bool darc_pairs_has(const darc_pairs *p, const char *name);
