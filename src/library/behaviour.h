/* behaviour.h - the equations that identify looks at.
 */
#pragma once

#include "eliminate/eliminate.h"
#include "projection/coeffs.h"
#include "session/options.h"

/* Find the io-equations: by the engine that the options ask for, or expanded
 * within `work` if that is possible, else their monomials.
 * Fails: as darc_ioeqs_init. */
DARC_CHECKED darc_status darc_behaviour_find(
    darc_ioeqs_t io, const darc_model *model, const darc_options *options,
    double work, const darc_budget *budget, darc_err *err);

/* The same within DARC_EXPANDED_WORK; where that shows no more than monomials,
 * and coefficients of transfer functions generate the same field
 * (identify/response.h), c becomes these, else of no vectors, not to be
 * cleared. */
DARC_CHECKED darc_status darc_behaviour_respond(
    darc_ioeqs_t io, darc_coeffs_t c, const darc_model *model,
    const darc_options *options, const darc_budget *budget, darc_err *err);
