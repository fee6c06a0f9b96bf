#include "commands/topics.h"

#include <string.h>

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
