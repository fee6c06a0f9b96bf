/* rewritten.h - shows what became of functions in equations. */
#ifndef DARC_COMMANDS_REWRITTEN_H
#define DARC_COMMANDS_REWRITTEN_H

#include "cli/arguments.h"
#include "model/model.h"

/* With --verbose, print the rewritten model, if it was rewritten, on standard
 * error. */
void darc_cli_show_rewritten(const darc_options *o, const darc_model *model);

#endif
