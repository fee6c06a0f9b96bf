/* syntax.h - a model as it stands in the file: trees, nothing checked. */
#pragma once

#include "syntax/expr.h"

/* Sections: identifier, keyword. */
#define DARC_SECTION_LIST(X)                                                   \
    X(STATES, "states")                                                        \
    X(PARAMETERS, "parameters")                                                \
    X(CONSTANTS, "constants")                                                  \
    X(INPUTS, "inputs")                                                        \
    X(OUTPUTS, "outputs")                                                      \
    X(DERIVED, "derived")                                                      \
    X(EQUATIONS, "equations")                                                  \
    X(ASSUME, "assume")                                                        \
    X(RANKING, "ranking")

typedef enum {
#define DARC_SECTION_ENUM(id, word) DARC_SECTION_##id,
    DARC_SECTION_LIST(DARC_SECTION_ENUM)
#undef DARC_SECTION_ENUM
        DARC_SECTIONS
} darc_section;

/* What a sensor does to an output. */
typedef enum {
    DARC_SENSOR_OFFSET,
    DARC_SENSOR_DELAY,
    DARC_SENSOR_LAG,
    DARC_SENSOR_GAIN,
    DARC_SENSORS
} darc_sensor;

typedef struct {
    char *name;  /* owned */
    char *unit;  /* "" if none; owned */
    char *taken; /* of what has none: what the equations need, "1" for a
                    number; NULL: not known; owned */
    char *text;  /* "" if none; owned */
    darc_section section;
    bool may_be_zero;
    bool positive;    /* a parameter that is > 0 */
    bool held;        /* an input, constant from each sample to the next */
    bool dose;        /* an input, amounts that are given at times */
    int side;         /* of an output: its samples at steps of held inputs lie
                         before them, -1, or behind, 1; of an input: samples
                         are means of the time before them, -1; 0: not said */
    bool late;        /* an output: its sensor shows it so much later as the
                         parameter NAME_delay says */
    bool unknown;     /* a state that is declared as an input: nobody measures
                         it, and no equation need be its own */
    bool replaces;    /* a derived signal: no equation holds the output that it
                         is a function of, and it is an output itself */
    darc_expr *value; /* constants, derived: what follows '='; owned */
    fmpq_t exact;     /* the value of a constant, once checked */
    darc_place place;
    darc_place zero_place;           /* of `may be zero`, of `> 0` */
    darc_place sensor[DARC_SENSORS]; /* of an output's words; line 0: none */
} darc_declaration;

typedef struct {
    darc_expr *left, *right; /* left = right, or left != right; owned */
    bool doses;              /* left += right: a state takes up a dose */
    darc_place place;        /* of the first word */
} darc_statement;

typedef struct {
    size_t count;
    darc_statement *statement; /* owned */
} darc_statements;

typedef struct {
    char *name; /* owned */
    int block;  /* 0 is the highest */
    darc_place place;
} darc_ranked;

typedef struct {
    char *name;  /* its file's, where it says none; owned */
    char *title; /* NULL if none; owned */
    char *note;  /* a warning, what was taken for granted; NULL: none; owned */
    size_t declarations;
    darc_declaration *declaration; /* in the order of the file; owned */
    darc_statements equations, assumptions;
    size_t ranked;
    darc_ranked *rank; /* in the order of the file; owned */
    bool has[DARC_SECTIONS];
    darc_place where[DARC_SECTIONS]; /* of the section's keyword */
} darc_syntax;

void darc_declaration_clear(darc_declaration *d);
void darc_syntax_clear(darc_syntax *syntax);

/* Return the declaration of the name, NULL if there is none. */
darc_declaration *darc_syntax_find(const darc_syntax *syntax, const char *name);

/* Append a statement left = right, or left != right. */
void darc_statements_append_take(darc_statements *s, darc_expr *left,
                                 darc_expr *right, darc_place place);

void darc_statements_clear(darc_statements *s);

/* Return side i, i = 0, 1, ..., of the equations and, behind them, the
 * assumptions; NULL behind the last. */
darc_expr **darc_syntax_side(const darc_syntax *s, size_t i);

/* Return how often the name stands in statements; in values of declarations. */
int darc_statements_occurrences(const darc_statements *s, const char *name);
int darc_values_occurrences(const darc_syntax *s, const char *name);

/* Return the keyword of a section. */
const char *darc_section_word(darc_section section);

/* Let the names in script->how->measured be measured, and no other output: what
 * has an equation becomes an output, a parameter or a constant an input. Fails:
 * DARC_USAGE, where one is not declared, or not to be measured. */
DARC_STATUS darc_syntax_measure(darc_syntax *syntax, const darc_script *script);

/* Set syntax to what the script, a model file, says: by recursive descent.
 * Fails: DARC_SYNTAX, DARC_LIMIT with place, line and caret; then syntax is
 * cleared. */
DARC_STATUS darc_parse(darc_syntax *syntax, const darc_script *script);

/* Whether samples of an input are means of the time since the one before. */
bool darc_is_averaged(const darc_declaration *d);

/* Return whether e is a dead time, delay(a, T) with a parameter in T; holds
 * one; whether an equation or a derived signal does. */
bool darc_is_dead_time(const darc_syntax *s, const darc_expr *e);
bool darc_holds_dead_time(const darc_syntax *s, const darc_expr *e);
bool darc_has_dead_times(const darc_syntax *s);

/* Return whether the name is what a sensor's delay has. */
bool darc_is_sensor_delay(const darc_syntax *s, const char *name);

/* Write delays of sensors into the equations: of the signals that are equally
 * late, those with the highest derivatives there stay as they are, the others
 * become delay(.., T), T a difference of such parameters; functions as a whole.
 */
void darc_sensors_delay(darc_syntax *syntax);

/* Make a state of every unknown input w, w' = w_1, w_1' = w_2, ..., of so many
 * states, the last one constant; return whether there is one. */
bool darc_syntax_chain(darc_syntax *s, int length);
