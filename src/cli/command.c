#include "cli/command.h"

#include "cli/options.h"
#include "cli/supervise.h"
#include "darc.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name;
    unsigned command;
    int least, most; /* operands; most -1: any number */
    const char *synopsis;
    const char *purpose;
    darc_command_fn run;
} row;

static const row commands[] = {
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
    {"drift", DARC_CMD_DRIFT, 3, -1, "MODEL DATA DATA... [OPTIONS]",
     "a campaign: when did which parameter move", darc_cmd_drift},
    {"compare", DARC_CMD_COMPARE, 0, -1,
     "REFERENCE SIMULATION... | --table FILE.csv",
     "classical agreement measures of output signals", darc_cmd_compare},
    {"credibility", DARC_CMD_CREDIBILITY, 1, 1, "FACTORS [OPTIONS]",
     "factor space, credibility, defect tracing", darc_cmd_credibility},
    {"demo", DARC_CMD_DEMO, 0, 0, "",
     "the quarter-car story, on the recordings shipped with darc",
     darc_cmd_demo},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const row *find_command(const char *name)
{
    for (const row *c = commands; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static void print_overview(FILE *to)
{
    fputs("darc " DARC_VERSION " - a differential-algebra residual checker\n\n"
          "Holds the equations of a model against measured signals without "
          "identifying\na parameter.\n\nusage: darc COMMAND ARGUMENTS "
          "[OPTIONS]\n\n",
          to);
    for (const row *c = commands; c->name != NULL; c++)
        fprintf(to, "  %-12s %s\n", c->name, c->purpose);
    fputs("\ndarc help COMMAND tells its options, darc help options all of "
          "them.\nExit codes: 0 consistent or done, 1 inconsistent, "
          "2 undecided,\n3 command line, 4 model or data, 5 limit.\n",
          to);
}

static void print_help(const row *c)
{
    darc_text_t out;
    darc_text_init(out);
    darc_text_printf(out, "darc %s - %s\n\nusage: darc %s %s\n\n", c->name,
                     c->purpose, c->name, c->synopsis);
    darc_options_help(out, c->command);
    fputs(out->s, stdout);
    darc_text_clear(out);
}

static int usage_error(const char *format, const char *what)
{
    fputs("darc: ", stderr);
    fprintf(stderr, format, what);
    fputs("\n", stderr);
    return DARC_EXIT_USAGE;
}

/* The options of all commands together: the reference in README. */
static void print_options(void)
{
    unsigned all = 0;
    for (const row *c = commands; c->name != NULL; c++)
        all |= c->command;
    darc_text_t out;
    darc_text_init(out);
    darc_options_help(out, all);
    fputs(out->s, stdout);
    darc_text_clear(out);
}

static int help(int argc, char **argv)
{
    if (argc < 3) {
        print_overview(stdout);
        return DARC_EXIT_CONSISTENT;
    }
    if (strcmp(argv[2], "options") == 0) {
        print_options();
        return DARC_EXIT_CONSISTENT;
    }
    const row *c = find_command(argv[2]);
    if (c == NULL)
        return usage_error("no command '%s' (see darc --help)", argv[2]);
    print_help(c);
    return DARC_EXIT_CONSISTENT;
}

static int run_command(const row *c, int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0) {
            print_help(c);
            return DARC_EXIT_CONSISTENT;
        }
    darc_err err;
    darc_err_init(&err);
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
        return help(argc, argv);
    const row *c = find_command(argv[1]);
    if (c == NULL)
        return usage_error("no command '%s' (see darc --help)", argv[1]);
    return run_command(c, argc, argv);
}
