#include "commands/command.h"

#include "cli/supervise.h"
#include "commands/help.h"
#include "darc.h"

#include <stdio.h>
#include <string.h>

static const darc_command commands[] = {
    {"eliminate", DARC_CMD_ELIMINATE, 1, 1, "MODEL [OPTIONS]",
     "relations between signals, without states and parameters",
     darc_cmd_eliminate},
    {"identify", DARC_CMD_IDENTIFY, 1, 1, "MODEL [OPTIONS]",
     "what the measurements can tell apart, before any data",
     darc_cmd_identify},
    {"simulate", DARC_CMD_SIMULATE, 1, 1, "MODEL [OPTIONS]",
     "make a recording from a model", darc_cmd_simulate},
    {"check", DARC_CMD_CHECK, 3, 4,
     "structure MODEL DATA\n"
     "       darc check equal MODEL DATA-A DATA-B\n"
     "       darc check changed MODEL DATA-A DATA-B --changed P[,P...]",
     "hold the equations of a model against recordings", darc_cmd_check},
    {"isolate", DARC_CMD_ISOLATE, 3, 3, "MODEL DATA-A DATA-B [OPTIONS]",
     "which parameter changed between two recordings", darc_cmd_isolate},
    {"drift", DARC_CMD_DRIFT, 1, -1, "MODEL DATA DATA... [OPTIONS]",
     "a campaign: when did which parameter move", darc_cmd_drift},
    {"compare", DARC_CMD_COMPARE, 0, -1,
     "REFERENCE SIMULATION... | --table FILE.csv",
     "classical agreement measures of output signals", darc_cmd_compare},
    {"credibility", DARC_CMD_CREDIBILITY, 1, 1, "FACTORS [OPTIONS]",
     "factor space, credibility, defect tracing", darc_cmd_credibility},
    {"data", DARC_CMD_DATA, 1, -1, "DATA... [OPTIONS]",
     "signals of recordings: units, rate, gaps, noise, excitation",
     darc_cmd_data},
    {"demo", DARC_CMD_DEMO, 0, 0, "",
     "the quarter-car story, on the recordings shipped with darc",
     darc_cmd_demo},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

const darc_command *darc_command_at(int i)
{
    return commands[i].name != NULL ? &commands[i] : NULL;
}

const darc_command *darc_command_find(const char *name)
{
    for (const darc_command *c = commands; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static void print_overview(FILE *to)
{
    darc_text_t out = DARC_TEXT;
    darc_help_overview(out);
    fputs(out->s, to);
    darc_text_clear(out);
}

static int print_help(const darc_command *c)
{
    darc_text_t out = DARC_TEXT;
    darc_help_command(out, c);
    fputs(out->s, stdout);
    darc_text_clear(out);
    return DARC_EXIT_CONSISTENT;
}

static int usage_error(const char *format, const char *what)
{
    fputs("darc: ", stderr);
    fprintf(stderr, format, what);
    fputs("\n", stderr);
    return DARC_EXIT_USAGE;
}

static int run_command(const darc_command *c, int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return print_help(c);
    darc_err err = {DARC_OK, ""};
    darc_options o;
    if (darc_options_parse(&o, c->command, argc - 2, argv + 2, &err) != DARC_OK)
        return usage_error("%s", err.message);
    int code;
    if (o.operands < c->least || (c->most >= 0 && o.operands > c->most)) {
        fprintf(stderr, "usage: darc %s %s\n", c->name, c->synopsis);
        code = DARC_EXIT_USAGE;
    } else {
        code = darc_supervise(c->run, &o);
    }
    darc_options_clear(&o);
    return code;
}

int darc_command_run(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return DARC_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("darc " DARC_VERSION);
        return DARC_EXIT_CONSISTENT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return darc_help_run(argc - 2, argv + 2);
    const darc_command *c = darc_command_find(argv[1]);
    if (c == NULL)
        return darc_help_unknown(argv[1]);
    return run_command(c, argc, argv);
}
