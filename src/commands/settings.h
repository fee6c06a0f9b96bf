/* settings.h - the command line as a page tells it: every option that bears
 * on the result, given or by default.
 */
#ifndef DARC_COMMANDS_SETTINGS_H
#define DARC_COMMANDS_SETTINGS_H

#include "cli/options.h"
#include "page/page.h"

/* Set p to the command line of o; clear it afterwards. */
void darc_settings_page(darc_page *p, const darc_options *o);
void darc_settings_clear(darc_page *p);

/* Write the page where --html says.  Fails: DARC_IO. */
DARC_CHECKED darc_status darc_settings_write(const char *html, size_t n,
                                             const darc_options *o,
                                             darc_err *err);

/* Return whether the option's file is standard output: then nothing else may
 * go there. */
bool darc_settings_is_stdout(const darc_options *o, darc_option_id id);

#endif
