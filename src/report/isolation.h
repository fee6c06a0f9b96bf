/* isolation.h - the record of an isolation (darc/report.h), and its writers. */
#ifndef DARC_REPORT_ISOLATION_H
#define DARC_REPORT_ISOLATION_H

#include "diagnose/isolate.h"
#include "report/report.h"

/* Set r, whose head, data and notes stand there, from the result and the names
 * of the model; both must stay.  Release it with darc_isolation_clear. */
void darc_isolation_set(darc_isolation *r, const darc_isolate *result,
                        const darc_names_t names);
void darc_isolation_clear(darc_isolation *r);

/* Append the isolation as JSON: "equal", "candidates", "diagnosis". */
void darc_isolation_json(darc_text_t out, const darc_isolation *r);

/* Append it as text: the diagnosis, what moved, the candidates; verbose: the
 * rejected ones too; quiet: the diagnosis alone. */
void darc_isolation_print(darc_text_t out, const darc_isolation *r, bool quiet,
                          bool verbose);

#endif
