#include "commands/command.h"

#include "base/output.h"
#include "darc.h"
#include "syntax/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Append n characters; a line's first '.' or ''' is no command. */
static void put_text(darc_text_t out, const char *s, size_t n)
{
    static const char plain[] = "\\-'`^~";
    static const char *const escaped[] = {"\\e",   "\\-",   "\\(aq",
                                          "\\(ga", "\\(ha", "\\(ti"};
    for (size_t i = 0; i < n; i++) {
        bool first = out->len == 0 || out->s[out->len - 1] == '\n';
        if (first && (s[i] == '.' || s[i] == '\''))
            darc_text_puts(out, "\\&");
        const char *at = memchr(plain, s[i], sizeof plain - 1);
        if (at != NULL)
            darc_text_puts(out, escaped[at - plain]);
        else
            darc_text_putc(out, s[i]);
    }
}

static void manual_text(darc_text_t out, const char *text)
{
    put_text(out, text, strlen(text));
}

static void put_capitals(darc_text_t out, const char *s)
{
    for (; *s != '\0'; s++)
        darc_text_putc(out, (char)toupper((unsigned char)*s));
}

static void manual_heading(darc_text_t out, const char *text)
{
    darc_text_puts(out, ".SH ");
    put_capitals(out, text);
    darc_text_putc(out, '\n');
}

static void manual_head(darc_text_t out, const char *name, const char *section,
                        const char *purpose)
{
    darc_text_puts(out, ".TH ");
    put_capitals(out, name);
    darc_text_printf(out, " %s \"\" \"darc " DARC_VERSION "\" \"darc\"\n",
                     section);
    manual_heading(out, "NAME");
    manual_text(out, name);
    darc_text_puts(out, " \\- ");
    manual_text(out, purpose);
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
            put_text(out, s + i, 1);
        }
    }
    darc_text_putc(out, '\n');
}

/* A row "| a | b |" becomes "a" with "b" indented below. */
static void put_table_row(darc_text_t out, const char *s, size_t n)
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
static state put_prose_line(darc_text_t out, state was, const char *s, size_t n)
{
    static const struct {
        const char *mark, *macro;
    } kinds[] = {{"## ", ".SH "}, {"### ", ".SS "}, {"- ", ".IP \\(bu 2\n"}};
    if (n >= 3 && strncmp(s, "```", 3) == 0) {
        darc_text_puts(out, was == CODE ? ".fi\n.RE\n" : ".PP\n.RS 4\n.nf\n");
        return was == CODE ? PROSE : CODE;
    }
    if (was == CODE) {
        put_text(out, s, n);
        darc_text_putc(out, '\n');
        return CODE;
    }
    if (n > 0 && s[0] == '|') {
        put_table_row(out, s, n);
        return TABLE;
    }
    if (n == 0) {
        darc_text_puts(out, ".PP\n");
        return PROSE;
    }
    for (int i = 0; i < 3; i++) {
        size_t mark = strlen(kinds[i].mark);
        if (n > mark && strncmp(s, kinds[i].mark, mark) == 0) {
            darc_text_puts(out, kinds[i].macro);
            put_inline(out, s + mark, n - mark);
            return PROSE;
        }
    }
    size_t blanks = 0;
    while (blanks < n && s[blanks] == ' ')
        blanks++;
    put_inline(out, s + blanks, n - blanks);
    return PROSE;
}

static void manual_entry(darc_text_t out, const char *name,
                         const char *argument, const char *help,
                         const char *preset)
{
    darc_text_puts(out, ".TP\n\\fB");
    manual_text(out, name);
    darc_text_puts(out, argument != NULL ? "\\fR \\fI" : "");
    manual_text(out, argument != NULL ? argument : "");
    darc_text_puts(out, "\\fR\n");
    bool blank = false; /* the help holds line breaks of its own */
    for (const char *s = help; *s != '\0'; s++) {
        bool space = isspace((unsigned char)*s) != 0;
        if (!(space && blank))
            put_text(out, space ? " " : s, 1);
        blank = space;
    }
    if (preset != NULL) {
        darc_text_puts(out, " [");
        manual_text(out, preset);
        darc_text_putc(out, ']');
    }
    darc_text_putc(out, '\n');
}

