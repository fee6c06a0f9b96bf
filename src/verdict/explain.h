/* explain.h - which sets of parameters make every pair that another makes. */
#ifndef DARC_VERDICT_EXPLAIN_H
#define DARC_VERDICT_EXPLAIN_H

#include "darc/isolate.h"

/* List in c->equivalent the sets of parameters, of at most one parameter more
 * than c and not holding it, whose relations all vanish on the pairs that c
 * makes (random integer parameters, exact arithmetic). */
DARC_CHECKED darc_status darc_explain(darc_isolate_candidate *c,
                                      const darc_ioeqs_t io,
                                      const int *parameter, int parameters,
                                      const darc_budget *budget, darc_err *err);

#endif
