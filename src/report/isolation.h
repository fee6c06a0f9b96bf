/* isolation.h - the report of an isolation: which parameters changed. */
#ifndef DARC_REPORT_ISOLATION_H
#define DARC_REPORT_ISOLATION_H

#include "diagnose/isolate.h"
#include "report/report.h"

/* What the writers need besides the result; nothing is owned. */
typedef struct {
    const char *command_line;
    const darc_model *model;
    const darc_report_data *data; /* two recordings */
    const darc_isolate *result;
    int notes;
    const char *const *note;
} darc_isolation;

/* Append the isolation as JSON: "equal", "candidates", "diagnosis". */
void darc_isolation_json(darc_text_t out, const darc_isolation *r);

/* Append it as text: a table of candidates, likeliest first. */
void darc_isolation_print(darc_text_t out, const darc_isolation *r, bool quiet);

/* Return consistent when one diagnosis is left (or no change), undecided
 * when several are or the data do not decide, inconsistent when no set of
 * parameters explains the recordings. */
darc_verdict darc_isolation_verdict(const darc_isolate *result);

#endif
