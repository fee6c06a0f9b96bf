/* expr.h - expression trees of the model language, to be walked.
 *
 * A tree is read by asking each node for its kind, its children and its
 * value.  Sums and products have any number of children; a - b is the sum of
 * a and the NEGATE of b, a/b the product of a and the INVERT of b.  Constants
 * of the model appear as NUMBER.
 */
#ifndef DARC_EXPR_H
#define DARC_EXPR_H

#include "darc/ranking.h"
#include "darc/text.h"

DARC_BEGIN_DECLS

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
    X(TABLE, "table", 2, 2) /* one child; darc_expr_file names the table */

typedef enum {
#define DARC_FUNCTION_ENUM(id, name, least, most) DARC_FUNCTION_##id,
    DARC_FUNCTION_LIST(DARC_FUNCTION_ENUM)
#undef DARC_FUNCTION_ENUM
} darc_function;

darc_expr_kind darc_expr_get_kind(const darc_expr *e);

/* Return the number of children, and child i. */
int darc_expr_count(const darc_expr *e);
const darc_expr *darc_expr_child(const darc_expr *e, int i);

/* Return the double nearest to a NUMBER. */
double darc_expr_number(const darc_expr *e);

/* Return whether e is a rational constant: numbers and + - * / ^ alone, with
 * integer exponents; *value (may be NULL) becomes the nearest double. */
bool darc_expr_is_constant(const darc_expr *e, double *value);

/* Return the value of e in doubles, value(user, d) being that of the
 * derivative d of an unknown; NAN where it needs more than these: a delay, a
 * table, the derivative of an expression. */
double darc_expr_eval(const darc_expr *e,
                      double (*value)(void *user, darc_deriv d), void *user);

/* Return the derivative that an UNKNOWN stands for, in the model's names. */
darc_deriv darc_expr_deriv(const darc_expr *e);

/* Return the order of a DERIVATIVE, >= 1. */
int darc_expr_order(const darc_expr *e);

/* Return the function of a CALL, the name of a function, the file of a
 * TABLE as it stands in the model (relative to the model's directory). */
darc_function darc_expr_function(const darc_expr *e);
const char *darc_function_name(darc_function f);
const char *darc_expr_file(const darc_expr *e);

/* Append e in the model language; reading it back gives it again. */
void darc_expr_print(darc_text_t out, const darc_expr *e);

DARC_END_DECLS

#endif
