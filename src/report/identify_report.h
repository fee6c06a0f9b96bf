/* identify_report.h - what measurements can tell of parameters
 * (darc/identify.h): the record, and its writers.
 */
#ifndef DARC_REPORT_IDENTIFY_REPORT_H
#define DARC_REPORT_IDENTIFY_REPORT_H

#include "identify/isolable.h"
#include "projection/ioeq.h"

/* Set `to` from what was found, which must stay; table NULL: not known.
 * Release it with darc_identified_clear. */
void darc_identified_set(darc_identified *to,
                         const darc_identification_struct *id,
                         const darc_isolability_struct *table);
void darc_identified_clear(darc_identified *found);

typedef struct {
    const char *model, *file;
    const darc_ioeqs_struct *io; /* NULL: not known */
    const darc_identified *found;
} darc_identify_report;

/* Append the findings in words: a line for each parameter, with what explains
 * its change, and the functions; verbose: the equations, proofs, and the claim
 * that is made. */
void darc_identify_text(darc_text_t out, const darc_identify_report *r,
                        bool verbose);

/* Append the findings as JSON: io_equations (null where not expanded),
 * io_sizes, identifiable, complete, rank, parameters, isolable. */
void darc_identify_json(darc_text_t out, const darc_identify_report *r);

#endif
