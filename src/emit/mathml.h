/* mathml.h - typesets relations: the model language as MathML.
 *
 * What darc prints (relations, weak forms, ratios of coefficients, terms) is
 * read back and set: derivatives as dots or d/dt, quotients as fractions,
 * digits as indices.  Every term is a <math> element of its own, so that a
 * browser breaks long sums between terms.
 */
#pragma once

#include "base/text.h"

#include <stdbool.h>

/* Names that stand for a signal of one of two recordings: zA is z with index
 * A.  NULL: there are none. */
typedef struct {
    int signals;
    const char *const *signal;
} darc_mathml_names;

/* Longer expressions are left as they are. */
#define DARC_MATHML_LONGEST 4000

/* Append the expression or equation s as <math> elements and return true;
 * if s is longer than DARC_MATHML_LONGEST or not in the language append
 * nothing and return false. */
bool darc_mathml(darc_text_t out, const char *s,
                 const darc_mathml_names *names);
