#include "emit/html.h"

#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *darc_tone_sign(darc_tone tone)
{
    static const char *const sign[] = {"\u2713", "\u2717", "?", "\u2022"};
    return sign[tone];
}

const char *darc_tone_class(darc_tone tone)
{
    static const char *const class[] = {"good", "bad", "open", "plain"};
    return class[tone];
}

static void escape(darc_text_t out, const char *text)
{
    darc_text_t shown = DARC_TEXT;
    darc_text_shown(shown, text);
    for (const char *s = shown->s; *s != '\0'; s++) {
        if (*s == '&')
            darc_text_puts(out, "&amp;");
        else if (*s == '<')
            darc_text_puts(out, "&lt;");
        else if (*s == '>')
            darc_text_puts(out, "&gt;");
        else if (*s == '"')
            darc_text_puts(out, "&quot;");
        else if (*s == '\'')
            darc_text_puts(out, "&#39;");
        else
            darc_text_putc(out, *s);
    }
    darc_text_clear(shown);
}

#define MINUS "\u2212"

/* Append what snprintf wrote, with a minus sign instead of a hyphen. */
static void put_digits(darc_text_t out, char *s)
{
    for (; *s != '\0'; s++)
        if (*s == '-')
            darc_text_puts(out, MINUS);
        else
            darc_text_putc(out, *s);
}

static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                     "\u2074", "\u2075", "\u2076", "\u2077",
                                     "\u2078", "\u2079"};

static void put_unit(darc_text_t out, const char *s)
{
    darc_text_t set = DARC_TEXT;
    for (; *s != '\0'; s++) {
        size_t minus = s[0] == '^' && s[1] == '-';
        size_t digits = *s == '^' ? strspn(s + 1 + minus, "0123456789") : 0;
        if (digits > 0) {
            darc_text_puts(set, minus ? "\u207b" : "");
            for (s += minus; digits > 0; digits--)
                darc_text_puts(set, raised[*++s - '0']);
        } else if (*s == '*') {
            darc_text_puts(set, "\u00b7");
        } else {
            darc_text_putc(set, *s);
        }
    }
    escape(out, set->s);
    darc_text_clear(set);
}

/* "1.20e-07" as 1.20 x 10 with a raised -7; exact: as 1.2. */
static void put_power(darc_text_t out, char *s, bool exact)
{
    char *e = strchr(s, 'e');
    assert(e != NULL);
    char exponent[16];
    snprintf(exponent, sizeof exponent, "%d", atoi(e + 1));
    *e = '\0';
    if (exact && strchr(s, '.') != NULL) {
        while (e[-1] == '0')
            *--e = '\0';
        if (e[-1] == '.')
            e[-1] = '\0';
    }
    if (strcmp(s, "1") != 0) {
        put_digits(out, s);
        darc_text_puts(out, "\u202f\u00d7\u202f");
    }
    darc_text_puts(out, "10");
    for (const char *x = exponent; *x != '\0'; x++)
        darc_text_puts(out, *x == '-' ? "\u207b" : raised[*x - '0']);
}

static void put_set(darc_text_t out, char *s, bool exact)
{
    if (strchr(s, 'e') != NULL)
        put_power(out, s, exact);
    else
        put_digits(out, s);
}

void darc_html_number(darc_text_t out, double x, int digits)
{
    char s[64];
    if (isnan(x)) {
        darc_text_puts(out, "\u2013");
        return;
    }
    if (isinf(x)) {
        darc_text_puts(out, x > 0 ? "\u221e" : MINUS "\u221e");
        return;
    }
    double size = fabs(x);
    snprintf(s, sizeof s, "%.*g", digits, x);
    if (strchr(s, 'e') != NULL && size >= 1 && size < 1e6)
        snprintf(s, sizeof s, "%.0f", x);
    if (x != 0 && size < 1e-3 && strchr(s, 'e') == NULL)
        snprintf(s, sizeof s, "%.*e", digits - 1, x);
    put_set(out, s, true);
}

/* What darc_text_measure writes, set: its numbers one by one. */
static void put_measure(darc_text_t out, double x, double half, bool percent)
{
    darc_text_t text = DARC_TEXT;
    double scale = percent ? 100 : 1;
    if (!isfinite(x) || !isfinite(half)) {
        darc_html_number(out, x * scale, 6);
    } else {
        darc_text_measure(text, x * scale, half * scale);
        char *end = strstr(text->s, " +- ");
        assert(end != NULL);
        *end = '\0';
        put_set(out, text->s, false);
        darc_text_puts(out, " \u00b1\u00a0");
        put_set(out, end + 4, false);
    }
    darc_text_puts(out, percent ? "\u00a0%" : "");
    darc_text_clear(text);
}

static void put_size(darc_text_t out, size_t n)
{
    char s[32];
    snprintf(s, sizeof s, "%zu", n);
    for (size_t i = 0, len = strlen(s); i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            darc_text_puts(out, "\u202f");
        darc_text_putc(out, s[i]);
    }
}

