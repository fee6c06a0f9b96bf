#include "commands/command.h"

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
    {"check", DARC_CMD_CHECK, 3, -1,
     "structure MODEL DATA\n"
     "       darc check equal MODEL DATA-A DATA-B\n"
     "       darc check changed MODEL DATA-A DATA-B --changed P[,P...]",
     "hold the equations of a model against recordings", darc_cmd_check},
    {"isolate", DARC_CMD_ISOLATE, 3, -1, "MODEL DATA-A DATA-B... [OPTIONS]",
     "which parameter changed between recordings", darc_cmd_isolate},
    {"values", DARC_CMD_VALUES, 2, -1, "MODEL DATA... [OPTIONS]",
     "values of parameters, from all recordings together", darc_cmd_values},
    {"drift", DARC_CMD_DRIFT, 1, -1,
     "MODEL DATA DATA... [OPTIONS]\n"
     "       darc drift MODEL --list FILE [OPTIONS]\n"
     "       darc drift --merge A.sqlite B.sqlite... -o C.sqlite",
     "a campaign: when did which parameter move", darc_cmd_drift},
    {"monitor", DARC_CMD_MONITOR, 1, 2, "MODEL [DATA] --baseline DATA < rows",
     "a stream held against a baseline, without end", darc_cmd_monitor},
    {"plan", DARC_CMD_PLAN, 1, 1,
     "MODEL --values DATA --input NAME=SIGNAL [--input ...]",
     "which changes a planned test would find", darc_cmd_plan},
    {"fulfil", DARC_CMD_FULFIL, 2, 2,
     "MODEL TARGET [--free NAME,...] [--band HZ0,HZ1 --tolerance R]",
     "parameters with which a model behaves as a target does", darc_cmd_fulfil},
    {"compare", DARC_CMD_COMPARE, 0, -1,
     "REFERENCE SIMULATION... | --table FILE.csv",
     "classical agreement measures of output signals", darc_cmd_compare},
    {"credibility", DARC_CMD_CREDIBILITY, 1, 1, "FACTORS [OPTIONS]",
     "factor space, credibility, defect tracing", darc_cmd_credibility},
    {"data", DARC_CMD_DATA, 1, -1, "DATA... [OPTIONS]",
     "signals of recordings: units, rate, gaps, noise, excitation",
     darc_cmd_data},
    {"model", DARC_CMD_MODEL, 1, 1, "MODEL [OPTIONS]",
     "a model in the languages of other tools", darc_cmd_model},
    {"demo", DARC_CMD_DEMO, 0, 0, "",
     "the quarter-car story, on the recordings shipped with darc",
     darc_cmd_demo},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

const darc_command *darc_command_at(int i)
{
    return commands[i].name != NULL ? &commands[i] : NULL;
}

int darc_command_run(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_job job = {.o = o, .budget = budget};
    const darc_command *c = commands;
    while (c->command != o->command)
        c++;
    darc_status status = c->run(&job, &err);
    darc_job_clear(&job);
    return status == DARC_OK ? job.code : darc_cli_fail(&err);
}

const darc_command *darc_command_find(const char *name)
{
    for (const darc_command *c = commands; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* One row a file of src/manual, made by the Makefile. */
static const darc_topic topics[] = {
#include "manual.inc"
};

const darc_topic *darc_topic_at(int i)
{
    int n = (int)(sizeof topics / sizeof topics[0]);
    return i < n ? &topics[i] : NULL;
}

const darc_topic *darc_topic_find(const char *name)
{
    for (int i = 0; darc_topic_at(i) != NULL; i++)
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
    return NULL;
}
