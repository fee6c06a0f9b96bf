/* topics.h - `darc help TOPIC`: the manual, which the program carries with it.
 *
 * A topic is a file src/manual/NAME.md.  Its first line is "# Title", its
 * text begins in the third.
 */
#ifndef DARC_COMMANDS_TOPICS_H
#define DARC_COMMANDS_TOPICS_H

typedef struct {
    const char *name;  /* "verdict" */
    const char *title; /* "Reading a verdict" */
    const char *text;  /* Markdown below the title */
} darc_topic;

/* Return topic i in the order of names, NULL past the last. */
const darc_topic *darc_topic_at(int i);

/* Return the topic of that name, NULL if there is none. */
const darc_topic *darc_topic_find(const char *name);

#endif
