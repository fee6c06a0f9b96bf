#include "commands/command.h"

#include "base/output.h"
#include "base/suggest.h"
#include "darc.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void overview(darc_text_t out)
{
    darc_text_puts(out,
                   "darc " DARC_VERSION
                   " - a differential-algebra residual checker\n\n"
                   "Holds the equations of a model against measured signals "
                   "without identifying\na parameter.\n\nusage: darc COMMAND "
                   "ARGUMENTS [OPTIONS]\nbegin: darc data FILE (what is in a "
                   "recording), darc help tutorial\n\n");
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

/* A line: a word, a tab, and what it means. */
static void put_word(darc_text_t out, const char *word, const char *meaning)
{
    darc_text_printf(out, "%s\t", word);
    for (const char *s = meaning; *s != '\0'; s++)
        if (!isspace((unsigned char)*s))
            darc_text_putc(out, *s);
        else if (!isspace((unsigned char)s[1]))
            darc_text_putc(out, ' ');
    darc_text_putc(out, '\n');
}

/* The words of "a|b|c", a line each. */
static void put_choices(darc_text_t out, const char *words)
{
    for (; *words != '\0'; words++)
        darc_text_putc(out, *words == '|' ? '\n' : *words);
    darc_text_putc(out, '\n');
}

static void put_commands(darc_text_t out)
{
    for (int i = 0; darc_command_at(i) != NULL; i++)
        put_word(out, darc_command_at(i)->name, darc_command_at(i)->purpose);
}

/* Options of the command, or the choices of the one before. */
static void put_options(darc_text_t out, unsigned command, const char *before,
                        const char *word)
{
    const darc_option_row *row = NULL;
    while ((row = darc_option_next(row, command)) != NULL) {
        bool meant = strcmp(row->name, before) == 0 && row->argument != NULL;
        if (meant && row->kind == DARC_KIND_CHOICE)
            put_choices(out, row->argument);
        if (meant)
            return;
    }
    while (word[0] == '-' && (row = darc_option_next(row, command)) != NULL)
        put_word(out, row->name, row->help);
    if (word[0] == '-')
        put_word(out, "--help", "what the command does");
}

/* `darc help complete WORD...`, which shells ask (shells/): append what may
 * stand in the place of the last of n > 0 words behind darc, a line each: the
 * word, and behind a tab what it means.  Nothing: a file may, or anything. */
static void complete(darc_text_t out, int n, char **words)
{
    const darc_command *c = n > 1 ? darc_command_find(words[0]) : NULL;
    if (n == 1) {
        put_commands(out);
        put_word(out, "help", "what darc does");
        put_choices(out, "--version|--help");
    } else if (n == 2 && strcmp(words[0], "help") == 0) {
        put_commands(out);
        for (int i = 0; darc_topic_at(i) != NULL; i++)
            put_word(out, darc_topic_at(i)->name, darc_topic_at(i)->title);
    } else if (c != NULL) {
        put_options(out, c->command, words[n - 2], words[n - 1]);
        if (n == 2 && c->command == DARC_CMD_CHECK && words[1][0] != '-')
            put_choices(out, "structure|equal|changed");
    }
}

/* The JSON Schema of reports, made of src/manual/json.md. */
static const char schema[] = {
#include "schema.inc"
    0};

/* help schema; help complete WORD..., for shells. */
static bool installed(darc_text_t out, int n, char **words)
{
    if (n == 1 && strcmp(words[0], "schema") == 0) {
        darc_text_puts(out, schema);
        return true;
    }
    if (n > 1 && strcmp(words[0], "complete") == 0) {
        complete(out, n - 1, words + 1);
        return true;
    }
    return false;
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
    if (access(what, R_OK) == 0) {
        darc_cli_say("darc: '%s' is a file, not a command; of a recording: "
                     "darc data FILE, darc check structure MODEL FILE\n",
                     what);
        return DARC_EXIT_USAGE;
    }
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
