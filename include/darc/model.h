/* model.h - a checked model: equations, names, units.
 *
 * A model is constant once it was read: sessions of several threads may share
 * it.  `darc help language` describes the language.
 */
#ifndef DARC_MODEL_H
#define DARC_MODEL_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

DARC_BEGIN_DECLS

typedef struct darc_model darc_model;

/* Set *model to the model in the file; "-" is standard input.
 * Fails: DARC_IO; DARC_SYNTAX and DARC_MODEL with a message of the shape
 * "file:line:column: error: ...", the source line and a caret below;
 * DARC_LIMIT when it grows past what can be handled, or for lack of memory
 * (apart.h). */
DARC_CHECKED darc_status darc_model_read(darc_model **model, const char *file,
                                         darc_err *err);

/* The same from length bytes of text; file is the name used in messages.
 * Every polynomial is built here, so that a model that was read is sound: an
 * equation that reads 0 = 0, a divisor that is 0 are found now. */
DARC_CHECKED darc_status darc_model_parse(darc_model **model, const char *text,
                                          size_t length, const char *file,
                                          darc_err *err);
void darc_model_free(darc_model *model);

const char *darc_model_name(const darc_model *model);
const char *darc_model_title(const darc_model *model); /* "" if none */
const char *darc_model_file(const darc_model *model);

/* Return the number of unknowns: states, parameters, outputs, inputs, derived
 * signals (as inputs) in order of declaration, what functions in equations
 * were replaced by, and `time` last where it occurs; constants are not among
 * them. */
int darc_model_unknowns(const darc_model *model);

/* Return of unknown u: its name; "state", "parameter", "output", "input" or
 * "time"; its unit and its description, "" if none; whether it is a parameter
 * that was declared `may be zero`, or `> 0`. */
const char *darc_model_unknown(const darc_model *model, int u);
const char *darc_model_kind(const darc_model *model, int u);
const char *darc_model_unit(const darc_model *model, int u);
const char *darc_model_text(const darc_model *model, int u);
bool darc_model_may_be_zero(const darc_model *model, int u);
bool darc_model_is_positive(const darc_model *model, int u);

/* Return whether it is declared as constant from each sample to the next. */
bool darc_model_is_held(const darc_model *model, int u);

/* Return on which side of the steps of held inputs the samples of output u are
 * said to lie that are taken at them: -1 before, 1 behind; 0: it is not said.
 */
int darc_model_side(const darc_model *model, int u);

DARC_END_DECLS

#endif
