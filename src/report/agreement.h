/* agreement.h - writers of what is known without a model: comparisons of
 * recordings, factor spaces.
 */
#pragma once

#include "agree/compare.h"
#include "agree/credibility.h"
#include "base/text.h"
#include "darc/compare.h"

/* A comparison, whose weights stand in a, and its checklist v, or NULL; c NULL:
 * of a table of consistencies, with weights alone.  Quiet is the combined
 * consistency; file[0 .. references + runs - 1] are the names of the
 * recordings. */
void darc_agreement_print(darc_text_t out, const darc_comparison *c,
                          const darc_agreement *a, const darc_validation *v,
                          bool quiet);
void darc_agreement_json(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const char *const *file, const char *command_line);

/* A factor space: the tree with its credibility, the defects, the verdict. */
void darc_tracing_print(darc_text_t out, const darc_factor_space *s,
                        bool quiet);
void darc_tracing_json(darc_text_t out, const darc_factor_space *s);

/* Return "compose", "derive", ...; "output", ...; "acceptable", "not
 * acceptable", "undecided". */
const char *darc_role_text(darc_factor_role role);
const char *darc_truth_text(darc_truth t);
