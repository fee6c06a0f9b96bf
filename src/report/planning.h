/* planning.h - what planned tests would find, as text and as JSON. */
#ifndef DARC_REPORT_PLANNING_H
#define DARC_REPORT_PLANNING_H

#include "base/text.h"
#include "darc/plan.h"

/* Append the tests one by one, and which is the best; quiet: this alone. */
void darc_planning_print(darc_text_t out, const darc_planned *p, bool quiet);

/* Append it as JSON; the fields are those of src/manual/json.md. */
void darc_planning_json(darc_text_t out, const darc_planned *p);

#endif
