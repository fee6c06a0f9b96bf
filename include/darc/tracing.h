/* tracing.h - writes an assessed factor space as text and as JSON. */
#ifndef DARC_TRACING_H
#define DARC_TRACING_H

#include "darc/credibility.h"
#include "darc/text.h"

DARC_BEGIN_DECLS

/* Append the tree of factors with their credibility, the defects, and the
 * verdict; quiet is the verdict alone. */
void darc_tracing_print(darc_text_t out, const darc_factor_space *s,
                        bool quiet);

/* Append it as JSON; the fields are those of README, "JSON". */
void darc_tracing_json(darc_text_t out, const darc_factor_space *s);

DARC_END_DECLS

#endif
