#include "commands/arguments.h"

#include "base/mem.h"
#include "base/output.h"

#include <stdio.h>
#include <string.h>

/* Parse argv[*i], an option, and its argument if that stands apart. */
static darc_status parse_option(darc_options *o, int argc, char **argv, int *i,
                                darc_err *err)
{
    const char *arg = argv[*i], *equals = strchr(arg, '=');
    size_t n = equals != NULL ? (size_t)(equals - arg) : strlen(arg);
    const darc_option_row *row;
    DARC_NEED(darc_option_find(&row, arg, n, o->command, err));
    if (row->kind == DARC_KIND_FLAG) {
        if (equals != NULL)
            return darc_fail(err, DARC_USAGE, "%s takes no value", row->name);
        return darc_option_store(o, row, "yes", err);
    }
    if (equals == NULL && *i + 1 >= argc)
        return darc_fail(err, DARC_USAGE, "%s: expected %s after it", row->name,
                         row->argument);
    return darc_option_store(o, row, equals != NULL ? equals + 1 : argv[++*i],
                             err);
}

static char *join_words(int argc, char **argv)
{
    darc_text_t line = DARC_TEXT;
    for (int i = 0; i < argc; i++) {
        if (i > 0)
            darc_text_putc(line, ' ');
        bool quote = strpbrk(argv[i], " \"'\\$&|;<>*?()") != NULL;
        darc_text_printf(line, quote ? "'%s'" : "%s", argv[i]);
    }
    return darc_text_take(line);
}

/* Standard input is read once, and standard output holds one result. */
static darc_status check_streams(const darc_options *o, darc_err *err)
{
    static const darc_option_id file[] = {DARC_OPT_OUTPUT, DARC_OPT_JSON,
                                          DARC_OPT_HTML, DARC_OPT_CSV};
    const char *first = NULL;
    int inputs = 0;
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        const char *option = darc_option_row_at((int)file[i])->name;
        if (!darc_option_given(o, file[i]) ||
            strcmp(darc_option_text(o, file[i]), "-") != 0)
            continue;
        if (first != NULL)
            return darc_fail(err, DARC_USAGE,
                             "%s - and %s -: standard output holds one result; "
                             "name a file for the other",
                             first, option);
        first = option;
    }
    for (int i = 0; i < o->operands; i++)
        inputs += strcmp(o->operand[i], "-") == 0;
    if (inputs > 1)
        return darc_fail(err, DARC_USAGE,
                         "'-' stands %d times: standard input is read once",
                         inputs);
    return DARC_OK;
}

darc_status darc_options_parse(darc_options *o, unsigned command, int argc,
                               char **argv, darc_err *err)
{
    darc_status status = DARC_OK;
    *o = (darc_options){.command = command};
    o->operand = darc_calloc((size_t)argc, sizeof *o->operand);
    o->command_line = join_words(argc, argv);
    bool options = true;
    for (int i = 0; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && argv[i][0] == '-' && argv[i][1] != '\0')
            DARC_TRY(parse_option(o, argc, argv, &i, err));
        else
            o->operand[o->operands++] = argv[i];
    }
    status = check_streams(o, err);
done:
    if (status != DARC_OK)
        darc_options_clear(o);
    return status;
}

void darc_options_help(darc_text_t out, unsigned command)
{
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        const darc_option_row *row = darc_option_row_at(i);
        if ((row->commands & command) == 0)
            continue;
        const char *argument = row->argument != NULL ? row->argument : "";
        size_t begin = out->len;
        darc_text_printf(out, "  %s %s", row->name, argument);
        size_t width = out->len - begin;
        if (width > 26)
            darc_text_putc(out, '\n');
        int pad = width > 26 ? 28 : 28 - (int)width;
        darc_text_printf(out, "%*s%s", pad, "", row->help);
        if (row->preset != NULL)
            darc_text_printf(out, " [%s]", row->preset);
        darc_text_putc(out, '\n');
    }
}

void darc_cli_say(const char *format, ...)
{
    darc_text_t text = DARC_TEXT, shown = DARC_TEXT;
    va_list args;
    va_start(args, format);
    darc_text_vprintf(text, format, args);
    va_end(args);
    darc_text_shown(shown, text->s);
    darc_output_begins();
    fputs(shown->s, stderr);
    DARC_EACH(darc_text_clear, text, shown);
}

int darc_cli_fail(const darc_err *err)
{
    static const int code[] = {
        [DARC_OK] = DARC_EXIT_LIMIT,    [DARC_SYNTAX] = DARC_EXIT_INPUT,
        [DARC_MODEL] = DARC_EXIT_INPUT, [DARC_DATA] = DARC_EXIT_INPUT,
        [DARC_IO] = DARC_EXIT_INPUT,    [DARC_DOMAIN] = DARC_EXIT_INPUT,
        [DARC_LIMIT] = DARC_EXIT_LIMIT, [DARC_INTERNAL] = DARC_EXIT_LIMIT,
        [DARC_USAGE] = DARC_EXIT_USAGE};
    /* A message with its own place ("file:3:1: error: ...") stands as it
     * is. */
    bool placed = strstr(err->message, ": error: ") != NULL;
    if (err->message[0] != '\0')
        darc_cli_say("%s%s\n", placed ? "" : "darc: ", err->message);
    return code[err->status];
}

int darc_cli_exit_code(darc_verdict verdict)
{
    static const int code[] = {[DARC_CONSISTENT] = DARC_EXIT_CONSISTENT,
                               [DARC_INCONSISTENT] = DARC_EXIT_INCONSISTENT,
                               [DARC_UNDECIDED] = DARC_EXIT_UNDECIDED};
    return code[verdict];
}
