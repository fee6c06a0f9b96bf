/* derived.h - derived signals: computed from measured ones before all else.
 *
 * The section `derived` of a model holds signals such as s = sign(q') or
 * v = delay(u, 0.001).  Equations use them like measured inputs; their values
 * are computed from the recording, in the order given here: a derived signal
 * depends on measured signals, on time and on derived signals before it.  A
 * derivative in the expression is a smoothed one.
 */
#ifndef DARC_MODEL_DERIVED_H
#define DARC_MODEL_DERIVED_H

#include "model/model.h"
#include "syntax/expr.h"

/* Return the number of derived signals. */
int darc_derived_count(const darc_model *model);

/* Return the unknown that derived signal i is, and its expression, which
 * belongs to the model. */
int darc_derived_unknown(const darc_model *model, int i);
const darc_expr *darc_derived_expr(const darc_model *model, int i);

/* Return which derived signal unknown u is, -1 if it is none. */
int darc_derived_find(const darc_model *model, int u);

/* ---- functions in equations ---------------------------------------------
 *
 * A function in an equation is rewritten when the model is read
 * (darc_model_print_rewritten shows how): something new stands for it.  Of
 * measured signals (also of a state that an equation `y = x` says to be
 * measured) it is a derived signal, of parameters alone a parameter, else a
 * state with differential equations.
 */

/* Return the number of such unknowns. */
int darc_adjoined_count(const darc_model *model);

/* Return the unknown, its kind being that of its symbol, and the function
 * that it stands for, in the unknowns of the model and those adjoined before
 * it: this gives a state its initial value. */
int darc_adjoined_unknown(const darc_model *model, int i);
const darc_expr *darc_adjoined_expr(const darc_model *model, int i);

/* Return whether the rewritten model binds it to its function exactly; if not,
 * then up to a constant of integration (exp: a factor), or, for a parameter,
 * not at all: a change of parameters that this can absorb is not seen. */
bool darc_adjoined_is_exact(const darc_model *model, int i);
bool darc_adjoined_are_exact(const darc_model *model); /* all */

/* Append a text for people: names that the model does not have, such as cos_1,
 * become what they stand for, cos(q1 + q2). */
void darc_adjoined_say(darc_text_t out, const darc_model *model,
                       const char *text);

/* Set *out to the rewritten model in which functions that became states, of
 * measured signals and parameters u with given[u] alone, are measured too, by
 * outputs of their own; *count: how many.  Where that is 0, *out stays.
 * Fails: as darc_model_parse. */
DARC_CHECKED darc_status darc_model_reveal(darc_model **out, int *count,
                                           const darc_model *model,
                                           const bool *given, darc_err *err);

#endif
