#include "commands/command.h"

#include <string.h>

/* The words of "a|b|c". */
static void put_choices(darc_text_t out, const darc_option_row *row)
{
    for (const char *s = row->argument; *s != '\0'; s++)
        darc_text_putc(out, *s == '|' ? ' ' : *s);
}

/* What follows `darc help`, and which words a command's first operand has. */
static void put_operands(darc_text_t out, const char *command)
{
    if (strcmp(command, "check") == 0)
        darc_text_puts(out, "structure equal changed");
    if (strcmp(command, "help") != 0)
        return;
    for (int i = 0; darc_command_at(i) != NULL; i++)
        darc_text_printf(out, "%s%s", i > 0 ? " " : "",
                         darc_command_at(i)->name);
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        darc_text_printf(out, " %s", darc_topic_at(i)->name);
}

static void bash_command(darc_text_t out, const darc_command *c)
{
    darc_text_printf(out, "    %s)\n        words=\"", c->name);
    put_operands(out, c->name);
    darc_text_puts(out, "\"\n        options=\"--help");
    const darc_option_row *row = NULL;
    while ((row = darc_option_next(row, c->command)) != NULL)
        darc_text_printf(out, " %s", row->name);
    darc_text_puts(out, "\"\n        case $prev in\n");
    while ((row = darc_option_next(row, c->command)) != NULL) {
        if (row->argument == NULL)
            continue;
        darc_text_printf(out, "        %s) value=\"", row->name);
        if (row->kind == DARC_KIND_CHOICE)
            put_choices(out, row);
        else
            darc_text_puts(out, "FILE");
        darc_text_puts(out, "\" ;;\n");
    }
    darc_text_puts(out, "        esac\n        ;;\n");
}

