/* tracing.h - writes an assessed factor space as text and as JSON. */
#ifndef DARC_REPORT_TRACING_H
#define DARC_REPORT_TRACING_H

#include "agree/credibility.h"
#include "base/text.h"

/* Append the tree of factors with their credibility, the defects, and the
 * verdict; quiet is the verdict alone. */
void darc_tracing_print(darc_text_t out, const darc_factor_space *s,
                        bool quiet);

/* Return "compose", "derive", ...; "output", ...; "acceptable", "not
 * acceptable", "undecided". */
const char *darc_link_text(darc_link_kind kind);
const char *darc_role_text(darc_factor_role role);
const char *darc_truth_text(darc_truth t);

/* Append it as JSON; the fields are those of src/manual/json.md. */
void darc_tracing_json(darc_text_t out, const darc_factor_space *s);

#endif
