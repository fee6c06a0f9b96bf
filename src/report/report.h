/* report.h - writers of the record of one check (darc/report.h). */
#ifndef DARC_REPORT_REPORT_H
#define DARC_REPORT_REPORT_H

#include "base/text.h"
#include "darc/report.h"
#include "emit/json.h"

/* Append the report as JSON; the fields are those of src/manual/json.md. */
void darc_report_json(darc_text_t out, const darc_report *r);

/* Append the report as text: quiet is the verdict alone. */
void darc_report_print(darc_text_t out, const darc_report *r, bool quiet,
                       bool verbose);

/* Append the "data" array, a decision under a key, the "estimates" of one
 * recording or two; the lines of recordings: what the reports of other
 * commands share. */
void darc_report_json_data(darc_json *j, const darc_report_data *data,
                           int recordings);
void darc_report_json_decision(darc_json *j, const char *key,
                               const darc_decision *d);
void darc_report_json_estimates(darc_json *j, const darc_estimate *estimate,
                                int estimates, bool two);
void darc_report_print_data(darc_text_t out, const darc_report_data *data,
                            int recordings);
void darc_report_print_defect(darc_text_t out, const darc_decision *d);

/* Append the "values" array; the report of the command of that name. */
void darc_report_json_values(darc_json *j, const darc_estimate *value,
                             int values, bool two);
void darc_report_values_json(darc_text_t out, const darc_report *r);
void darc_report_values_print(darc_text_t out, const darc_report *r,
                              bool verbose);

/* Append at most so many notes that are no details; INT_MAX: all there are. */
void darc_report_print_notes(darc_text_t out, const char *const *note,
                             const bool *detail, int notes, int most);

/* A line begins with a label of that width. */
#define DARC_LABEL "  %-12s"

/* Append "{m, c}". */
void darc_name_list_print(darc_text_t out, const darc_name_list *s);

/* Return the index of the relation whose verdict is the verdict of all:
 * the first inconsistent one, else the first undecided one, else the first;
 * untested ones are passed over unless all are. */
int darc_report_deciding(const darc_report_relation *relation, int relations);

/* Write "moved" and "change" of so many functions; v NULL: none. */
void darc_report_json_changes(darc_json *j, const darc_change *v,
                              const char *const *function, int functions);

/* Set text to "-1.640 +- 0.021 %", to two digits of the standard deviation. */
void darc_report_percent(char *text, size_t size, double value, double sd);

#endif
