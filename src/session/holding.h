/* holding.h - a model held against the recordings of a session: for every
 * relation the report's entry, by the pointwise or the weak method.
 */
#ifndef DARC_SESSION_HOLDING_H
#define DARC_SESSION_HOLDING_H

#include "decide/pointwise.h"
#include "decide/weakcheck.h"
#include "report/report.h"
#include "session/session.h"

typedef struct {
    int count;                    /* relations held */
    darc_report_relation *report; /* of each; owned */
    char **text;                  /* strings of the report; owned */
    int texts;

    /* Pointwise. */
    darc_relations_t relations;
    bool has_relations;
    int results;            /* relations with a residual */
    darc_pointwise *result; /* of each; owned */

    /* Weak. */
    darc_weakcheck *weak;    /* of each; owned */
    int estimates;           /* of all together; they belong to `weak` */
    darc_estimate *estimate; /* owned array */
} darc_holding;

/* Derive the relations of the test and hold them against the recordings of
 * s.  With several relations each is tested at alpha / count (Bonferroni).
 * The method DARC_METHOD_AUTO takes the weak form where it applies, else the
 * pointwise residual, and notes why.
 * Fails: as the steps do. */
DARC_CHECKED darc_status darc_hold(darc_holding *h, darc_session *s,
                                   darc_test test, darc_err *err);

/* The same by one method. */
DARC_CHECKED darc_status darc_hold_pointwise(darc_holding *h, darc_session *s,
                                             darc_test test, darc_err *err);
DARC_CHECKED darc_status darc_hold_weak(darc_holding *h, darc_session *s,
                                        darc_test test, darc_err *err);
void darc_holding_clear(darc_holding *h);

/* Evaluate the residuals of the test's relations for display; where that
 * fails for the data's sake there are none.  h holds no relations before.
 * Fails: on a spent budget. */
DARC_CHECKED darc_status darc_hold_residuals(darc_holding *h, darc_session *s,
                                             darc_test test, darc_err *err);

/* Set the relation and the residual of h->report[e] from the first relation
 * that comes from io-equation e, if there is one with a residual. */
void darc_hold_show(darc_holding *h, int e);

/* Plot the residuals that were kept, in lines of up to `width` columns. */
void darc_holding_plot(darc_holding *h, int width, bool utf8);

/* Keep t, which becomes empty, and return its characters. */
const char *darc_holding_keep(darc_holding *h, darc_text_t t);

/* Set the inequations of to, printed from p in the frame jet. */
void darc_holding_inequations(darc_holding *h, darc_report_relation *to,
                              const darc_dpolys_t p, const darc_jet_t jet);

#endif
