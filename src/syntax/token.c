#include "syntax/parser.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    darc_script script; /* its messages go to out->bad */
    darc_tokens *out;
    const char *at, *end;
    darc_place place; /* of `at` */
    int open;         /* parentheses not closed yet */
    bool first;       /* no word yet in this line */
    darc_language language;
} lexer;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

static void advance_lexer(lexer *l, size_t n)
{
    for (; n > 0 && l->at < l->end; n--, l->at++)
        if (((unsigned char)*l->at & 0xC0) != 0x80)
            l->place.column++;
}

static void push(lexer *l, darc_token_kind kind, const char *s, size_t n,
                 darc_place place)
{
    darc_tokens *t = l->out;
    DARC_APPEND(t->token, t->count, (darc_token){kind, s, n, place, l->first});
    l->first = kind == TOKEN_NEWLINE;
}

/* Does the statement go on after the last token? */
static bool goes_on(const lexer *l)
{
    if (l->open > 0 || l->out->count == 0 ||
        l->language == DARC_LANGUAGE_MODELICA)
        return true;
    return l->out->token[l->out->count - 1].kind >= TOKEN_NEWLINE;
}

static void newline(lexer *l)
{
    if (!goes_on(l))
        push(l, TOKEN_NEWLINE, l->at, 1, l->place);
    l->at++;
    l->place.line++;
    l->place.column = 1;
    l->first = true;
}

static darc_status check_length(lexer *l, size_t n)
{
    if (n <= DARC_MAX_NAME)
        return DARC_OK;
    return darc_script_fail(&l->script, l->place, DARC_LIMIT,
                            "the name '%.20s...' has %zu characters; at most "
                            "%d are allowed",
                            l->at, n, DARC_MAX_NAME);
}

static darc_status name(lexer *l)
{
    size_t n = 1;
    while (is_letter(peek(l, n)) || is_digit(peek(l, n)))
        n++;
    DARC_NEED(check_length(l, n));
    push(l, TOKEN_NAME, l->at, n, l->place);
    advance_lexer(l, n);
    return DARC_OK;
}

static darc_status number(lexer *l)
{
    /* number -> digits ['.' digits] [('e' | 'E') ['+' | '-'] digits] */
    size_t n = 0;
    while (is_digit(peek(l, n)))
        n++;
    if (peek(l, n) == '.')
        for (n++; is_digit(peek(l, n));)
            n++;
    if (peek(l, n) == 'e' || peek(l, n) == 'E') {
        size_t e = n + 1;
        e += peek(l, e) == '+' || peek(l, e) == '-';
        if (is_digit(peek(l, e)))
            for (n = e; is_digit(peek(l, n));)
                n++;
    }
    if (n > DARC_MAX_DIGITS)
        return darc_script_fail(&l->script, l->place, DARC_LIMIT,
                                "a number of %zu characters; at most %d are "
                                "allowed",
                                n, DARC_MAX_DIGITS);
    darc_place place = l->place;
    const char *s = l->at;
    advance_lexer(l, n);
    size_t next = 0;
    while (is_letter(peek(l, next)) || is_digit(peek(l, next)))
        next++;
    if (next > 0 || peek(l, 0) == '.')
        return darc_script_fail(&l->script, l->place, DARC_SYNTAX,
                                "expected an operator between '%.*s' and "
                                "'%.*s'; a product is written with '*'",
                                (int)(n > 40 ? 40 : n), s,
                                (int)(next > 40 ? 40 : next + (next == 0)),
                                l->at);
    push(l, TOKEN_NUMBER, s, n, place);
    return DARC_OK;
}

