/* topics.h - `darc help TOPIC`: sections of README.md, which the program
 * carries with it, so that there is one text.
 */
#ifndef DARC_COMMANDS_TOPICS_H
#define DARC_COMMANDS_TOPICS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name;    /* "verdict" */
    const char *heading; /* "Reading a verdict" */
    const char *purpose; /* "what a report says, and what to do next" */
} darc_topic;

/* Return topic i, NULL past the last. */
const darc_topic *darc_topic_at(int i);

/* Return the topic of that name, NULL if there is none. */
const darc_topic *darc_topic_find(const char *name);

/* Return the lines below the topic's heading, and set *length. */
const char *darc_topic_text(const darc_topic *topic, size_t *length);

#endif
