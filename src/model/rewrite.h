/* rewrite.h - functions in equations become unknowns with equations.
 *
 * A function of measured signals alone becomes a derived signal, one of
 * parameters alone a parameter, any other a state w with a differential
 * equation: w = exp(a) gives w' = w*a' with w != 0.  Such an equation
 * determines w up to a constant of integration only: what is concluded from
 * it is necessary.  sin and cos come from t = tan(a/2), sinh and cosh from
 * exp(a): what binds them is kept.
 * A root r = a^(1/n) is exact: r^n = a, solved for an unknown of a where that
 * can be done, so that this unknown is replaced everywhere.
 */
#ifndef DARC_MODEL_REWRITE_H
#define DARC_MODEL_REWRITE_H

#include "syntax/syntax.h"

/* What stands for a function of the model as written. */
typedef struct {
    char *name;      /* of the new unknown; owned */
    darc_expr *call; /* the function, in unknowns before it; owned */
    bool free;       /* equations determine it up to a constant only */
} darc_adjoined;

typedef struct {
    int count;
    size_t alloc;
    darc_adjoined *item; /* owned */
} darc_adjoineds;

/* An unknown to be replaced everywhere; no value contains such a name. */
typedef struct {
    char *name;       /* owned */
    darc_expr *value; /* owned */
    bool state;       /* else a parameter, which is dropped */
} darc_substitution;

typedef struct {
    darc_syntax *syntax; /* rewritten in place; its names are bound */
    darc_adjoineds *adjoined;
    const darc_source *source;
    bool simulation; /* every smooth function by a differential equation */
    int names;       /* numbered so far */
    int substitutions;
    size_t substitution_alloc;
    darc_substitution *substitution; /* owned */
    darc_err *err;
} darc_rewriter;

/* Return whether an equation or assumption contains a function. */
bool darc_rewrite_needed(const darc_syntax *syntax);

/* Set rw to rewrite syntax; darc_rewriter_clear leaves the syntax. */
void darc_rewriter_init(darc_rewriter *rw, darc_syntax *syntax,
                        darc_adjoineds *adjoined, const darc_source *source,
                        darc_err *err);
void darc_rewriter_clear(darc_rewriter *rw);

/* Rewrite all functions.
 * Fails: DARC_MODEL for a function that has no differential equation and
 * whose arguments are not measured; DARC_LIMIT past DARC_MAX_UNKNOWNS. */
DARC_CHECKED darc_status darc_rewrite(darc_rewriter *rw);

void darc_adjoineds_clear(darc_adjoineds *a);

/* ---- adjoin: one new unknown -------------------------------------------- */

/* What an expression contains. */
enum {
    DARC_HAS_MEASURED = 1, /* inputs, outputs, derived signals, time */
    DARC_HAS_PARAMETER = 2,
    DARC_HAS_STATE = 4,
    DARC_HAS_DERIVATIVE = 8
};

int darc_rewrite_contents(const darc_rewriter *rw, const darc_expr *e);

/* Return the declaration of the name, NULL if there is none (time). */
darc_declaration *darc_rewrite_find(const darc_rewriter *rw, const char *name);

/* Declare a new unknown in the section for the function call; its name is
 * made of the word and the call's argument.  Return its name. */
const char *darc_rewrite_declare(darc_rewriter *rw, const char *word,
                                 darc_section section, const darc_expr *call);

/* Return the name that already stands for the function, or NULL. */
const char *darc_rewrite_known(const darc_rewriter *rw, const darc_expr *call);

/* Replace *call, a smooth function of not only measured signals, by a new
 * state and add the state's equations. */
DARC_CHECKED darc_status darc_rewrite_adjoin(darc_rewriter *rw,
                                             darc_expr **call);

/* Replace *power, base^(p/q), by r^p with a new r = base^(1/q). */
DARC_CHECKED darc_status darc_rewrite_root(darc_rewriter *rw, darc_expr **power,
                                           slong p, slong q);

/* Append a statement left = right, or left != right, at the place of left. */
void darc_statements_append_take(darc_statements *s, darc_expr *left,
                                 darc_expr *right);

/* ---- isolate ------------------------------------------------------------ */

/* Solve e = value for an unknown of the section that e contains once: return
 * its name and set *solution; NULL when e is not of that form.  value is
 * copied. */
const char *darc_isolate(const darc_rewriter *rw, darc_section section,
                         const darc_expr *e, const darc_expr *value,
                         darc_expr **solution);

/* Replace every derivative of the unknown in *e by that of value. */
void darc_substitute(darc_expr **e, const char *name, const darc_expr *value);

/* Replace all that is to be replaced in *e. */
void darc_substitute_known(const darc_rewriter *rw, darc_expr **e);

/* Remember to replace name by value. */
void darc_substitute_later_take(darc_rewriter *rw, const char *name,
                                darc_expr *value, bool state);

/* Replace in all statements; a state keeps the equation name = value. */
void darc_substitute_all(darc_rewriter *rw);

#endif