static void overview(darc_text_t out)
{
    darc_text_puts(out,
                   "darc " DARC_VERSION
                   " - a differential-algebra residual checker\n\n"
                   "Holds the equations of a model against measured signals "
                   "without identifying\na parameter.\n\nusage: darc COMMAND "
                   "ARGUMENTS [OPTIONS]\n\n");
    for (int i = 0; darc_command_at(i) != NULL; i++)
        darc_text_printf(out, "  %-12s %s\n", darc_command_at(i)->name,
                         darc_command_at(i)->purpose);
    darc_text_puts(out,
                   "\ndarc help COMMAND tells its options, darc help "
                   "options all of them,\ndarc help schema the JSON Schema "
                   "of reports. darc help TOPIC tells of\n\n");
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        darc_text_printf(out, "  %-12s %s\n", darc_topic_at(i)->name,
                         darc_topic_at(i)->title);
    darc_text_puts(out, "\nExit codes: 0 consistent or done, 1 inconsistent, "
                        "2 undecided,\n3 command line, 4 model or data, "
                        "5 limit.\n");
}

static void manual_options(darc_text_t out, unsigned command)
{
    manual_heading(out, "Options");
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        const darc_option_row *row = darc_option_row_at(i);
        if ((row->commands & command) != 0)
            manual_entry(out, row->name, row->argument, row->help, row->preset);
    }
}

static void manual_exit(darc_text_t out)
{
    static const char *const meaning[] = {
        "consistent, or done", "inconsistent",  "undecided",
        "command line",        "model or data", "limit or internal"};
    manual_heading(out, "Exit status");
    for (int i = 0; i < 6; i++)
        darc_text_printf(out, ".TP\n%d\n%s\n", i, meaning[i]);
}

/* darc(1): what commands and topics there are. */
static void manual_darc(darc_text_t out)
{
    manual_head(out, "darc", "1",
                "hold a model's equations against measured signals");
    darc_text_puts(out, ".SH SYNOPSIS\n.B darc\n.I COMMAND ARGUMENTS\n"
                        ".RI [ OPTIONS ]\n.SH DESCRIPTION\n");
    manual_text(out, "Three questions, answered from recordings alone, without "
                     "identifying a parameter: can these equations produce "
                     "these signals (structure), were two recordings made by "
                     "the same system with the same parameters (equal), and if "
                     "not, which parameter changed (changed).\n");
    manual_heading(out, "Commands");
    for (int i = 0; darc_command_at(i) != NULL; i++)
        manual_entry(out, darc_command_at(i)->name, NULL,
                     darc_command_at(i)->purpose, NULL);
    manual_exit(out);
    manual_heading(out, "Topics");
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        manual_entry(out, darc_topic_at(i)->name, NULL, darc_topic_at(i)->title,
                     NULL);
    manual_heading(out, "See also");
    for (int i = 0; darc_command_at(i) != NULL; i++)
        darc_text_printf(out, "%s.BR darc\\-%s (1)", i == 0 ? "" : ",\n",
                         darc_command_at(i)->name);
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        darc_text_printf(out, ",\n.BR darc\\-%s (7)", darc_topic_at(i)->name);
    darc_text_putc(out, '\n');
}

/* darc-COMMAND(1): usage and options. */
static void manual_command(darc_text_t out, const darc_command *c)
{
    char name[64];
    snprintf(name, sizeof name, "darc-%s", c->name);
    manual_head(out, name, "1", c->purpose);
    darc_text_printf(out, ".SH SYNOPSIS\n.nf\n\\fBdarc %s\\fR ", c->name);
    manual_text(out, c->synopsis);
    darc_text_puts(out, "\n.fi\n");
    manual_options(out, c->command);
    manual_exit(out);
    darc_text_puts(out, ".SH SEE ALSO\n.BR darc (1)\n");
}