/* Write x as the letter of a format says. */
static void put_number(darc_text_t out, char letter, double x)
{
    if (letter == 'q') {
        assert(isfinite(x)); /* a tenth of a pixel; no minus zero */
        darc_text_printf(out, "%g", round(10 * x) / 10 + 0.0);
        return;
    }
    if (letter == 'v' && x < DARC_LEAST_P) {
        darc_text_puts(out, "&lt;\u202f10\u207b\u00b9\u00b2");
        return;
    }
    darc_html_number(out, letter == 'p' ? 100 * x : x, letter == 'p' ? 3 : 4);
    darc_text_puts(out, letter == 'p' ? "\u00a0%" : "");
}

static void put_tag(darc_text_t out, darc_tone tone, const char *text)
{
    darc_html_put(out,
                  "<span class=\"tag %h\"><span aria-hidden=\"true\">%h</span> "
                  "%s</span>",
                  darc_tone_class(tone), darc_tone_sign(tone), text);
}

/* A bar for a share of 1, so many pixels long. */
static void put_bar(darc_text_t out, double share, int width)
{
    darc_html_put(out,
                  "<svg width=\"%d\" height=\"10\" viewBox=\"0 0 %d 10\" "
                  "aria-hidden=\"true\"><path class=\"grid\" d=\"M0 5H%d\"/>"
                  "<path class=\"bar a\" style=\"stroke-width:8\" d=\"M0 "
                  "5H%q\"/></svg>",
                  width, width, width, width * fmin(fmax(share, 0), 1));
}

/* Append what a letter of a format stands for. */
static void put_item(darc_text_t out, char letter, va_list *args)
{
    double x;
    darc_tone tone;
    const char *s;
    switch (letter) {
    case 's':
        escape(out, va_arg(*args, const char *));
        break;
    case 'u':
        put_unit(out, va_arg(*args, const char *));
        break;
    case 'h':
        darc_text_puts(out, va_arg(*args, const char *));
        break;
    case 'd':
        darc_text_printf(out, "%d", va_arg(*args, int));
        break;
    case 'z':
        put_size(out, va_arg(*args, size_t));
        break;
    case 'n':
    case 'p':
    case 'v':
    case 'q':
        put_number(out, letter, va_arg(*args, double));
        break;
    case 'M':
    case 'P':
        x = va_arg(*args, double);
        put_measure(out, x, va_arg(*args, double), letter == 'P');
        break;
    case 'm':
        s = va_arg(*args, const char *);
        if (!darc_mathml(out, s, NULL))
            darc_html_put(out, "<code>%s</code>", s);
        break;
    case 't':
        tone = va_arg(*args, darc_tone);
        put_tag(out, tone, va_arg(*args, const char *));
        break;
    case 'b':
        x = va_arg(*args, double);
        darc_html_put(out, "%n</td><td>", x);
        if (isfinite(x))
            put_bar(out, x, 90);
        break;
    case 'B':
        put_bar(out, va_arg(*args, double), 120);
        break;
    default:
        assert(letter == '%');
        darc_text_putc(out, '%');
    }
}

/* Append a format of n characters. */
static void put_format(darc_text_t out, const char *f, size_t n, va_list *args)
{
    for (const char *end = f + n; f < end; f += 2) {
        const char *item = memchr(f, '%', (size_t)(end - f));
        darc_text_write(out, f, (size_t)((item != NULL ? item : end) - f));
        if (item == NULL)
            return;
        f = item;
        put_item(out, f[1], args);
    }
}

void darc_html_put(darc_text_t out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_format(out, format, strlen(format), &args);
    va_end(args);
}

/* Open a cell, and return its format without what stands in front. */
static const char *open_cell(darc_text_t out, const char *c, bool heads)
{
    static const char mark[] = "#@~!^";
    static const char *const class[] = {"n", "file", "soft", "tag", "hash"};
    const char *found = strchr(mark, *c);
    darc_text_puts(out, heads ? "<th scope=\"row\"" : "<td");
    if (found != NULL)
        darc_text_printf(out, " class=\"%s\"", class[found - mark]);
    else if (*c >= '2' && *c <= '9')
        darc_text_printf(out, " colspan=\"%c\"", *c);
    else
        c--;
    darc_text_putc(out, '>');
    return c + 1;
}

void darc_html_row(darc_text_t out, const char *cells, ...)
{
    va_list args;
    va_start(args, cells);
    bool marked = *cells == '*', none = *cells == '\0', heads = true;
    darc_text_puts(out, none ? "" : marked ? "<tr class=\"lead\">" : "<tr>");
    for (const char *c = cells + marked; *c != '\0'; heads = false) {
        heads = heads && *c != '#';
        c = open_cell(out, c, heads);
        size_t n = strcspn(c, "|");
        put_format(out, c, n, &args);
        darc_text_puts(out, heads ? "</th>" : "</td>");
        c += n + (c[n] == '|');
    }
    darc_text_puts(out, none ? "" : "</tr>\n");
    va_end(args);
}
