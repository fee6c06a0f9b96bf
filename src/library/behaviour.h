/* behaviour.h - the equations that identify looks at.
 */
#pragma once

#include "darc/identify.h"
#include "eliminate/eliminate.h"
#include "identify/identify.h"
#include "projection/coeffs.h"
#include "session/options.h"

/* Of a model whose transfer functions are known, parts of an io-equation past
 * which it is not expanded. */
#define DARC_RESPONSE_PARTS 10

/* Products of terms of one elimination after which identify does without the
 * equations: some 20 s. */
#define DARC_IDENTIFY_WORK 4e8

/* The same of equations without a solved form, of which ranks are known: a
 * second or two. */
#define DARC_IMPLICIT_WORK 2e7

/* Find the io-equations: by the engine that the options ask for, or expanded
 * within `work` if that is possible, else their monomials.
 * Fails: as darc_ioeqs_init. */
DARC_STATUS darc_behaviour_find(darc_ioeqs_t io, const darc_model *model,
                                const darc_options *options, double work,
                                const darc_budget *budget, darc_err *err);

/* The same within DARC_EXPANDED_WORK; where that shows no more than monomials,
 * and coefficients of transfer functions generate the same field
 * (identify/response.c), c becomes these, else of no vectors, not to be
 * cleared. */
DARC_STATUS darc_behaviour_respond(darc_ioeqs_t io, darc_coeffs_t c,
                                   const darc_model *model,
                                   const darc_options *options,
                                   const darc_budget *budget, darc_err *err);

/* Does the user's text make an output of this name?
 * Fails: DARC_USAGE, by the option that gave it. */
DARC_STATUS darc_asked_try(const darc_model *base, const char *label,
                           const char *text, const char *option, darc_err *err);

/* Set status to global where equations give each of so many states from
 * measured signals and parameters that id tells; return whether they do. */
bool darc_asked_told(darc_identified_function *status, const char **state,
                     int count, const darc_model *model,
                     const darc_identification_t id);

/* What is computed from signals that start at values is no input that may be
 * anything: where the option gives values and there is such a signal, set
 * *whole to the model with it among the states.  Return whether some are left
 * that are not. */
bool darc_starts_whole(darc_model **whole, const darc_options *options,
                       const darc_model *model);

/* Set p to the initial values of the option, and behind the first *own those
 * that functions of the model, which became states, have by them. */
void darc_starts_list(darc_pairs *p, int *own, const darc_options *options,
                      const darc_model *model);
