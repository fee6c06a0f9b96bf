/* holding.h - relations held against the recordings of a session: for each
 * the report's entry and, when asked for, the residual series.
 */
#ifndef DARC_CLI_HOLDING_H
#define DARC_CLI_HOLDING_H

#include "cli/session.h"
#include "darc/pointwise.h"
#include "darc/report.h"

typedef struct {
    darc_relations_t relations;
    bool has_relations;
    darc_pointwise *result;       /* per relation; owned */
    darc_report_relation *report; /* per relation; owned */
    int count;                    /* relations held */
    char **text;                  /* strings of the report; owned */
    int texts;
} darc_holding;

/* Derive the relations of the test and hold them against the recordings of
 * s by the pointwise method.  With several relations each is tested at
 * alpha / count (Bonferroni).  series: keep the residuals.
 * Fails: as the steps do. */
DARC_CHECKED darc_status darc_hold_pointwise(darc_holding *h, darc_session *s,
                                             darc_test test, bool series,
                                             darc_err *err);
void darc_holding_clear(darc_holding *h);

#endif
