#include "agree/factortext.h"

#include "base/limits.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

darc_status darc_words_fail(const darc_words *w, darc_status status,
                            const char *format, ...)
{
    char what[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return darc_fail(w->err, status, "%s:%zu:%zu: error: %s", w->file,
                     w->number, w->word.column, what);
}

darc_status darc_words_expected(const darc_words *w, const char *what)
{
    if (w->word.kind == WORD_END)
        return darc_words_fail(w, DARC_SYNTAX,
                               "expected %s at the end of the line", what);
    return darc_words_fail(w, DARC_SYNTAX, "expected %s near '%.*s'", what,
                           (int)w->word.n, w->word.s);
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A string or a unit: everything up to the closing character. */
static darc_status quoted(darc_words *w, char close, darc_word_kind kind)
{
    const char *stop = memchr(w->at + 1, close, (size_t)(w->end - w->at - 1));
    if (stop == NULL)
        return darc_words_fail(w, DARC_SYNTAX, "'%c' is not closed", *w->at);
    w->word.kind = kind;
    w->word.s = w->at + 1;
    w->word.n = (size_t)(stop - w->at - 1);
    w->at = stop + 1;
    return DARC_OK;
}

static darc_status number(darc_words *w)
{
    char copy[64];
    size_t n = strspn(w->at, "0123456789.eE+-");
    n = n < sizeof copy - 1 ? n : sizeof copy - 1;
    memcpy(copy, w->at, n);
    copy[n] = '\0';
    char *end;
    w->word.kind = WORD_NUMBER;
    w->word.number = strtod(copy, &end);
    w->word.n = (size_t)(end - copy);
    if (end == copy || !isfinite(w->word.number))
        return darc_words_expected(w, "a number");
    w->at += w->word.n;
    return DARC_OK;
}

darc_status darc_words_next(darc_words *w)
{
    while (w->at < w->end && isspace((unsigned char)*w->at))
        w->at++;
    w->word = (darc_word){WORD_END, w->at, 1, 0, (size_t)(w->at - w->line) + 1};
    if (w->at == w->end || *w->at == '#') {
        w->at = w->end;
        return DARC_OK;
    }
    char c = *w->at;
    if (c == '"' || c == '[')
        return quoted(w, c == '"' ? '"' : ']',
                      c == '"' ? WORD_STRING : WORD_UNIT);
    if (isdigit((unsigned char)c) || c == '.' || c == '-' || c == '+')
        return number(w);
    if (is_name_char(c)) {
        const char *s = w->at;
        while (w->at < w->end && is_name_char(*w->at))
            w->at++;
        w->word.kind = WORD_NAME;
        w->word.n = (size_t)(w->at - s);
        if (w->word.n > DARC_MAX_NAME)
            return darc_words_fail(w, DARC_SYNTAX,
                                   "name of %zu characters (at most %d)",
                                   w->word.n, DARC_MAX_NAME);
        return DARC_OK;
    }
    bool arrow = c == '<' && w->at + 1 < w->end && w->at[1] == '-';
    if (!arrow && (c == '\0' || strchr("=(),", c) == NULL))
        return darc_words_fail(w, DARC_SYNTAX, "stray character '%c'",
                               isprint((unsigned char)c) ? c : '?');
    w->word.kind = WORD_SIGN;
    w->word.n = arrow ? 2 : 1;
    w->at += w->word.n;
    return DARC_OK;
}

bool darc_words_is(const darc_words *w, const char *text)
{
    return (w->word.kind == WORD_NAME || w->word.kind == WORD_SIGN) &&
           w->word.n == strlen(text) && memcmp(w->word.s, text, w->word.n) == 0;
}

int darc_words_which(const darc_words *w, const char *const *word, int n)
{
    int i = 0;
    while (i < n && !darc_words_is(w, word[i]))
        i++;
    return i;
}

darc_status darc_words_take(darc_words *w, darc_word *word, darc_word_kind kind,
                            const char *what)
{
    if (w->word.kind != kind)
        return darc_words_expected(w, what);
    *word = w->word;
    return darc_words_next(w);
}

darc_status darc_words_skip(darc_words *w, const char *text)
{
    if (darc_words_is(w, text))
        return darc_words_next(w);
    char what[16];
    snprintf(what, sizeof what, "'%s'", text);
    return darc_words_expected(w, what);
}
