/* terminal.h - what a terminal shows beyond plain text: colour and blocks.
 * Where standard output is no terminal, all text is plain.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

/* Return whether fd is a terminal that knows escape sequences: not a dumb one.
 */
bool darc_terminal_erases(int fd);

/* Return the columns of the terminal at fd, 80 where they are not known. */
int darc_terminal_width(int fd);

/* Print a report, as darc_text_shown shows it; on a terminal with colour the
 * words CONSISTENT, INCONSISTENT and UNDECIDED stand out, and so do labels.
 * Fails: as darc_output_close. */
DARC_STATUS darc_terminal_print(const char *report, darc_err *err);
