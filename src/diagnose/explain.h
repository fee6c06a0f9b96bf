/* explain.h - which sets of parameters make every pair that another makes. */
#ifndef DARC_DIAGNOSE_EXPLAIN_H
#define DARC_DIAGNOSE_EXPLAIN_H

#include "coefficient/classes.h"
#include "diagnose/isolate.h"
#include "identify/identify.h"

/* What sets are sought with; nothing is owned. */
typedef struct {
    int names;                            /* of the model */
    const darc_identification_struct *id; /* complete */
    darc_classes_struct *classes;
    const int *parameter; /* those that may change */
    int parameters;
    const darc_budget *budget;
} darc_explanation;

/* List in c->equivalent the sets of parameters, of at most one parameter more
 * than c and not holding it, that explain a change of c (isolable.h).
 * Fails: as darc_isolable_explains; what was found stays. */
DARC_CHECKED darc_status darc_explain(darc_isolate_candidate *c,
                                      const darc_explanation *x, darc_err *err);

#endif
