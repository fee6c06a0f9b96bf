/* agreement.h - writers of what is known without a model: comparisons of
 * recordings, factor spaces.
 */
#pragma once

#include "agree/compare.h"
#include "agree/credibility.h"
#include "base/text.h"
#include "darc/compare.h"

/* A comparison, whose weights stand in a; quiet is the combined consistency.
 * The checklist; weights and consistency alone. */
void darc_agreement_print(darc_text_t out, const darc_comparison *c,
                          const darc_agreement *a, bool quiet);
void darc_agreement_print_validation(darc_text_t out, const darc_validation *v);
void darc_agreement_print_weights(darc_text_t out, const darc_agreement *a);

/* file[0 .. references + runs - 1] are the names of the recordings; v may be
 * NULL.  Weights and consistency alone. */
void darc_agreement_json(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const char *const *file, const char *command_line);
void darc_agreement_json_weights(darc_text_t out, const darc_agreement *a);

/* A factor space: the tree with its credibility, the defects, the verdict. */
void darc_tracing_print(darc_text_t out, const darc_factor_space *s,
                        bool quiet);
void darc_tracing_json(darc_text_t out, const darc_factor_space *s);

/* Return "compose", "derive", ...; "output", ...; "acceptable", "not
 * acceptable", "undecided". */
const char *darc_link_text(darc_link_kind kind);
const char *darc_role_text(darc_factor_role role);
const char *darc_truth_text(darc_truth t);
