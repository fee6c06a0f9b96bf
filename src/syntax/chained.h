/* chained.h - unknown inputs as the first of a chain of states. */
#pragma once

#include "syntax/syntax.h"

/* Make a state of every unknown input w, w' = w_1, w_1' = w_2, ..., of so many
 * states, the last one constant; return whether there is one. */
bool darc_syntax_chain(darc_syntax *s, int length);
