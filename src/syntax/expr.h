/* expr.h - expression trees of the model language.
 *
 * A name stays a name until darc_check_names binds it.  Sums and products have
 * any number of children; a - b is the sum of a and the NEGATE of b, a/b the
 * product of a and the INVERT of b.  Constants of the model appear as NUMBER.
 */
#pragma once

#include "algebra/ranking.h"
#include "base/flint.h"
#include "base/text.h"

/* ---- script: the text of a model, and messages that point into it -----------
 */

typedef struct {
    int line, column; /* from 1; a column is a character, not a byte */
} darc_place;

typedef enum {
    DARC_LANGUAGE_DARC,
    DARC_LANGUAGE_PRINTED, /* by darc: outputs and parameters may have numbers
                            */
    DARC_LANGUAGE_MODELICA,
    DARC_LANGUAGE_JULIA,
    DARC_LANGUAGE_SBML,
    DARC_LANGUAGE_FACTORS /* of factor spaces: its words are darc's, and '<-' */
} darc_language;

typedef struct {
    const char *text; /* length bytes; not owned */
    size_t length;
    const char *file; /* name for messages; not owned */
    darc_err *err;    /* where messages go; may be NULL */
    darc_language language;
    const struct darc_reading *how; /* NULL: as it says */
} darc_script;

/* How a model is read. */
typedef struct darc_reading {
    bool simulated;       /* with the numbers that another language gives */
    const char *measured; /* signals that are, as "a,b", in place of its
                             outputs; NULL: as it says */
    bool whole;  /* smooth functions of measured signals are of states */
    bool shared; /* of a simulation, too, arguments of functions are shared */
} darc_reading;

/* Return the language of a model, by the end of the file's name, or how the
 * text begins. */
darc_language darc_language_of(const darc_script *script);

/* Record "file:line:column: error: MESSAGE", the line of the script, and a
 * caret under the place; return status.  Of script NULL only that. */
darc_status darc_script_fail(const darc_script *script, darc_place place,
                             darc_status status, const char *format, ...)
    DARC_PRINTF(4, 5);

/* The same where x, a token or an expression, stands in the script of c. */
#define DARC_FAIL_SYNTAX(c, x, ...)                                            \
    darc_script_fail((c)->script, (x)->place, DARC_SYNTAX, __VA_ARGS__)
#define DARC_FAIL_MODEL(c, x, ...)                                             \
    darc_script_fail((c)->script, (x)->place, DARC_MODEL, __VA_ARGS__)

typedef struct darc_expr darc_expr;

typedef enum {
    DARC_EXPR_NUMBER,     /* an exact rational */
    DARC_EXPR_UNKNOWN,    /* a derivative u^(k) of an unknown of the model */
    DARC_EXPR_SUM,        /* of its children */
    DARC_EXPR_PRODUCT,    /* of its children */
    DARC_EXPR_NEGATE,     /* -a */
    DARC_EXPR_INVERT,     /* 1/a */
    DARC_EXPR_POWER,      /* children: base, exponent */
    DARC_EXPR_DERIVATIVE, /* the derivative of its child, of some order */
    DARC_EXPR_CALL        /* a function of its children */
} darc_expr_kind;

/* Functions: identifier, name, least and largest number of arguments (99:
 * any number). */
#define DARC_FUNCTION_LIST(X)                                                  \
    X(SQRT, "sqrt", 1, 1)                                                      \
    X(EXP, "exp", 1, 1)                                                        \
    X(LOG, "log", 1, 1) /* natural */                                          \
    X(SIN, "sin", 1, 1)                                                        \
    X(COS, "cos", 1, 1)                                                        \
    X(TAN, "tan", 1, 1)                                                        \
    X(ASIN, "asin", 1, 1)                                                      \
    X(ACOS, "acos", 1, 1)                                                      \
    X(ATAN, "atan", 1, 1)                                                      \
    X(SINH, "sinh", 1, 1)                                                      \
    X(COSH, "cosh", 1, 1)                                                      \
    X(TANH, "tanh", 1, 1)                                                      \
    X(ABS, "abs", 1, 1)                                                        \
    X(SIGN, "sign", 1, 1) /* -1, 0, 1 */                                       \
    X(MIN, "min", 2, 99)                                                       \
    X(MAX, "max", 2, 99)                                                       \
    X(DELAY, "delay", 2, 2) /* a signal, a time in s >= 0 */                   \
    X(MEAN, "mean", 2, 2)   /* of a signal, over so many s before */           \
    X(TABLE, "table", 2, 2) /* one child; with points, x and y of each too */  \
    X(INT, "int", 1, 1)     /* from the first sample */                        \
    X(IF, "if", 4, 4)       /* if 0 and 1 compare so, then 2, else 3 */

typedef enum {
#define DARC_FUNCTION_ENUM(id, name, least, most) DARC_FUNCTION_##id,
    DARC_FUNCTION_LIST(DARC_FUNCTION_ENUM)
#undef DARC_FUNCTION_ENUM
} darc_function;

struct darc_expr {
    darc_expr_kind kind;
    darc_place place;
    char *text;    /* NUMBER: as written; UNKNOWN: its name; TABLE: the file,
                      relative to the model's directory, NULL where the points
                      stand in the model; IF: how it compares, ">", "<=", ...;
                      owned, else NULL */
    fmpq_t value;  /* NUMBER; the value of a constant once bound */
    bool constant; /* UNKNOWN that is bound to a constant */
    int unknown;   /* UNKNOWN: index in the symbol table; -1 before */
    int order;     /* UNKNOWN, DERIVATIVE: number of derivations */
    darc_function function; /* CALL */
    int count;              /* of children */
    darc_expr **child;      /* owned */
};

