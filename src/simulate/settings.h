/* settings.h - names with values, numbers or descriptions as text. */
#ifndef DARC_SIMULATE_SETTINGS_H
#define DARC_SIMULATE_SETTINGS_H

#include <string.h>

typedef struct {
    int count;
    const char *const *name, *const *value;
} darc_settings;

/* Return the index of the name, -1 if it is not there. */
static inline int darc_settings_find(const darc_settings *s, const char *name)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->name[i], name) == 0)
            return i;
    return -1;
}

#endif