/* A text in quotes or a unit in brackets, on one line. */
static darc_status enclosed(lexer *l, char close, darc_token_kind kind,
                            const char *what)
{
    darc_place place = l->place;
    size_t n = 1;
    while (peek(l, n) != close) {
        if (l->at + n >= l->end || peek(l, n) == '\n')
            return darc_script_fail(&l->script, place, DARC_SYNTAX,
                                    "the %s has no closing '%c' in its line",
                                    what, close);
        if (peek(l, n) == '\0')
            return darc_script_fail(&l->script, place, DARC_SYNTAX,
                                    "the %s contains a zero byte", what);
        bool escape = close == '"' && peek(l, n) == '\\' &&
                      (peek(l, n + 1) == '"' || peek(l, n + 1) == '\\');
        n += escape ? 2 : 1;
    }
    const char *s = l->at + 1, *e = l->at + n;
    for (; kind == TOKEN_UNIT && s < e && *s == ' '; s++)
        continue;
    for (; kind == TOKEN_UNIT && e > s && e[-1] == ' '; e--)
        continue;
    push(l, kind, s, (size_t)(e - s), place);
    advance_lexer(l, n + 1);
    return DARC_OK;
}

static darc_status bad_character(lexer *l)
{
    unsigned char c = (unsigned char)*l->at;
    const char *hint = "";
    if (c == '!')
        hint = "; 'differs from' is written '!='";
    else if (c == ']')
        hint = "; a unit stands in '[' and ']'";
    else if (c >= 0x80)
        hint = "; only texts, units and comments go beyond ASCII";
    size_t n = 1;
    while (c >= 0x80 && ((unsigned char)peek(l, n) & 0xC0) == 0x80 && n < 4)
        n++;
    if (c < ' ' || c == 127)
        return darc_script_fail(&l->script, l->place, DARC_SYNTAX,
                                "the byte %d is not part of the language", c);
    return darc_script_fail(&l->script, l->place, DARC_SYNTAX,
                            "'%.*s' is not part of the language%s", (int)n,
                            l->at, hint);
}

static darc_status symbol(lexer *l)
{
    static const struct {
        const char *s;
        darc_token_kind kind;
    } table[] = {{"!=", TOKEN_DIFFERS},    {">>", TOKEN_ABOVE},
                 {"<-", TOKEN_ARROW},      {">=", TOKEN_COMPARISON},
                 {"<=", TOKEN_COMPARISON}, {">", TOKEN_COMPARISON},
                 {"<", TOKEN_COMPARISON},  {"+", TOKEN_PLUS},
                 {"-", TOKEN_MINUS},       {"*", TOKEN_TIMES},
                 {"/", TOKEN_SLASH},       {"^", TOKEN_POWER},
                 {"'", TOKEN_PRIME},       {"(", TOKEN_OPEN},
                 {")", TOKEN_CLOSE},       {",", TOKEN_COMMA},
                 {";", TOKEN_SEMICOLON},   {"=", TOKEN_EQUAL}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t n = strlen(table[i].s);
        if ((size_t)(l->end - l->at) < n || memcmp(l->at, table[i].s, n) != 0 ||
            (table[i].kind == TOKEN_ARROW &&
             l->language != DARC_LANGUAGE_FACTORS))
            continue;
        l->open += table[i].kind == TOKEN_OPEN;
        l->open -= table[i].kind == TOKEN_CLOSE && l->open > 0;
        push(l, table[i].kind, l->at, n, l->place);
        advance_lexer(l, n);
        return DARC_OK;
    }
    return bad_character(l);
}

static darc_status not_closed(lexer *l, darc_place place, const char *what)
{
    return darc_script_fail(&l->script, place, DARC_SYNTAX,
                            "%s is not closed before the end of the file",
                            what);
}

/* Step over text up to `stop`, of n characters. */
static darc_status pass(lexer *l, size_t first, const char *stop,
                        const char *what)
{
    darc_place place = l->place;
    size_t n = strlen(stop);
    for (advance_lexer(l, first); l->at < l->end;) {
        if ((size_t)(l->end - l->at) >= n && memcmp(l->at, stop, n) == 0) {
            advance_lexer(l, n);
            return DARC_OK;
        }
        if (*l->at == '\n')
            newline(l);
        else
            advance_lexer(l, *l->at == '\\' && *stop == '"' ? 2 : 1);
    }
    return not_closed(l, place, what);
}

