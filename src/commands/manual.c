#include "commands/manual.h"

#include "darc.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Append n characters; a line's first '.' or ''' is no command. */
static void put(darc_text_t out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool first = out->len == 0 || out->s[out->len - 1] == '\n';
        if (first && (s[i] == '.' || s[i] == '\''))
            darc_text_puts(out, "\\&");
        switch (s[i]) {
        case '\\':
            darc_text_puts(out, "\\e");
            break;
        case '-':
            darc_text_puts(out, "\\-");
            break;
        case '\'':
            darc_text_puts(out, "\\(aq");
            break;
        case '`':
            darc_text_puts(out, "\\(ga");
            break;
        case '^':
            darc_text_puts(out, "\\(ha");
            break;
        case '~':
            darc_text_puts(out, "\\(ti");
            break;
        default:
            darc_text_putc(out, s[i]);
        }
    }
}

void darc_manual_text(darc_text_t out, const char *text)
{
    put(out, text, strlen(text));
}

void darc_manual_head(darc_text_t out, const char *name, const char *section,
                      const char *purpose)
{
    darc_text_puts(out, ".TH ");
    for (const char *s = name; *s != '\0'; s++)
        darc_text_putc(out, (char)toupper((unsigned char)*s));
    darc_text_printf(out, " %s \"\" \"darc " DARC_VERSION "\" \"darc\"\n",
                     section);
    darc_manual_heading(out, "NAME");
    put(out, name, strlen(name));
    darc_text_puts(out, " \\- ");
    put(out, purpose, strlen(purpose));
    darc_text_putc(out, '\n');
}

void darc_manual_heading(darc_text_t out, const char *text)
{
    darc_text_puts(out, ".SH ");
    for (const char *s = text; *s != '\0'; s++)
        darc_text_putc(out, (char)toupper((unsigned char)*s));
    darc_text_putc(out, '\n');
}

/* `code` and **strong** become bold, *emphasis* and [key] stay as they are. */
static void put_inline(darc_text_t out, const char *s, size_t n)
{
    bool code = false, strong = false;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '`') {
            code = !code;
            darc_text_puts(out, code ? "\\fB" : "\\fR");
        } else if (!code && s[i] == '*' && i + 1 < n && s[i + 1] == '*') {
            strong = !strong;
            darc_text_puts(out, strong ? "\\fB" : "\\fR");
            i++;
        } else if (code || s[i] != '*') {
            put(out, s + i, 1);
        }
    }
    darc_text_putc(out, '\n');
}

/* A row "| a | b |" becomes "a" with "b" indented below. */
static void put_row(darc_text_t out, const char *s, size_t n)
{
    if (strncmp(s, "| ---", 5) == 0)
        return;
    int cell = 0;
    for (size_t i = 1; i < n;) {
        const char *bar = memchr(s + i, '|', n - i);
        size_t end = bar == NULL ? n : (size_t)(bar - s);
        while (bar != NULL && s[end - 1] == '\\') {
            bar = memchr(s + end + 1, '|', n - end - 1);
            end = bar == NULL ? n : (size_t)(bar - s);
        }
        size_t first = i, last = end;
        while (first < last && s[first] == ' ')
            first++;
        while (last > first && s[last - 1] == ' ')
            last--;
        darc_text_puts(out, cell == 0 ? ".TP\n" : "");
        put_inline(out, s + first, last - first);
        cell++;
        i = end + 1;
    }
}

typedef enum { PROSE, CODE, TABLE } state;

/* Lines of prose, from code to code and row to row. */
static state put_line(darc_text_t out, state was, const char *s, size_t n)
{
    bool fence = n >= 3 && strncmp(s, "```", 3) == 0;
    if (fence) {
        darc_text_puts(out, was == CODE ? ".fi\n.RE\n" : ".PP\n.RS 4\n.nf\n");
        return was == CODE ? PROSE : CODE;
    }
    if (was == CODE) {
        put(out, s, n);
        darc_text_putc(out, '\n');
        return CODE;
    }
    if (n > 0 && s[0] == '|') {
        put_row(out, s, n);
        return TABLE;
    }
    if (n == 0)
        darc_text_puts(out, ".PP\n");
    else if (n > 3 && strncmp(s, "## ", 3) == 0) {
        darc_text_puts(out, ".SH ");
        put_inline(out, s + 3, n - 3);
    } else if (n > 4 && strncmp(s, "### ", 4) == 0) {
        darc_text_puts(out, ".SS ");
        put_inline(out, s + 4, n - 4);
    } else if (n > 2 && (strncmp(s, "- ", 2) == 0)) {
        darc_text_puts(out, ".IP \\(bu 2\n");
        put_inline(out, s + 2, n - 2);
    } else {
        while (n > 0 && *s == ' ') {
            s++;
            n--;
        }
        put_inline(out, s, n);
    }
    return PROSE;
}

void darc_manual_markdown(darc_text_t out, const char *text)
{
    state was = PROSE;
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        was = put_line(out, was, text, n);
        text += n + (text[n] == '\n');
    }
}

void darc_manual_entry(darc_text_t out, const char *name, const char *argument,
                       const char *help, const char *preset)
{
    darc_text_puts(out, ".TP\n\\fB");
    darc_manual_text(out, name);
    darc_text_puts(out, "\\fR");
    if (argument != NULL) {
        darc_text_puts(out, " \\fI");
        darc_manual_text(out, argument);
        darc_text_puts(out, "\\fR");
    }
    darc_text_putc(out, '\n');
    bool blank = false; /* the help holds line breaks of its own */
    for (const char *s = help; *s != '\0'; s++) {
        bool space = isspace((unsigned char)*s) != 0;
        if (!(space && blank))
            put(out, space ? " " : s, 1);
        blank = space;
    }
    if (preset != NULL) {
        darc_text_puts(out, " [");
        darc_manual_text(out, preset);
        darc_text_putc(out, ']');
    }
    darc_text_putc(out, '\n');
}
