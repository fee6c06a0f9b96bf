/* completion.h - completions for shells, from the tables. */
#ifndef DARC_COMMANDS_COMPLETION_H
#define DARC_COMMANDS_COMPLETION_H

#include "base/text.h"

#include <stdbool.h>

/* Append the completion script for "bash", "zsh" or "fish"; return whether
 * the shell is one of these. */
bool darc_completion(darc_text_t out, const char *shell);

#endif
