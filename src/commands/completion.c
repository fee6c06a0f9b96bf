/* completion.c - `darc help complete WORD...`, which shells ask (shells/): what
 * may stand in the place of the last word behind darc. */
#include "commands/command.h"

#include <ctype.h>
#include <string.h>

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

void darc_complete(darc_text_t out, int n, char **words)
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
