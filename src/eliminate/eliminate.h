/* eliminate.h - from a model to its io-equations, by whichever engine applies
 * (engine.h). */
#pragma once

#include "base/budget.h"
#include "projection/ioeq.h"

typedef enum {
    DARC_ENGINE_AUTO,
    DARC_ENGINE_GENERAL,
    DARC_ENGINE_PROJECT,
    DARC_ENGINE_LINEAR
} darc_engine;

/* Set out to the input-output equations of model, one per output that the
 * equations bind, under ranking (NULL: the model's; where that is the default
 * one, the outputs count in the order that gives the shortest equations).
 * Fails: DARC_DOMAIN when the forced engine does not apply, or the model
 * leaves no relation between its signals; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_ioeqs_init(darc_ioeqs_t out,
                                         const darc_model *model,
                                         const darc_ranking_struct *ranking,
                                         darc_engine engine,
                                         const darc_budget *budget,
                                         darc_err *err);

/* The same with the monomials alone where the model has a solved form: poly
 * and coeff stay empty, part holds the monomials.  Hundredths of a second
 * where the expanded equation has a million terms. */
DARC_CHECKED darc_status
darc_ioeqs_init_support(darc_ioeqs_t out, const darc_model *model,
                        const darc_ranking_struct *ranking,
                        const darc_budget *budget, darc_err *err);

/* The equations where they take at most `work` products of terms, else the
 * monomials alone. */
DARC_CHECKED darc_status
darc_ioeqs_init_within(darc_ioeqs_t out, const darc_model *model,
                       const darc_ranking_struct *ranking, double work,
                       const darc_budget *budget, darc_err *err);
