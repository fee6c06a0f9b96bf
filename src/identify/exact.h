/* exact.h - functions of a model, which became states, with the values that
 * they have (src/MATHEMATICS.md, 11). */
#ifndef DARC_IDENTIFY_EXACT_H
#define DARC_IDENTIFY_EXACT_H

#include "projection/variation.h"

/* Set c, of v->columns squared, such that a gradient by the columns of v,
 * times c, is the gradient by those that are free: columns of functions are 0
 * in it.  Return false where an argument is not a function of these. */
bool darc_exact_columns(nmod_mat_t c, const darc_variation *v,
                        const darc_model *model);

/* Return whether the rewritten model knows less of a function than the model,
 * some of it being bound up to a constant only. */
bool darc_exact_is_needed(const darc_model *model);

#endif
