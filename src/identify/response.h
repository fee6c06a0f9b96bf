/* response.h - the field F of a model that is linear with constant
 * coefficients, by its transfer functions (src/MATHEMATICS.md, 11).
 */
#pragma once

#include "base/budget.h"
#include "model/model.h"
#include "projection/coeffs.h"

/* Return whether the model has transfer functions, which costs little. */
bool darc_response_suits(const darc_model *model, const darc_budget *budget);

/* Set c to the coefficients of the numerators and the common denominator of the
 * transfer functions of a model with several outputs, one vector, whose ratios
 * generate F; return whether they do: where all of this is controlled and seen,
 * and is not too long. */
bool darc_response_coeffs(darc_coeffs_t c, const darc_model *model,
                          const darc_budget *budget);
