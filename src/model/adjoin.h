/* adjoin.h - one function becomes a new unknown with an equation. */
#ifndef DARC_MODEL_ADJOIN_H
#define DARC_MODEL_ADJOIN_H

#include "model/rewriter.h"

/* Replace *call, a smooth function of not only measured signals, by a new
 * state and add the state's equations. */
DARC_CHECKED darc_status darc_adjoin_function(darc_rewriter *rw,
                                              darc_expr **call);

/* Replace *power, base^(p/q), by r^p with a new r = base^(1/q). */
DARC_CHECKED darc_status darc_adjoin_root(darc_rewriter *rw, darc_expr **power,
                                          slong p, slong q);

/* Return the condition of an IF: if a > b then 1 else 0.  Replace *call, if s
 * then e1 else e2, by e2 + s*(e1 - e2), where s stands for the condition. */
darc_expr *darc_adjoin_condition(const darc_expr *call);
void darc_adjoin_choice_take(darc_expr **call, darc_expr *s);

#endif
