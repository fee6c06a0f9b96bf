/* missing.h - where an expression has no value, and why. */
#ifndef DARC_DERIVE_MISSING_H
#define DARC_DERIVE_MISSING_H

#include "derive/column.h"

/* Return the samples of the segment for which no delay or derivative reaches
 * over its ends: there a missing value is the expression's own. */
darc_segment darc_missing_core(const darc_column *col,
                               const darc_segment *segment);

/* Return, to be freed, which part of the expression has no value at sample i,
 * and where its argument lies. */
char *darc_missing_reason(const darc_column *col, size_t i);

#endif
