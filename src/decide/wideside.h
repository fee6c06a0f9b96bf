/* wideside.h - one recording of an io-equation of many terms. */
#ifndef DARC_DECIDE_WIDESIDE_H
#define DARC_DECIDE_WIDESIDE_H

#include "decide/decision.h"
#include "decide/moments.h"

typedef struct {
    const darc_question *x;  /* of the equation alone; kept */
    const darc_table *table; /* kept */
    darc_regression r;
    darc_moments columns;
} darc_wideside;

/* Set s to a recording; release it with darc_wideside_clear in any case.
 * Fails: as darc_regression_init and darc_moments_init; DARC_DATA with
 * s->r.idle where the recording cannot answer: no signal moves, it is too
 * short, or the terms are too many. */
DARC_CHECKED darc_status darc_wideside_init(darc_wideside *s,
                                            const darc_question *x,
                                            const darc_table *table,
                                            darc_err *err);
void darc_wideside_clear(darc_wideside *s);

/* Where d is a rejection, let it be undecided if noise that is not known to be
 * white, or errors of derived signals, may have made it. */
void darc_wideside_doubt(darc_decision *d, const darc_wideside *s);

#endif
