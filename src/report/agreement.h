/* agreement.h - writes comparisons of recordings as text and as JSON. */
#ifndef DARC_REPORT_AGREEMENT_H
#define DARC_REPORT_AGREEMENT_H

#include "agree/validation.h"
#include "base/text.h"
#include "darc/compare.h"

/* Append the comparison, whose weights stand in a, as text; quiet is the
 * combined consistency alone. */
void darc_agreement_print(darc_text_t out, const darc_comparison *c,
                          const darc_agreement *a, bool quiet);

/* Append the checklist; weights and consistency alone. */
void darc_agreement_print_validation(darc_text_t out, const darc_validation *v);
void darc_agreement_print_weights(darc_text_t out, const darc_agreement *a);

/* Append it as JSON; the fields are those of src/manual/json.md.  file[0 ..
 * references + runs - 1] are the names of the recordings; v may be NULL. */
void darc_agreement_json(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const char *const *file, const char *command_line);
void darc_agreement_json_weights(darc_text_t out, const darc_agreement *a);

#endif
