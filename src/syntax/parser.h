/* parser.h - where a parser of the model language stands, and its next steps.
 */
#ifndef DARC_SYNTAX_PARSER_H
#define DARC_SYNTAX_PARSER_H

#include "syntax/syntax.h"
#include "syntax/token.h"

typedef struct {
    const darc_script *script;
    const darc_tokens *tokens;
    size_t at; /* the token to read next */
    int depth; /* of nesting */
} darc_parser;

/* Return the token to read next, or the one `ahead` of it. */
const darc_token *darc_parser_peek(const darc_parser *p, size_t ahead);

/* Return whether the next token is of the kind, and step over it if so. */
bool darc_parser_accept(darc_parser *p, darc_token_kind kind);

/* Fail with "expected WHAT near 'token'" (or at the end of the line). */
darc_status darc_parser_expected(const darc_parser *p, const char *what);

/* Step over a token of the kind, or fail: "expected WHAT ...". */
DARC_CHECKED darc_status darc_parser_expect(darc_parser *p,
                                            darc_token_kind kind,
                                            const char *what);

/* Set *d to a new declaration of the name t, which lives until the next one.
 * Fails: DARC_LIMIT when there are too many. */
DARC_CHECKED darc_status darc_parser_declare(darc_declaration **d,
                                             const darc_parser *p,
                                             darc_syntax *out,
                                             const darc_token *t,
                                             darc_section section);

/* Return the section whose header begins at the next token: a keyword first
 * in its line that is followed by a newline, a name or the end; otherwise
 * DARC_SECTIONS. */
darc_section darc_parser_section(const darc_parser *p);

#endif