/* Return the kind; NUMBER for a name that is bound to a constant. */
darc_expr_kind darc_expr_get_kind(const darc_expr *e);

/* Return the double nearest to a NUMBER. */
double darc_expr_number(const darc_expr *e);

/* Return whether e is a rational constant: numbers and + - * / ^ alone, with
 * integer exponents; *value (may be NULL) becomes the nearest double. */
bool darc_expr_is_constant(const darc_expr *e, double *value);

/* Return the value of e in doubles, value(user, d) being that of the
 * derivative d of an unknown; NAN where it needs more than these: a delay, an
 * integral, a table in a file, the derivative of an expression. */
double darc_expr_eval(const darc_expr *e,
                      double (*value)(void *user, darc_deriv d), void *user);

/* Set *x to the value of e modulo mod.n, which may be composite, where the seed
 * draws those of names, derivatives, and functions of what has a value: what is
 * the same rational function has the same value, and hardly anything else.
 * Return false where a divisor has no inverse. */
bool darc_expr_residue(ulong *x, const darc_expr *e, nmod_t mod, ulong seed);

/* Return the derivative that an UNKNOWN stands for, in the model's names. */
darc_deriv darc_expr_deriv(const darc_expr *e);

/* Return how often the name stands in e. */
int darc_expr_occurrences(const darc_expr *e, const char *name);

/* Append e in the model language; reading it back gives it again. */
void darc_expr_print(darc_text_t out, const darc_expr *e);

/* How another language writes what differs. */
typedef struct {
    const char *power; /* "^" */
    void (*unknown)(darc_text_t out, const darc_expr *e, void *user);
    void (*number)(darc_text_t out, const darc_expr *e, bool divides);
    const char *(*function)(darc_function f); /* its name; both NULL: darc's */
    const char *derive, *order; /* of an expression: "der(", ","; the order */
    bool always;                /* stands there even where it is 1 */
    void *user;
} darc_dialect;

void darc_expr_print_as(darc_text_t out, const darc_dialect *d,
                        const darc_expr *e);

/* Return a node without children; text (may be NULL) is copied. */
darc_expr *darc_expr_new(darc_expr_kind kind, darc_place place,
                         const char *text, size_t length);
void darc_expr_free(darc_expr *e);

/* Append a child; NULL is ignored. */
void darc_expr_append_take(darc_expr *e, darc_expr *child);

/* Return a node of the kind with child as its only one; NULL for NULL. */
darc_expr *darc_expr_wrap_take(darc_expr_kind kind, darc_place place,
                               darc_expr *child);

/* Return a node of the kind, at the place of a, of a and, unless NULL, b. */
darc_expr *darc_expr_join_take(darc_expr_kind kind, darc_expr *a, darc_expr *b);

/* Return a name, not bound; an integer; the derivative of e, of an order that a
 * name, or a derivative, counts as its own. */
darc_expr *darc_expr_name(darc_place place, const char *name);
darc_expr *darc_expr_integer(darc_place place, slong n);
darc_expr *darc_expr_derive_take(darc_place place, darc_expr *e, int order);

/* Put by, derived as often as the name is, in the place of the name. */
void darc_expr_substitute(darc_expr **e, const char *name, const darc_expr *by);

darc_expr *darc_expr_copy(const darc_expr *e);

/* Return the tree of the n characters at s; NULL: they are no expression. */
darc_expr *darc_expr_read(const char *s, size_t n);

/* Return the tree of a formula, such as "(1 + W^2)*A'": A stands for a, any
 * other name for w, which may be NULL where there is none; numbers stand at
 * `at`. */
darc_expr *darc_expr_formula_take(darc_place at, const char *formula,
                                  darc_expr *a, darc_expr *w);

/* Return the form of a function of that name, which is made of others: ln,
 * log10, asinh; NULL: there is none.  And such a function of a. */
const char *darc_form_find(const char *name, size_t n);
darc_expr *darc_form_take(darc_place at, const char *form, darc_expr *a);

/* Return how many nodes the tree has. */
size_t darc_expr_nodes(const darc_expr *e);

/* Return whether a and b are the same tree (places do not count). */
bool darc_expr_equal(const darc_expr *a, const darc_expr *b);

/* Set *f to the function of that name; return false if there is none. */
bool darc_function_find(darc_function *f, const char *name, size_t n);

/* Return the name of f, and set its least and largest number of arguments. */
const char *darc_function_name(darc_function f);

/* Return the function itself, one of a number alone. */
double (*darc_function_of(darc_function f))(double);
void darc_function_arguments(int *least, int *most, darc_function f);

/* Set q to the value of the rational constant e.
 * Fails: DARC_MODEL, with the place, when e is none, divides by zero or
 * grows past DARC_MAX_COEFFICIENT_BITS; what names e in the message.  script
 * may be NULL. */
DARC_STATUS darc_expr_rational(fmpq_t q, const darc_expr *e, const char *what,
                               const darc_script *script);

/* Append text in quotes, with its escapes. */
void darc_quoted_print(darc_text_t out, const char *text);

/* Where the root is a number times the root `known`, return the product of that
 * number, a power or a rational one, and the name; with `inverse` also of the
 * number and 1/name.  NULL: it is no such root. */
darc_expr *darc_multiple_of(const darc_expr *root, const darc_expr *known,
                            const char *name, bool inverse);

/* Make a power x^g whose exponent is no number exp(g*log(x)). */
void darc_power_to_function(darc_expr **e);