/* annotation -> 'annotation' '(' ... ')' */
static darc_status annotation(lexer *l)
{
    darc_place place = l->place;
    int open = 0;
    advance_lexer(l, strlen("annotation"));
    do {
        char c = peek(l, 0);
        if (l->at >= l->end)
            return not_closed(l, place, "the annotation");
        open += (c == '(') - (c == ')');
        if (c == '"')
            DARC_NEED(pass(l, 1, "\"", "the text"));
        else if (c == '\n')
            newline(l);
        else
            advance_lexer(l, 1);
        if (open == 0 && c != '(' && c != ')' && c != ' ' && c != '\n' &&
            c != '\r' && c != '\t')
            return darc_script_fail(&l->script, place, DARC_SYNTAX,
                                    "expected '(' after 'annotation'");
        if (open == 0 && c == ')')
            return DARC_OK;
    } while (true);
}

static bool is_word(const lexer *l, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(l->end - l->at) >= n && memcmp(l->at, word, n) == 0 &&
           !is_letter(peek(l, n)) && !is_digit(peek(l, n));
}

/* Return the characters at `ahead` that go on with a name of a flat class: of
 * a part, .name, or an element of numbers, [1,2]; 0: none do. */
static size_t goes_on_with(const lexer *l, size_t ahead)
{
    size_t n = 1;
    char c = peek(l, ahead);
    if (c == '.' && is_letter(peek(l, ahead + 1))) {
        while (is_letter(peek(l, ahead + n)) || is_digit(peek(l, ahead + n)))
            n++;
        return n;
    }
    while (c == '[' && (is_digit(peek(l, ahead + n)) ||
                        (peek(l, ahead + n) == ',' && n > 1)))
        n++;
    return n > 1 && peek(l, ahead + n) == ']' ? n + 1 : 0;
}

/* Return the characters of the name at l->at, 0: there is none. */
static size_t flat_length(const lexer *l)
{
    size_t n = 0, more;
    if (peek(l, 0) == '\'') {
        for (n = 1; peek(l, n) != '\''; n++)
            if (peek(l, n) == '\0' || peek(l, n) == '\n')
                return 0;
        n++;
    } else {
        while (is_letter(peek(l, n)) || (n > 0 && is_digit(peek(l, n))))
            n++;
    }
    while (n > 0 && (more = goes_on_with(l, n)) > 0)
        n += more;
    return n;
}

/* Whether the name is the last element of an array that is declared whole,
 * which no flat class does: one before it has not been seen. */
static bool is_array(const lexer *l, const char *plain, const char *raw,
                     size_t n)
{
    const char *last = strrchr(plain, '_');
    if (raw[n - 1] != ']' || last == NULL || strtol(last + 1, NULL, 10) <= 1)
        return false;
    char *before = darc_text_of("%.*s_%ld", (int)(last - plain), plain,
                                strtol(last + 1, NULL, 10) - 1);
    bool seen = false;
    for (size_t i = 0; i < l->out->count && !seen; i++)
        seen = darc_token_is(l->out->token + i, before);
    darc_free(before);
    return !seen;
}

/* name -> ( letters | quoted ) { '.' letters | '[' digits { ',' digits } ']' },
 * which becomes letters. */
static darc_status flat_name(lexer *l, size_t n)
{
    DARC_NEED(check_length(l, n));
    char *plain = darc_calloc(n + 2, 1), *to = plain;
    for (size_t i = 0; i < n; i++) {
        char c = l->at[i];
        if (c == '\'' || c == ']')
            continue;
        if (to == plain && is_digit(c))
            *to++ = '_';
        *to++ = is_letter(c) || is_digit(c) ? c : '_';
    }
    DARC_APPEND(l->out->plain, l->out->plains, plain);
    if (is_array(l, plain, l->at, n)) {
        advance_lexer(l, (size_t)((const char *)memchr(l->at, '[', n) - l->at));
        return darc_script_fail(&l->script, l->place, DARC_SYNTAX,
                                "'[' is outside of what darc reads of Modelica:"
                                " an array, whose elements a flat class has "
                                "one by one; flatten the model first");
    }
    push(l, TOKEN_NAME, plain, strlen(plain), l->place);
    advance_lexer(l, n);
    return DARC_OK;
}

