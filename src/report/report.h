/* report.h - writers of the records of commands (darc/report.h and beside it),
 * as text and JSON; the fields are those of src/manual/json.md.  Quiet is the
 * verdict alone.
 */
#pragma once

#include "base/carrier.h"
#include "base/text.h"
#include "darc/fulfil.h"
#include "darc/plan.h"
#include "darc/report.h"
#include "diagnose/isolate.h"
#include "emit/json.h"
#include "identify/isolable.h"

/* Append the report of a check or, without relations, of values. */
void darc_report_json(darc_text_t out, const darc_report *r);
void darc_report_print(darc_text_t out, const darc_report *r, bool quiet,
                       bool verbose);

/* Append the "data" array, a decision under a key, the "estimates" of one
 * recording or two; the lines of recordings: what the reports of other
 * commands share. */
void darc_report_json_data(darc_json *j, const darc_report_data *data,
                           int recordings);
void darc_report_json_decision(darc_json *j, const char *key,
                               const darc_decision *d);
void darc_report_json_estimates(darc_json *j, const darc_estimate *e, int n,
                                bool two);
void darc_report_print_data(darc_text_t out, const darc_report_data *data,
                            int recordings);
void darc_report_print_defect(darc_text_t out, const darc_decision *d);

/* What a report, or an isolation, tells of the parameters: its values where
 * these were sought, else the estimates; list and number. */
#define DARC_TOLD_VALUES(r)                                                    \
    (r)->values != 0 ? (r)->value : (r)->estimate,                             \
        (r)->values != 0 ? (r)->values : (r)->estimates

/* Append the "values" array. */
void darc_report_json_values(darc_json *j, const darc_estimate *v, int n,
                             bool two);

/* Append at most so many notes that are no details; INT_MAX: all there are. */
void darc_report_print_notes(darc_text_t out, const char *const *note,
                             const bool *detail, int notes, int most);

/* A line begins with a label of that width. */
#define DARC_LABEL "  %-12s"

/* Append "{m, c}". */
void darc_name_list_print(darc_text_t out, const darc_name_list *s);

/* Write "moved" and "change" of so many functions; v NULL: none. */
void darc_report_json_changes(darc_json *j, const darc_change *v,
                              const char *const *function, int functions);

/* An isolation: set r, whose head, data and notes stand there, from the result
 * and the names of the model; both must stay.  Release it with
 * darc_isolation_clear.  Verbose: the rejected candidates too. */
void darc_isolation_set(darc_isolation *r, const darc_isolate *result,
                        const darc_names_t names);
void darc_isolation_clear(darc_isolation *r);
void darc_isolation_json(darc_text_t out, const darc_isolation *r);
void darc_isolation_print(darc_text_t out, const darc_isolation *r, bool quiet,
                          bool verbose);

/* Append " (T +5.04 %, K -1.2 %)": by how much what the diagnosis names has
 * changed; where the values have none of it, what moved. */
void darc_isolation_print_moved(darc_text_t out, const darc_isolation *r);

/* What measurements can tell of parameters (darc/identify.h): set `to` from
 * what was found, which must stay; table NULL: not known.  Release it with
 * darc_identified_clear. */
void darc_identified_set(darc_identified *to,
                         const darc_identification_struct *id,
                         const darc_isolability_struct *table);
void darc_identified_clear(darc_identified *found);

/* Carry all that these point to but series of residuals, what is static and
 * what the model and the recordings hold; the last three as darc_result_kind
 * (library/result.h) wants them. */
void darc_carry_report(darc_carrier *c, darc_report *r);
void darc_carry_isolation(darc_carrier *c, darc_isolation *r);
void darc_carry_identified(darc_carrier *c, void *identified);
void darc_carry_planned(darc_carrier *c, void *planned);
void darc_carry_fulfilled(darc_carrier *c, void *fulfilled);

typedef struct {
    const char *model, *file;
    const darc_ioeqs_struct *io; /* NULL: not known */
    const darc_identified *found;
    const char *advice; /* what to measure besides, of long equations; NULL */
} darc_identify_report;

/* Append it: a line for each parameter, with what explains its change, and the
 * functions; verbose: the equations, proofs, and the claim that is made. */
void darc_identify_text(darc_text_t out, const darc_identify_report *r,
                        bool verbose);
void darc_identify_json(darc_text_t out, const darc_identify_report *r);

/* What planned tests would find; quiet: which is the best. */
void darc_planning_print(darc_text_t out, const darc_planned *p, bool quiet);
void darc_planning_json(darc_text_t out, const darc_planned *p);

/* What `darc fulfil` found. */
void darc_fulfilment_print(darc_text_t out, const darc_fulfilled *f,
                           bool quiet);
void darc_fulfilment_json(darc_text_t out, const darc_fulfilled *f);
