/* parse.h - a model file, by recursive descent. */
#ifndef DARC_SYNTAX_PARSE_H
#define DARC_SYNTAX_PARSE_H

#include "syntax/syntax.h"

/* Set syntax to what the script says.
 * Fails: DARC_SYNTAX, DARC_LIMIT with place, line and caret; then syntax is
 * cleared. */
DARC_CHECKED darc_status darc_parse(darc_syntax *syntax,
                                    const darc_script *script);

#endif
