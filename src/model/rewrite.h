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

#include "model/rewriter.h"

/* Return whether an equation or assumption contains a function. */
bool darc_rewrite_needed(const darc_syntax *syntax);

/* Rewrite all functions in syntax, whose names are bound, and list what stands
 * for them; for a simulation every smooth function by a differential equation.
 * Fails: DARC_MODEL for a function that has no differential equation and
 * whose arguments are not measured; DARC_LIMIT past DARC_MAX_UNKNOWNS. */
DARC_CHECKED darc_status darc_rewrite(darc_syntax *syntax,
                                      darc_adjoineds *adjoined,
                                      const darc_script *script,
                                      bool simulation);

#endif
