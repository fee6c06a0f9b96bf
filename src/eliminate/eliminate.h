/* eliminate.h - from a model to its io-equations, by whichever engine applies
 * (engine.h). */
#pragma once

#include "base/budget.h"
#include "projection/ioeq.h"

typedef enum {
    DARC_ENGINE_AUTO,
    DARC_ENGINE_GENERAL,
    DARC_ENGINE_PROJECT,
    DARC_ENGINE_LINEAR,
    DARC_ENGINE_CONSTRAINTS,
    DARC_ENGINE_REDUCED /* as AUTO, but a characteristic set, reduced by one
                           another; no option forces it */
} darc_engine;

/* Set out to the input-output equations of model, one per output that the
 * equations bind, as they stand where these hold no state and under the default
 * ranking; otherwise under ranking (NULL: the model's; where that is the
 * default one, the outputs count in the order that gives the shortest
 * equations). Fails: DARC_DOMAIN when the forced engine does not apply, or the
 * model leaves no relation between its signals; DARC_LIMIT on a spent budget.
 */
DARC_STATUS darc_ioeqs_init(darc_ioeqs_t out, const darc_model *model,
                            const darc_ranking_struct *ranking,
                            darc_engine engine, const darc_budget *budget,
                            darc_err *err);

/* The equations as they stand.
 * Fails: DARC_DOMAIN when they hold states, or the ranking is not the default
 * one, or they are neither reduced by one another nor linear in their
 * leaders. */
DARC_STATUS
darc_ioeqs_init_standing(darc_ioeqs_t out, const darc_model *model,
                         const darc_ranking_struct *ranking,
                         const darc_budget *budget, darc_err *err);

/* Return whether they are coupled, so that they tell more than ranks do, and at
 * once: a solved form of them can be long. */
bool darc_ioeqs_are_coupled(const darc_model *model, const darc_budget *budget);

/* Append to out which state, measured besides, brings the equations of the
 * model within reach: the one that leaves the fewest terms, as far as
 * elimination finds with little work; where none does, several of which none
 * can be left out.  Return whether there are such.  About four tenths of a
 * second a state at most. */
bool darc_ioeqs_advise(darc_text_t out, const darc_model *model,
                       const darc_budget *budget);

/* Fail as `why` says; where equations are out of reach and there is time left,
 * the message ends with that advice. */
darc_status darc_fail_advised(const darc_err *why, const darc_model *model,
                              const darc_budget *budget, darc_err *err);

/* As darc_ioeqs_init, failing so. */
DARC_STATUS
darc_ioeqs_init_advised(darc_ioeqs_t out, const darc_model *model,
                        const darc_ranking_struct *ranking, darc_engine engine,
                        const darc_budget *budget, darc_err *err);

/* Return whether ratios of the coefficients of e, which is expanded, may say
 * more of the parameters than its solutions: a leader stands before another
 * one, or e is not seen to be prime over all algebraic numbers, functions of
 * parameters among them, as of h^2 = p*u^2 (src/MATHEMATICS.md, 11). */
bool darc_ioeqs_are_loose(const darc_ioeqs_t e);

/* The same as darc_ioeqs_init, with the monomials alone where the model has a
 * solved form: poly and coeff stay empty, part holds the monomials.  Hundredths
 * of a second where the expanded equation has a million terms. */
DARC_STATUS
darc_ioeqs_init_support(darc_ioeqs_t out, const darc_model *model,
                        const darc_ranking_struct *ranking,
                        const darc_budget *budget, darc_err *err);

/* The equations where they take at most `work` products of terms, else the
 * monomials alone. */
DARC_STATUS
darc_ioeqs_init_within(darc_ioeqs_t out, const darc_model *model,
                       const darc_ranking_struct *ranking, double work,
                       const darc_budget *budget, darc_err *err);