/* Where the languages differ; set *done if so. */
static darc_status next_of_modelica(lexer *l, bool *done)
{
    char c = *l->at;
    size_t flat = flat_length(l);
    *done = true;
    if (c == '/' && peek(l, 1) == '/')
        while (l->at < l->end && *l->at != '\n')
            l->at++;
    else if (c == '/' && peek(l, 1) == '*')
        return pass(l, 2, "*/", "the comment");
    else if (is_word(l, "annotation"))
        return annotation(l);
    else if (is_word(l, "elseif"))
        for (int k = 0; k < 2; k++) {
            push(l, TOKEN_NAME, l->at, 4 - 2 * (size_t)k, l->place);
            advance_lexer(l, 4 - 2 * (size_t)k);
        }
    else if (flat > 2 && (l->at[flat - 1] == ']' ||
                          memchr(l->at, c == '\'' ? '\'' : '.', flat) != NULL))
        return flat_name(l, flat);
    else if (c == '[' || c == '\'' || c == '#' || c == ']')
        return darc_script_fail(&l->script, l->place, DARC_SYNTAX,
                                "'%c' is outside of what darc "
                                "reads of Modelica: scalars and their names",
                                c);
    else
        *done = false;
    return DARC_OK;
}

static darc_status next_token(lexer *l)
{
    char c = *l->at;
    bool done = false;
    if (l->language == DARC_LANGUAGE_MODELICA)
        DARC_NEED(next_of_modelica(l, &done));
    if (done)
        return DARC_OK;
    if (c == '\n')
        newline(l);
    else if (c == '#')
        while (l->at < l->end && *l->at != '\n')
            l->at++;
    else if (c == ' ' || c == '\t' || c == '\r')
        advance_lexer(l, 1);
    else if (is_letter(c))
        return name(l);
    else if (is_digit(c) || (c == '.' && is_digit(peek(l, 1))))
        return number(l);
    else if (c == '"')
        return enclosed(l, '"', TOKEN_STRING, "text");
    else if (c == '[')
        return enclosed(l, ']', TOKEN_UNIT, "unit");
    else
        return symbol(l);
    return DARC_OK;
}

void darc_tokens_init(darc_tokens *tokens, const darc_script *script)
{
    *tokens = (darc_tokens){0};
    darc_err_init(&tokens->bad);
    lexer l = {.script = *script,
               .out = tokens,
               .at = script->text,
               .end = script->text + script->length,
               .place = {1, 1},
               .first = true,
               .language = script->language};
    l.script.err = &tokens->bad;
    if (script->length >= 3 && memcmp(script->text, "\xEF\xBB\xBF", 3) == 0)
        l.at += 3; /* byte order mark */
    darc_status status = DARC_OK;
    while (l.at < l.end && status == DARC_OK)
        status = next_token(&l);
    if (status == DARC_OK && !goes_on(&l))
        push(&l, TOKEN_NEWLINE, l.at, 0, l.place);
    push(&l, status == DARC_OK ? TOKEN_END : TOKEN_BAD, l.at, 0, l.place);
}

void darc_tokens_clear(darc_tokens *tokens)
{
    DARC_FREE_EACH(tokens->plain, tokens->plains);
    DARC_FREE(tokens->token, tokens->plain);
    tokens->token = NULL;
    tokens->plain = NULL;
    tokens->plains = 0;
}

bool darc_token_is(const darc_token *token, const char *word)
{
    return token->kind == TOKEN_NAME && strlen(word) == token->n &&
           memcmp(token->s, word, token->n) == 0;
}

char *darc_token_text(const darc_token *token)
{
    char *text = darc_strndup(token->s, token->n), *to = text;
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '\\' && token->kind == TOKEN_STRING &&
            (s[1] == '"' || s[1] == '\\'))
            s++;
        *to++ = *s;
    }
    *to = '\0';
    return text;
}
