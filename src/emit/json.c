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

static void indent(darc_json *j)
{
    darc_text_putc(j->out, '\n');
    for (int i = 0; i < j->depth; i++)
        darc_text_puts(j->out, "  ");
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
        indent(j);
        escape(j->out, key);
        darc_text_puts(j->out, ": ");
    }
}

static void open_level(darc_json *j, const char *key, char bracket)
{
    prefix(j, key);
    assert(j->depth < DARC_JSON_DEPTH);
    darc_text_putc(j->out, bracket);
    j->filled[j->depth++] = false;
}

void darc_json_object(darc_json *j, const char *key)
{
    open_level(j, key, '{');
}

void darc_json_array(darc_json *j, const char *key)
{
    open_level(j, key, '[');
}

void darc_json_end_object(darc_json *j)
{
    assert(j->depth > 0);
    j->depth--;
    if (j->filled[j->depth])
        indent(j);
    darc_text_putc(j->out, '}');
}

void darc_json_end_array(darc_json *j)
{
    assert(j->depth > 0);
    j->depth--;
    darc_text_putc(j->out, ']');
}

void darc_json_string(darc_json *j, const char *key, const char *value)
{
    if (value == NULL) {
        darc_json_null(j, key);
        return;
    }
    prefix(j, key);
    escape(j->out, value);
}

void darc_json_double(darc_json *j, const char *key, double value)
{
    if (!isfinite(value)) {
        darc_json_null(j, key);
        return;
    }
    prefix(j, key);
    darc_text_double(j->out, value);
}

void darc_json_long(darc_json *j, const char *key, long value)
{
    prefix(j, key);
    darc_text_printf(j->out, "%ld", value);
}

void darc_json_bool(darc_json *j, const char *key, bool value)
{
    prefix(j, key);
    darc_text_puts(j->out, value ? "true" : "false");
}

void darc_json_null(darc_json *j, const char *key)
{
    prefix(j, key);
    darc_text_puts(j->out, "null");
}

static void put_member(darc_json *j, const char *key, char type, va_list *args)
{
    if (type == 's')
        darc_json_string(j, key, va_arg(*args, const char *));
    else if (type == 'd')
        darc_json_double(j, key, va_arg(*args, double));
    else if (type == 'b')
        darc_json_bool(j, key, va_arg(*args, int) != 0);
    else if (type == 'i')
        darc_json_long(j, key, va_arg(*args, int));
    else
        darc_json_long(j, key, va_arg(*args, long));
}

static void put_members(darc_json *j, const char *format, va_list *args)
{
    char key[40];
    for (const char *f = format; *f != '\0'; f += *f == ' ') {
        size_t n = strcspn(f, ":");
        assert(n < sizeof key && strchr("sdbil", f[n + 1]) != NULL);
        snprintf(key, sizeof key, "%.*s", (int)n, f);
        put_member(j, key, f[n + 1], args);
        f += n + 2;
    }
}

void darc_json_put(darc_json *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_members(j, format, &args);
    va_end(args);
}

void darc_json_put_object(darc_json *j, const char *key, const char *format,
                          ...)
{
    va_list args;
    va_start(args, format);
    darc_json_object(j, key);
    put_members(j, format, &args);
    darc_json_end_object(j);
    va_end(args);
}

void darc_json_begin(darc_json *j, darc_text_t out, const char *command,
                     const char *arguments)
{
    darc_json_init(j, out);
    darc_json_object(j, NULL);
    darc_json_put(j, "darc:s command:s", DARC_VERSION, command);
    if (arguments != NULL)
        darc_json_string(j, "arguments", arguments);
}

void darc_json_end(darc_json *j)
{
    darc_json_end_object(j);
    darc_text_putc(j->out, '\n');
}

void darc_json_model(darc_json *j, const char *name, const char *file)
{
    darc_json_put_object(j, "model", "name:s file:s", name, file);
}

void darc_json_strings(darc_json *j, const char *key, const char *const *value,
                       int n)
{
    darc_json_array(j, key);
    for (int i = 0; i < n; i++)
        darc_json_string(j, NULL, value[i]);
    darc_json_end_array(j);
}
