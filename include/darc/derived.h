/* derived.h - derived signals: computed from measured ones before all else.
 *
 * The section `derived` of a model holds signals such as s = sign(q') or
 * v = delay(u, 0.001).  Equations use them like measured inputs; their values
 * are computed from the recording, in the order given here: a derived signal
 * depends on measured signals, on time and on derived signals before it.  A
 * derivative in the expression is a smoothed one.
 */
#ifndef DARC_DERIVED_H
#define DARC_DERIVED_H

#include "darc/expr.h"
#include "darc/model.h"

/* Return the number of derived signals. */
int darc_derived_count(const darc_model *model);

/* Return the unknown that derived signal i is, and its expression, which
 * belongs to the model. */
int darc_derived_unknown(const darc_model *model, int i);
const darc_expr *darc_derived_expr(const darc_model *model, int i);

/* Return which derived signal unknown u is, -1 if it is none. */
int darc_derived_find(const darc_model *model, int u);

#endif
