#include "commands/command.h"

#include <string.h>

static const darc_command commands[] = {
#define X(id, run, ...) {#run, DARC_CMD_##id, __VA_ARGS__, darc_cmd_##run},
#include "commands.inc"
#undef X
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
