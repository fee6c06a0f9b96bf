#include "syntax/script.h"

#include "base/text.h"
#include "syntax/thresholds.h"

#include <stdbool.h>
#include <string.h>

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Return the first byte of line `line`. */
static const char *find_line(const darc_script *script, int line)
{
    const char *s = script->text, *end = s + script->length;
    for (int i = 1; i < line && s < end; i++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        s = newline == NULL ? end : newline + 1;
    }
    return s;
}

/* Append the characters from..to of the line; control characters, which a
 * terminal would obey, as '?'. */
static void quote_line(darc_text_t out, const char *s, const char *end,
                       int from, int to)
{
    int column = 0;
    for (; s < end && *s != '\n' && *s != '\r'; s++) {
        column += !continues_character(*s);
        if (column < from || column >= to)
            continue;
        unsigned char c = (unsigned char)*s;
        bool control = (c < ' ' && c != '\t') || c == 127;
        darc_text_putc(out, control ? '?' : *s);
    }
}

/* Append the blanks that bring a caret under column `to`. */
static void indent(darc_text_t out, const char *s, const char *end, int from,
                   int to)
{
    int column = 0;
    for (; s < end && *s != '\n' && *s != '\r'; s++) {
        if (continues_character(*s))
            continue;
        column++;
        if (column >= to)
            return;
        if (column >= from)
            darc_text_putc(out, *s == '\t' ? '\t' : ' ');
    }
    for (column++; column < to; column++)
        darc_text_putc(out, ' ');
}

darc_status darc_script_fail(const darc_script *script, darc_place place,
                             darc_status status, const char *format, ...)
{
    if (script == NULL)
        return status;
    darc_err message;
    darc_err_init(&message);
    va_list args;
    va_start(args, format);
    darc_vfail(&message, status, format, args);
    va_end(args);

    const char *line = find_line(script, place.line);
    const char *end = script->text + script->length;
    int from = place.column > DARC_SHOWN_WIDTH - DARC_SHOWN_MARGIN
                   ? place.column - DARC_SHOWN_WIDTH / 2
                   : 1;
    darc_text_t shown;
    darc_text_init(shown);
    quote_line(shown, line, end, from, from + DARC_SHOWN_WIDTH);
    darc_text_putc(shown, '\n');
    indent(shown, line, end, from, place.column);
    darc_fail(script->err, status, "%.300s:%d:%d: error: %.800s\n%s^",
              script->file, place.line, place.column, message.message,
              shown->s);
    darc_text_clear(shown);
    return status;
}
