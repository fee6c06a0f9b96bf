/* explain.h - which sets of parameters make every pair that another makes. */
#ifndef DARC_DIAGNOSE_EXPLAIN_H
#define DARC_DIAGNOSE_EXPLAIN_H

#include "coefficient/classes.h"
#include "diagnose/isolate.h"

/* What sets are sought with; nothing is owned. */
typedef struct {
    const darc_ioeqs_struct *io;
    darc_blackbox_struct *g; /* of io */
    darc_classes_struct *classes;
    const int *parameter; /* those that may change */
    int parameters;
    double work; /* of a set, in products of terms */
} darc_explanation;

/* List in c->equivalent the sets of parameters, of at most one parameter more
 * than c and not holding it, that make every pair that c makes: pairs that
 * c besides does not make more of, by their dimension, or whose relations
 * all vanish on those of c and are all there is (at random parameters modulo
 * a prime).  What that work does not show is not listed.
 * Fails: as darc_coeffrel_init_blackbox. */
DARC_CHECKED darc_status darc_explain(darc_isolate_candidate *c,
                                      const darc_explanation *x, darc_err *err);

#endif
