/* manual.h - manual pages, from the tables of commands and options and from
 * the topics.
 */
#ifndef DARC_COMMANDS_MANUAL_H
#define DARC_COMMANDS_MANUAL_H

#include "base/text.h"

/* Append a page's head: name is "darc-check", section "1". */
void darc_manual_head(darc_text_t out, const char *name, const char *section,
                      const char *purpose);

/* Append a heading; a text with what roff takes for commands escaped. */
void darc_manual_heading(darc_text_t out, const char *text);
void darc_manual_text(darc_text_t out, const char *text);

/* Append Markdown as src/manual has it: headings, paragraphs, lists, tables,
 * code. */
void darc_manual_markdown(darc_text_t out, const char *text);

/* Append an entry of a list of options. */
void darc_manual_entry(darc_text_t out, const char *name, const char *argument,
                       const char *help, const char *preset);

#endif
