#include "emit/json.h"

#include "darc.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void darc_json_init(darc_json *j, darc_text_t out)
{
    *j = (darc_json){.out = out};
}

static void escape(darc_text_t out, const char *s)
{
    darc_text_putc(out, '"');
    for (int n; *s != '\0'; s += n) {
        unsigned char c = (unsigned char)*s;
        n = darc_text_character(s);
        if (n != 1) {
            darc_text_write(out, n == 0 ? "\xef\xbf\xbd" : s,
                            n == 0 ? 3 : (size_t)n);
            n = n == 0 ? 1 : n;
            continue;
        }
        if (c == '"' || c == '\\')
            darc_text_printf(out, "\\%c", c);
        else if (c == '\n')
            darc_text_puts(out, "\\n");
        else if (c < 0x20)
            darc_text_printf(out, "\\u%04x", c);
        else
            darc_text_putc(out, (char)c);
    }
    darc_text_putc(out, '"');
}

static void break_line(darc_json *j)
{
    darc_text_printf(j->out, "\n%*s", 2 * j->depth, "");
}

/* Write the comma, line break and key that come before a value. */
static void prefix(darc_json *j, const char *key)
{
    if (j->depth > 0) {
        if (j->filled[j->depth - 1])
            darc_text_puts(j->out, key != NULL ? "," : ", ");
        j->filled[j->depth - 1] = true;
    }
    if (key != NULL) {
        break_line(j);
        escape(j->out, key);
        darc_text_puts(j->out, ": ");
    }
}

static void put_string(darc_json *j, const char *key, const char *s)
{
    prefix(j, key);
    if (s != NULL)
        escape(j->out, s);
    else
        darc_text_puts(j->out, "null");
}

static void put_bracket(darc_json *j, const char *key, char bracket)
{
    if (bracket == '{' || bracket == '[') {
        prefix(j, key);
        assert(j->depth < DARC_JSON_DEPTH);
        j->filled[j->depth++] = false;
    } else {
        assert(j->depth > 0 && (bracket == '}' || bracket == ']'));
        j->depth--;
        if (j->filled[j->depth] && bracket == '}')
            break_line(j);
    }
    darc_text_putc(j->out, bracket);
}

static void put_value(darc_json *j, const char *key, char type, va_list *args)
{
    static const char *const truth[] = {
        [DARC_FALSE] = "false", [DARC_TRUE] = "true", [DARC_UNKNOWN] = "null"};
    const char *const *list, *s;
    double x;
    switch (type) {
    case 's':
        put_string(j, key, va_arg(*args, const char *));
        return;
    case 'S':
        s = va_arg(*args, const char *);
        if (s != NULL)
            put_string(j, key, s);
        return;
    case 'a':
        put_bracket(j, key, '[');
        list = va_arg(*args, const char *const *);
        for (int i = 0, n = va_arg(*args, int); i < n; i++)
            put_string(j, NULL, list[i]);
        put_bracket(j, NULL, ']');
        return;
    default:
        prefix(j, key);
    }
    if (type == 'd') {
        x = va_arg(*args, double);
        if (isfinite(x))
            darc_text_double(j->out, x);
        else
            darc_text_puts(j->out, "null");
    } else if (type == 'i') {
        darc_text_printf(j->out, "%d", va_arg(*args, int));
    } else if (type == 'l') {
        darc_text_printf(j->out, "%ld", va_arg(*args, long));
    } else if (type == 'z') {
        darc_text_printf(j->out, "%zu", va_arg(*args, size_t));
    } else if (type == 'b') {
        darc_text_puts(j->out, va_arg(*args, int) != 0 ? "true" : "false");
    } else {
        assert(type == 't');
        darc_text_puts(j->out, truth[va_arg(*args, int)]);
    }
}

void darc_json_put(darc_json *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *f = format; *f != '\0'; f++) {
        char name[40];
        size_t n = strcspn(f, ":{}[] ");
        assert(n < sizeof name);
        snprintf(name, sizeof name, "%.*s", (int)n, f);
        const char *key = strcmp(name, "*") == 0 ? va_arg(args, const char *)
                          : n > 0                ? name
                                                 : NULL;
        f += n;
        if (*f == ':')
            put_value(j, key, *++f, &args);
        else if (*f != ' ')
            put_bracket(j, key, *f);
    }
    va_end(args);
}

void darc_json_begin(darc_json *j, darc_text_t out, const char *command,
                     const char *arguments)
{
    darc_json_init(j, out);
    darc_json_put(j, "{darc:s command:s arguments:S", DARC_VERSION, command,
                  arguments);
}

void darc_json_end(darc_json *j)
{
    darc_json_put(j, "}");
    darc_text_putc(j->out, '\n');
}
