/* substitute.h - an unknown of an equation, solved for and put in its place
 * everywhere. */
#ifndef DARC_MODEL_SUBSTITUTE_H
#define DARC_MODEL_SUBSTITUTE_H

#include "model/rewriter.h"

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

#endif