/* darc-TOPIC(7). */
static void manual_topic(darc_text_t out, const darc_topic *t)
{
    char name[64];
    snprintf(name, sizeof name, "darc-%s", t->name);
    manual_head(out, name, "7", t->title);
    manual_heading(out, "Description");
    state was = PROSE;
    for (const char *s = t->text; *s != '\0';) {
        size_t n = strcspn(s, "\n");
        was = put_prose_line(out, was, s, n);
        s += n + (s[n] == '\n');
    }
    if (strcmp(t->name, "options") == 0)
        manual_options(out, ~0u);
    darc_text_puts(out, ".SH SEE ALSO\n.BR darc (1)\n");
}

/* The JSON Schema of reports, made of src/manual/json.md. */
static const char schema[] = {
#include "schema.inc"
    0};

/* help man [COMMAND|TOPIC], for installation; help complete WORD..., for
 * shells; help schema. */
static bool installed(darc_text_t out, int n, char **words)
{
    if (n == 1 && strcmp(words[0], "schema") == 0) {
        darc_text_puts(out, schema);
        return true;
    }
    if (n == 1 && strcmp(words[0], "man") == 0) {
        manual_darc(out);
        return true;
    }
    if (n > 1 && strcmp(words[0], "complete") == 0) {
        darc_complete(out, n - 1, words + 1);
        return true;
    }
    if (n != 2)
        return false;
    const darc_command *c = darc_command_find(words[1]);
    const darc_topic *t = darc_topic_find(words[1]);
    if (strcmp(words[0], "man") != 0 || (c == NULL && t == NULL))
        return false;
    if (c != NULL)
        manual_command(out, c);
    else
        manual_topic(out, t);
    return true;
}

static bool told(darc_text_t out, const char *what)
{
    const darc_command *c = darc_command_find(what);
    const darc_topic *t = darc_topic_find(what);
    if (c != NULL)
        darc_text_printf(out, "darc %s - %s\n\nusage: darc %s %s\n\n", c->name,
                         c->purpose, c->name, c->synopsis);
    if (c != NULL)
        darc_options_help(out, c->command);
    else if (t != NULL)
        darc_text_printf(out, "%s\n\n%s", t->title, t->text);
    if (strcmp(what, "options") == 0) {
        darc_text_putc(out, '\n');
        darc_options_help(out, ~0u);
    }
    return out->len > 0;
}

int darc_help_lack(void)
{
    darc_text_t out = DARC_TEXT;
    overview(out);
    fputs(out->s, stderr);
    darc_text_clear(out);
    return DARC_EXIT_USAGE;
}

int darc_help_print(const char *text)
{
    darc_err err = {DARC_OK, ""};
    return darc_output_file("-", text, strlen(text), &err) == DARC_OK
               ? DARC_EXIT_CONSISTENT
               : darc_cli_fail(&err);
}

int darc_help_unknown(const char *what)
{
    darc_suggestion near;
    darc_suggestion_init(&near, what);
    for (int i = 0; darc_command_at(i) != NULL; i++)
        darc_suggestion_offer(&near, darc_command_at(i)->name);
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        darc_suggestion_offer(&near, darc_topic_at(i)->name);
    darc_suggestion_offer(&near, "--version");
    darc_suggestion_offer(&near, "--help");
    darc_cli_say("darc: no command or topic '%s'%s; see darc --help\n", what,
                 darc_suggestion_text(&near));
    return DARC_EXIT_USAGE;
}

/* Help has nothing for the words: say which is the first that is too much. */
static int unanswered(int n, char **words)
{
    const char *first = words[0];
    if (n == 2 && strcmp(first, "man") == 0)
        return darc_help_unknown(words[1]);
    if (n == 1 ||
        (darc_command_find(first) == NULL && darc_topic_find(first) == NULL))
        return darc_help_unknown(first);
    darc_cli_say("darc: help takes one command or topic; '%s' is too much "
                 "behind '%s'\n",
                 words[1], first);
    return DARC_EXIT_USAGE;
}

int darc_help_run(int n, char **words)
{
    darc_text_t out = DARC_TEXT;
    if (n == 0)
        overview(out);
    else if (!installed(out, n, words) && !(n == 1 && told(out, words[0])))
        return unanswered(n, words);
    int code = darc_help_print(out->s);
    darc_text_clear(out);
    return code;
}
