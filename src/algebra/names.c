#include "algebra/names.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_names_init(darc_names_t names)
{
    *names = (darc_names_struct){0};
}

void darc_names_clear(darc_names_t names)
{
    for (int u = 0; u < names->count; u++)
        darc_free(names->symbol[u].name);
    darc_free(names->symbol);
    darc_names_init(names);
}

void darc_names_set(darc_names_t names, const darc_names_t other)
{
    if (names == other)
        return;
    darc_names_clear(names);
    for (int u = 0; u < other->count; u++) {
        darc_names_add(names, other->symbol[u].name, other->symbol[u].kind);
        names->symbol[u].number = other->symbol[u].number;
    }
}

int darc_names_add(darc_names_t names, const char *name, darc_kind kind)
{
    assert(darc_names_find(names, name, strlen(name)) < 0);
    DARC_ROOM(names->symbol, names->count);
    names->symbol[names->count] = (darc_symbol){darc_strdup(name), kind, false};
    return names->count++;
}

int darc_names_find(const darc_names_t names, const char *name, size_t n)
{
    for (int u = 0; u < names->count; u++)
        if (strncmp(names->symbol[u].name, name, n) == 0 &&
            names->symbol[u].name[n] == '\0')
            return u;
    return -1;
}
