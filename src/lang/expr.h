/* expr.h - expression trees from the inside: what the parser builds.
 *
 * A name stays a name until darc_check_names binds it (see check.h). */
#ifndef DARC_LANG_EXPR_H
#define DARC_LANG_EXPR_H

#include "darc/expr.h"
#include "darc/flint.h"
#include "lang/source.h"

struct darc_expr {
    darc_expr_kind kind;
    darc_place place;
    char *text;    /* NUMBER: as written; UNKNOWN: its name; TABLE: the file;
                      owned, else NULL */
    fmpq_t value;  /* NUMBER; the value of a constant once bound */
    bool constant; /* UNKNOWN that is bound to a constant */
    int unknown;   /* UNKNOWN: index in the symbol table; -1 before */
    int order;     /* UNKNOWN, DERIVATIVE: number of derivations */
    darc_function function; /* CALL */
    int count;              /* of children */
    size_t alloc;
    darc_expr **child; /* owned */
};

/* Return a node without children; text (may be NULL) is copied. */
darc_expr *darc_expr_new(darc_expr_kind kind, darc_place place,
                         const char *text, size_t length);
void darc_expr_free(darc_expr *e);

/* Append a child; NULL is ignored. */
void darc_expr_append_take(darc_expr *e, darc_expr *child);

/* Return a node of the kind with child as its only one; NULL for NULL. */
darc_expr *darc_expr_wrap_take(darc_expr_kind kind, darc_place place,
                               darc_expr *child);

darc_expr *darc_expr_copy(const darc_expr *e);

/* Return whether a and b are the same tree (places do not count). */
bool darc_expr_equal(const darc_expr *a, const darc_expr *b);

/* Set *f to the function of that name; return false if there is none. */
bool darc_function_find(darc_function *f, const char *name, size_t n);

/* Least and largest number of arguments of f. */
int darc_function_least(darc_function f);
int darc_function_most(darc_function f);

/* Set q to the value of the rational constant e.
 * Fails: DARC_MODEL, with the place, when e is none, divides by zero or
 * grows past DARC_MAX_COEFFICIENT_BITS; what names e in the message. */
DARC_CHECKED darc_status darc_expr_rational(fmpq_t q, const darc_expr *e,
                                            const char *what,
                                            const darc_source *source,
                                            darc_err *err);

/* Append text in quotes, with its escapes. */
void darc_quoted_print(darc_text_t out, const char *text);

#endif
