#include "commands/topics.h"

#include <assert.h>
#include <string.h>

/* README.md, made by the Makefile. */
static const char readme[] = {
#include "readme.inc"
    , '\0'};

static const darc_topic topics[] = {
    {"tutorial", "A model of your own", "a first verdict in ten minutes"},
    {"model", "Writing a model", "the model language: DAEs, friction, derived"},
    {"verdict", "Reading a verdict", "what a report says, and what to do next"},
    {"page", "A page to send", "--html: a result as one page"},
    {"tolerance", "Choosing a tolerance",
     "model error, noise, and --tolerance"},
    {"mathematics", "The mathematics in one page",
     "from equations to a residual to a verdict"},
    {"elimination", "Elimination", "relations, rankings, engines"},
    {"simulating", "Simulating", "recordings from a model"},
    {"comparing", "Comparing a simulation with a measurement",
     "agreement measures, credibility"},
    {"formats", "Data", "CSV, MATLAB, HDF5, NumPy, MDF4; gaps, units"},
    {"json", "JSON", "the fields of a report"},
    {"library", "The library", "libdarc from C, C++ and Python"},
    {"limits", "What it cannot do", "what darc cannot do"},
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

/* A heading of this level begins at line s? */
static bool is_heading(const char *s)
{
    return strncmp(s, "## ", 3) == 0;
}

static const char *next_line(const char *s)
{
    const char *end = strchr(s, '\n');
    return end == NULL ? s + strlen(s) : end + 1;
}

const char *darc_topic_text(const darc_topic *topic, size_t *length)
{
    size_t n = strlen(topic->heading);
    const char *s = readme, *begin = NULL;
    for (bool code = false; *s != '\0'; s = next_line(s)) {
        code ^= strncmp(s, "```", 3) == 0;
        if (code || !is_heading(s))
            continue;
        if (begin != NULL)
            break;
        if (strncmp(s + 3, topic->heading, n) == 0 && s[3 + n] == '\n')
            begin = next_line(s);
    }
    assert(begin != NULL);
    while (*begin == '\n')
        begin++;
    *length = (size_t)(s - begin);
    return begin;
}