static void put_bash(darc_text_t out)
{
    darc_text_puts(out,
                   "# bash completion of darc\n_darc() {\n"
                   "    local cur=${COMP_WORDS[COMP_CWORD]}\n"
                   "    local prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local words= options= value=\n    COMPREPLY=()\n"
                   "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                   "        COMPREPLY=($(compgen -W \"--version --help help");
    for (const darc_command *c = darc_command_at(0); c->name != NULL; c++)
        darc_text_printf(out, " %s", c->name);
    darc_text_puts(out, "\" -- \"$cur\"))\n        return\n    fi\n"
                        "    case ${COMP_WORDS[1]} in\n    help) words=\"");
    put_operands(out, "help");
    darc_text_puts(out, "\" ;;\n");
    for (const darc_command *c = darc_command_at(0); c->name != NULL; c++)
        bash_command(out, c);
    darc_text_puts(
        out, "    esac\n"
             "    [ \"$COMP_CWORD\" = 2 ] || words=\n"
             "    case $value:$cur in\n"
             "    FILE:*) ;;\n"
             "    ?*:*) COMPREPLY=($(compgen -W \"$value\" -- \"$cur\"))\n"
             "        return ;;\n"
             "    :-*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
             "        return ;;\n"
             "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
             "    esac\n"
             "    [ -n \"$words\" ] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
             "}\ncomplete -o filenames -F _darc darc\n");
}

/* In quotes of a shell; zsh's specifications take more escapes. */
static void put_quoted(darc_text_t out, const char *s, const char *escape)
{
    bool blank = false;
    for (; *s != '\0'; s++) {
        bool space = *s == ' ' || *s == '\n';
        if (space && blank)
            continue;
        blank = space;
        if (*s == '\'')
            darc_text_puts(out, "'\\''");
        else if (strchr(escape, *s) != NULL)
            darc_text_printf(out, "\\%c", *s);
        else
            darc_text_putc(out, space ? ' ' : *s);
    }
}

static void zsh_option(darc_text_t out, const darc_option_row *row)
{
    darc_text_printf(out, " \\\n            '%s[", row->name);
    put_quoted(out, row->help, "[]:\\");
    darc_text_putc(out, ']');
    if (row->argument != NULL) {
        darc_text_puts(out, ":value:");
        if (row->kind == DARC_KIND_CHOICE) {
            darc_text_putc(out, '(');
            put_choices(out, row);
            darc_text_putc(out, ')');
        } else {
            darc_text_puts(out, "_files");
        }
    }
    darc_text_putc(out, '\'');
}

static void put_zsh(darc_text_t out)
{
    darc_text_puts(out, "#compdef darc\n_darc() {\n    local -a commands\n"
                        "    commands=(\n        'help:what darc does'\n");
    for (const darc_command *c = darc_command_at(0); c->name != NULL; c++) {
        darc_text_printf(out, "        '%s:", c->name);
        put_quoted(out, c->purpose, ":\\");
        darc_text_puts(out, "'\n");
    }
    darc_text_puts(out, "    )\n    if (( CURRENT == 2 )); then\n"
                        "        _describe command commands\n"
                        "        return\n    fi\n    local command=$words[2]\n"
                        "    shift words\n    (( CURRENT-- ))\n"
                        "    case $command in\n    help) _values topic ");
    put_operands(out, "help");
    darc_text_puts(out, " ;;\n");
    for (const darc_command *c = darc_command_at(0); c->name != NULL; c++) {
        darc_text_printf(out, "    %s)\n        _arguments", c->name);
        const darc_option_row *row = NULL;
        while ((row = darc_option_next(row, c->command)) != NULL)
            zsh_option(out, row);
        if (strcmp(c->name, "check") == 0)
            darc_text_puts(out, " \\\n            "
                                "'1:test:(structure equal changed)'");
        darc_text_puts(out, " \\\n            '*:file:_files'\n        ;;\n");
    }
    darc_text_puts(out, "    esac\n}\n_darc \"$@\"\n");
}

static void fish_option(darc_text_t out, const darc_command *c,
                        const darc_option_row *row)
{
    bool word = strncmp(row->name, "--", 2) == 0;
    darc_text_printf(
        out, "complete -c darc -n '__fish_seen_subcommand_from %s' -%c %s",
        c->name, word ? 'l' : 's', row->name + (word ? 2 : 1));
    if (row->kind == DARC_KIND_CHOICE) {
        darc_text_puts(out, " -x -a '");
        put_choices(out, row);
        darc_text_putc(out, '\'');
    } else if (row->argument != NULL) {
        darc_text_puts(out, " -r");
    }
    darc_text_puts(out, " -d '");
    for (const char *s = row->help; *s != '\0'; s++)
        if (*s == '\'' || *s == '\\')
            darc_text_printf(out, "\\%c", *s);
        else if (*s != '\n' && !(*s == ' ' && s[1] == ' '))
            darc_text_putc(out, *s);
    darc_text_puts(out, "'\n");
}

static void fish_words(darc_text_t out, const char *command)
{
    darc_text_printf(out,
                     "complete -c darc -n '__fish_seen_subcommand_from %s' "
                     "-a '",
                     command);
    put_operands(out, command);
    darc_text_puts(out, "'\n");
}

static void put_fish(darc_text_t out)
{
    darc_text_puts(out, "# fish completion of darc\n");
    for (const darc_command *c = darc_command_at(0); c->name != NULL; c++) {
        darc_text_printf(out,
                         "complete -c darc -n __fish_use_subcommand -x -a %s "
                         "-d '",
                         c->name);
        put_quoted(out, c->purpose, "");
        darc_text_puts(out, "'\n");
        const darc_option_row *row = NULL;
        while ((row = darc_option_next(row, c->command)) != NULL)
            fish_option(out, c, row);
    }
    darc_text_puts(out, "complete -c darc -n __fish_use_subcommand -x -a help "
                        "-d 'what darc does'\n");
    fish_words(out, "help");
    fish_words(out, "check");
}

bool darc_completion(darc_text_t out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        put_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        put_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        put_fish(out);
    else
        return false;
    return true;
}
