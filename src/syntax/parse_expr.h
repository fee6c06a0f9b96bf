/* parse_expr.h - expressions, by recursive descent. */
#ifndef DARC_SYNTAX_PARSE_EXPR_H
#define DARC_SYNTAX_PARSE_EXPR_H

#include "syntax/parser.h"

/* expression -> term { ('+' | '-') term }
 * Set *e to it; after a failure to what was read so far.
 * Fails: DARC_SYNTAX, DARC_LIMIT with place, line and caret. */
DARC_CHECKED darc_status darc_parse_expression(darc_parser *p, darc_expr **e);

#endif
