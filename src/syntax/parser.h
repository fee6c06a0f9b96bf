/* parser.h - where a parser of the model language stands, and its next steps.
 */
#pragma once

#include "syntax/syntax.h"

/* ---- token: the words of the language
 * -----------------------------------------
 *
 * The whole text is cut into tokens first, so that the parser may look ahead.
 * A newline is a token only where it ends a statement: not after an operator
 * and not inside parentheses, and never twice in a row.  In Modelica it never
 * is one, comments and annotations are none either, and `elseif` is two words;
 * names of flat classes become plain: r1.v is r1_v, x[2] is x_2, 'a b' a_b.
 */

typedef enum {
    TOKEN_END,
    TOKEN_BAD, /* not a word of the language: see darc_tokens.bad */
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* s, n: between the quotes, escapes still in it */
    TOKEN_UNIT,   /* s, n: between the brackets, trimmed */
    TOKEN_PRIME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_NEWLINE, /* behind it and all below a statement goes on */
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_SLASH,
    TOKEN_POWER,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_COMPARISON, /* > < >= <= */
    TOKEN_EQUAL,
    TOKEN_DIFFERS, /* != */
    TOKEN_ABOVE,   /* >> */
    TOKEN_ARROW    /* <-, of factor spaces */
} darc_token_kind;

typedef struct {
    darc_token_kind kind;
    const char *s; /* n characters of the script, or of `plain`; not owned */
    size_t n;
    darc_place place;
    bool first; /* the first word of its line */
} darc_token;

typedef struct {
    size_t count;
    darc_token *token; /* count tokens, the last TOKEN_END or _BAD; owned */
    size_t plains;
    char **plain; /* names that stand otherwise in the script; owned */
    darc_err bad; /* what is wrong with TOKEN_BAD */
} darc_tokens;

/* Cut the script into tokens; it must outlive them.  What is no token ends
 * them with TOKEN_BAD, so that the parser reports the first error of the
 * text, be it here or there. */
void darc_tokens_init(darc_tokens *tokens, const darc_script *script);
void darc_tokens_clear(darc_tokens *tokens);

/* Return whether the token is the name (or keyword) word. */
bool darc_token_is(const darc_token *token, const char *word);

/* Return the token's characters, a string's without its escapes, to be freed.
 */
char *darc_token_text(const darc_token *token);

typedef struct {
    const darc_script *script;
    const darc_tokens *tokens;
    size_t at; /* the token to read next */
    int depth; /* of nesting */
} darc_parser;

/* Return the token to read next, or the one `ahead` of it. */
const darc_token *darc_parser_peek(const darc_parser *p, size_t ahead);

/* Return whether the next token is of the kind, or that word, and step over it
 * if so. */
bool darc_parser_accept(darc_parser *p, darc_token_kind kind);
bool darc_parser_word(darc_parser *p, const char *word);

/* Return whether the next token is of the kind; if so, step over it and put its
 * characters in the place of *text. */
bool darc_parser_take(darc_parser *p, darc_token_kind kind, char **text);

/* Fail with "expected WHAT near 'token'" (or at the end of the line). */
darc_status darc_parser_expected(const darc_parser *p, const char *what);

/* Step over a token of the kind, or fail: "expected WHAT ...". */
DARC_STATUS darc_parser_expect(darc_parser *p, darc_token_kind kind,
                               const char *what);

/* Set *d to a new declaration of the name t, which lives until the next one.
 * Fails: DARC_LIMIT when there are too many. */
DARC_STATUS darc_parser_declare(darc_declaration **d, const darc_parser *p,
                                darc_syntax *out, const darc_token *t,
                                darc_section section);

/* Return the section whose header begins at the next token: a keyword first
 * in its line that is followed by a newline, a name or the end; otherwise
 * DARC_SECTIONS. */
darc_section darc_parser_section(const darc_parser *p);

/* expression -> term { ('+' | '-') term }
 * Set *e to it; after a failure to what was read so far.
 * Fails: DARC_SYNTAX, DARC_LIMIT with place, line and caret. */
DARC_STATUS darc_parse_expression(darc_parser *p, darc_expr **e);

/* ---- sensor: outputs whose sensors do more than show them ----------------
 *
 * `outputs zw offset delay lag gain` (any of them) says that the column zw is
 * not the zw of the equations, but, with parameters of its own,
 *     zw_lag*z' + z = zw_gain*zw_true(t - zw_delay) + zw_offset.
 * A delay is exact: along a recording equations that share what is not measured
 * hold as well when all that is measured in them is taken so much later.
 */

/* Read the words behind the declaration d of an output; `before` and `behind`,
 * on which side of steps its samples lie, too.
 * Fails: DARC_SYNTAX, where one stands twice, or both of the latter. */
DARC_STATUS darc_sensor_parse(darc_parser *p, darc_declaration *d);

/* Write all sensors but their delays into the equations, and declare their
 * parameters.
 * Fails: DARC_MODEL, with the place, where such a name is taken, or a derived
 * signal is computed from the column of such a sensor; or where an output that
 * stands in no equation is nearly such a word. */
DARC_STATUS darc_sensors_apply(darc_syntax *syntax, const darc_script *script);

/* ---- models in other languages (src/manual/modelica.md); as darc_parse ------
 *
 * Modelica 3, one flat class: Real variables become states, those with `output`
 * and `input` what is measured.  A parameter is unknown whatever number it is
 * given; one given 0 may be zero, one given by others is a state with that
 * equation.
 *
 * The @ODEmodel(...) of StructuralIdentifiability.jl: x'(t) = ... makes a state
 * of x, y(t) = ... an output of y; other names with (t) are inputs, those
 * without parameters.
 *
 * SBML, core of levels 2 and 3: species, and what has a rate rule, become
 * states, assignment rules equations, parameters as in Modelica, but sizes of
 * compartments known.  Functions are written out, local parameters called
 * REACTION_NAME; names that darc has itself end in _.
 */

DARC_STATUS darc_parse_modelica(darc_syntax *syntax, const darc_script *script);
DARC_STATUS darc_parse_julia(darc_syntax *syntax, const darc_script *script);
DARC_STATUS darc_parse_sbml(darc_syntax *syntax, const darc_script *script);

/* Return whether the file ends in .sbml or .xml, or the text begins as XML. */
bool darc_is_sbml(const darc_script *script);

/* Return whether e holds a function that obeys no differential equation, and so
 * can be of measured signals alone. */
bool darc_expr_is_rough(const darc_expr *e);

/* Make states with an equation of parameters that are given by others, `value`,
 * where equations hold them.  The others go: a number that is only shown must
 * not bind parameters.  `all`: with parameters and constants that nothing
 * holds.
 */
void darc_parameters_settle(darc_syntax *s, bool all);

/* Add what x += D says to the right side of x' = f: a dose is an input whose
 * integral over the moment is its amount.
 * Fails: DARC_MODEL, with the place, where there is no such equation, or what
 * is added holds no dose, or a signal. */
DARC_STATUS darc_doses_apply(darc_syntax *syntax, const darc_script *script);
