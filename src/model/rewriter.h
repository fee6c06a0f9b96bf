/* rewriter.h - a model whose functions are being replaced by new unknowns. */
#ifndef DARC_MODEL_REWRITER_H
#define DARC_MODEL_REWRITER_H

#include "syntax/syntax.h"

/* What stands for a function of the model as written. */
typedef struct {
    char *name;      /* of the new unknown; owned */
    darc_expr *call; /* the function, in unknowns before it; owned */
    bool free;       /* equations determine it up to a constant only */
} darc_adjoined;

typedef struct {
    int count;
    darc_adjoined *item; /* owned */
} darc_adjoineds;

void darc_adjoineds_clear(darc_adjoineds *a);

/* An unknown to be replaced everywhere; no value contains such a name. */
typedef struct {
    char *name;       /* owned */
    darc_expr *value; /* owned */
    bool state;       /* else a parameter, which is dropped */
} darc_substitution;

typedef struct {
    darc_syntax *syntax; /* rewritten in place; its names are bound */
    darc_adjoineds *adjoined;
    const darc_script *script;
    bool simulation; /* every smooth function by a differential equation */
    int names;       /* numbered so far */
    int substitutions;
    darc_substitution *substitution; /* owned */
} darc_rewriter;

void darc_rewriter_clear(darc_rewriter *rw);

/* Return whether e consists of parameters and constants; of inputs, outputs,
 * derived signals, time and constants, and of no derivative. */
bool darc_rewriter_is_parametric(const darc_rewriter *rw, const darc_expr *e);
bool darc_rewriter_is_measured(const darc_rewriter *rw, const darc_expr *e);

/* Declare a new unknown in the section for the function call; its name is
 * made of the word and the call's argument.  Return it, valid until the next
 * one is declared; its name stays. */
darc_adjoined *darc_rewriter_declare(darc_rewriter *rw, const char *word,
                                     darc_section section,
                                     const darc_expr *call);

/* Return the name that already stands for the function, or NULL. */
const char *darc_rewriter_known(const darc_rewriter *rw, const darc_expr *call);

/* ---- an unknown of an equation, put in its place everywhere ----------------
 */

/* Solve e = value for an unknown of the section that e contains once: return
 * its name and set *solution; NULL when e is not of that form.  value is
 * copied. */
const char *darc_solve_for(const darc_rewriter *rw, darc_section section,
                           const darc_expr *e, const darc_expr *value,
                           darc_expr **solution);

/* Replace all that is to be replaced in *e, and its derivatives. */
void darc_substitute_known(const darc_rewriter *rw, darc_expr **e);

/* Remember to replace name by value. */
void darc_substitute_later_take(darc_rewriter *rw, const char *name,
                                darc_expr *value, bool state);

/* Replace in all statements; a state keeps the equation name = value. */
void darc_substitute_all(darc_rewriter *rw);

/* Return what the statement says that name' is, where it holds the name but
 * once; NULL where it does not say so. */
darc_expr *darc_solve_rate(const darc_statement *s, const char *name);

/* ---- adjoin: one function becomes a new unknown with an equation -----------
 */

/* Replace *call, a smooth function of not only measured signals, by a new
 * state and add the state's equations. */
DARC_CHECKED darc_status darc_adjoin_function(darc_rewriter *rw,
                                              darc_expr **call);

/* Replace *power, base^(p/q), by r^p with a new r = base^(1/q). */
void darc_adjoin_root(darc_rewriter *rw, darc_expr **power, slong p, slong q);

#endif
