/* token.h - the words of the model language.
 *
 * The whole text is cut into tokens first, so that the parser may look ahead.
 * A newline is a token only where it ends a statement: not after an operator
 * and not inside parentheses, and never twice in a row.  In Modelica it never
 * is one, comments and annotations are none either, and `elseif` is two words.
 */
#ifndef DARC_SYNTAX_TOKEN_H
#define DARC_SYNTAX_TOKEN_H

#include "syntax/script.h"

#include <stdbool.h>

typedef enum {
    TOKEN_END,
    TOKEN_BAD, /* not a word of the language: see darc_tokens.bad */
    TOKEN_NEWLINE,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* s, n: between the quotes, escapes still in it */
    TOKEN_UNIT,   /* s, n: between the brackets, trimmed */
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_SLASH,
    TOKEN_POWER,
    TOKEN_PRIME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_COMPARISON, /* > < >= <= */
    TOKEN_EQUAL,
    TOKEN_DIFFERS, /* != */
    TOKEN_ABOVE    /* >> */
} darc_token_kind;

typedef struct {
    darc_token_kind kind;
    const char *s; /* n characters of the script; not owned */
    size_t n;
    darc_place place;
    bool first; /* the first word of its line */
} darc_token;

typedef struct {
    size_t count, alloc;
    darc_token *token; /* count tokens, the last TOKEN_END or _BAD; owned */
    darc_err bad;      /* what is wrong with TOKEN_BAD */
} darc_tokens;

/* Cut the script into tokens; it must outlive them.  What is no token ends
 * them with TOKEN_BAD, so that the parser reports the first error of the
 * text, be it here or there. */
void darc_tokens_init(darc_tokens *tokens, const darc_script *script);
void darc_tokens_clear(darc_tokens *tokens);

/* Return whether the token is the name (or keyword) word. */
bool darc_token_is(const darc_token *token, const char *word);

/* Return the token's characters, a string's without its escapes, to be freed.
 */
char *darc_token_text(const darc_token *token);

#endif
