/* translate.h - a model in the languages of other tools. */
#pragma once

#include "model/model.h"

typedef enum {
    DARC_TO_DARC,
    DARC_TO_MODELICA, /* a flat class, which darc reads again */
    DARC_TO_SYMPY,    /* Python: symbols, functions of t, a list of Eq */
    DARC_TO_JULIA     /* StructuralIdentifiability's @ODEmodel */
} darc_translation;

/* Append the model in that language.
 * Fails: DARC_DOMAIN for what the language, or a solved form (@ODEmodel), does
 * not have. */
DARC_CHECKED darc_status darc_model_translate(darc_text_t out,
                                              const darc_model *model,
                                              darc_translation to,
                                              darc_err *err);
