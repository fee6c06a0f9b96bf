/* results.h - what commands share: where results go that options name. */
#ifndef DARC_COMMANDS_RESULTS_H
#define DARC_COMMANDS_RESULTS_H

#include "cli/options.h"
#include "model/model.h"
#include "page/page.h"

/* Return whether --json, --html or --csv says that its result goes to standard
 * output: then nothing else may go there. */
bool darc_results_take_stdout(const darc_options *o);

/* If the option was given, write text to its file; make text empty.
 * Fails: DARC_IO. */
DARC_CHECKED darc_status darc_results_write(darc_text_t text,
                                            const darc_options *o,
                                            darc_option_id id, darc_err *err);

/* If --html was given, set *page to the command line as a page tells it: every
 * option that bears on the result, given or by default. */
bool darc_results_page(darc_page *page, const darc_options *o);

/* Write what was made of the page where --html says, clear page, and make html
 * empty.  Fails: DARC_IO. */
DARC_CHECKED darc_status darc_results_html(darc_text_t html, darc_page *page,
                                           const darc_options *o,
                                           darc_err *err);

/* With --verbose, print the model without functions, if it had any, on standard
 * error. */
void darc_results_rewritten(const darc_options *o, const darc_model *model);

#endif
