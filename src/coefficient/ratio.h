/* ratio.h - ratios of coefficients of an io-equation, as functions of the
 * parameters that can be read.
 */
#pragma once

#include "base/text.h"
#include "projection/ioeq.h"

/* Return whether coefficient j holds a parameter that may be zero, or is a
 * difference: a share of it then says little. */
bool darc_ratio_may_vanish(const darc_model *model, const darc_ioeqs_t io,
                           int e, int j);

/* Return the reference of ratios: a coefficient that is a number, else the
 * parameter that was declared first (the m of c/m and d/m), else that of the
 * part which holds the leader. */
int darc_ratio_reference(const darc_ioeqs_t io, int e);

/* Append the ratio of coefficients j and r in lowest terms: "c/m"; where it is
 * not known, or very long, "the coefficient of y' over that of y".  Unless
 * factor is NULL, *factor becomes the number that is left out: the ratio is
 * *factor times what was appended. */
void darc_ratio_print(darc_text_t out, const darc_ioeqs_t io, int e, int j,
                      int r, double *factor);
