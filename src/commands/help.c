#include "commands/help.h"

#include "base/output.h"
#include "commands/completion.h"
#include "commands/manual.h"
#include "commands/topics.h"
#include "darc.h"
#include "syntax/suggest.h"

#include <stdio.h>
#include <string.h>

void darc_help_overview(darc_text_t out)
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
    darc_text_puts(out, "\ndarc help COMMAND tells its options, darc help "
                        "options all of them.\ndarc help TOPIC tells of\n\n");
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        darc_text_printf(out, "  %-12s %s\n", darc_topic_at(i)->name,
                         darc_topic_at(i)->title);
    darc_text_puts(out, "\nExit codes: 0 consistent or done, 1 inconsistent, "
                        "2 undecided,\n3 command line, 4 model or data, "
                        "5 limit.\n");
}

void darc_help_command(darc_text_t out, const darc_command *c)
{
    darc_text_printf(out, "darc %s - %s\n\nusage: darc %s %s\n\n", c->name,
                     c->purpose, c->name, c->synopsis);
    darc_options_help(out, c->command);
}

static void manual_options(darc_text_t out, unsigned command)
{
    darc_manual_heading(out, "Options");
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        const darc_option_row *row = darc_option_row_at(i);
        if ((row->commands & command) != 0)
            darc_manual_entry(out, row->name, row->argument, row->help,
                              row->preset);
    }
}

static void manual_exit(darc_text_t out)
{
    static const char *const meaning[] = {
        "consistent, or done", "inconsistent",  "undecided",
        "command line",        "model or data", "limit or internal"};
    darc_manual_heading(out, "Exit status");
    for (int i = 0; i < 6; i++)
        darc_text_printf(out, ".TP\n%d\n%s\n", i, meaning[i]);
}

/* darc(1): what commands and topics there are. */
static void manual_darc(darc_text_t out)
{
    darc_manual_head(out, "darc", "1",
                     "hold a model's equations against measured signals");
    darc_text_puts(out, ".SH SYNOPSIS\n.B darc\n.I COMMAND ARGUMENTS\n"
                        ".RI [ OPTIONS ]\n.SH DESCRIPTION\n");
    darc_manual_text(out,
                     "Three questions, answered from recordings alone, without "
                     "identifying a parameter: can these equations produce "
                     "these signals (structure), were two recordings made by "
                     "the same system with the same parameters (equal), and if "
                     "not, which parameter changed (changed).\n");
    darc_manual_heading(out, "Commands");
    for (int i = 0; darc_command_at(i) != NULL; i++)
        darc_manual_entry(out, darc_command_at(i)->name, NULL,
                          darc_command_at(i)->purpose, NULL);
    manual_exit(out);
    darc_manual_heading(out, "Topics");
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        darc_manual_entry(out, darc_topic_at(i)->name, NULL,
                          darc_topic_at(i)->title, NULL);
    darc_manual_heading(out, "See also");
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
    darc_manual_head(out, name, "1", c->purpose);
    darc_text_printf(out, ".SH SYNOPSIS\n.nf\n\\fBdarc %s\\fR ", c->name);
    darc_manual_text(out, c->synopsis);
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
    darc_manual_head(out, name, "7", t->title);
    darc_manual_heading(out, "Description");
    darc_manual_markdown(out, t->text);
    if (strcmp(t->name, "options") == 0)
        manual_options(out, ~0u);
    darc_text_puts(out, ".SH SEE ALSO\n.BR darc (1)\n");
}

static int usage_error(const char *format, const char *what, const char *near)
{
    fputs("darc: ", stderr);
    fprintf(stderr, format, what, near);
    fputs("\n", stderr);
    return DARC_EXIT_USAGE;
}

/* help man [COMMAND|TOPIC], help completion SHELL: for installation. */
static bool installed(darc_text_t out, int n, char **words)
{
    if (n == 1 && strcmp(words[0], "man") == 0) {
        manual_darc(out);
        return true;
    }
    if (n != 2)
        return false;
    if (strcmp(words[0], "completion") == 0)
        return darc_completion(out, words[1]);
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
        darc_help_command(out, c);
    else if (t != NULL)
        darc_text_printf(out, "%s\n\n%s", t->title, t->text);
    if (strcmp(what, "options") == 0) {
        darc_text_putc(out, '\n');
        darc_options_help(out, ~0u);
    }
    return out->len > 0;
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
    return usage_error("no command or topic '%s'%s; see darc --help", what,
                       darc_suggestion_text(&near));
}

int darc_help_run(int n, char **words)
{
    darc_text_t out = DARC_TEXT;
    if (n == 0)
        darc_help_overview(out);
    else if (!installed(out, n, words) && !(n == 1 && told(out, words[0])))
        return darc_help_unknown(words[0]);
    int code = darc_help_print(out->s);
    darc_text_clear(out);
    return code;
}
