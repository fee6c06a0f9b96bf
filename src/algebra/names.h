/* names.h - the symbol table: the unknowns of a differential ring.
 *
 * An unknown is known by its index, 0, 1, ... in order of declaration; that
 * order also breaks ties in a ranking.
 */
#pragma once

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    DARC_STATE,     /* not measured */
    DARC_PARAMETER, /* constant, unknown: its derivative is 0 */
    DARC_OUTPUT,    /* measured */
    DARC_INPUT,     /* measured, free (derived signals too) */
    DARC_TIME       /* the independent variable: its derivative is 1 */
} darc_kind;

typedef struct {
    char *name; /* owned */
    darc_kind kind;
    bool number; /* a PARAMETER that is known: it stands for sqrt(2) */
} darc_symbol;

typedef struct {
    int count;
    darc_symbol *symbol; /* count symbols; owned */
} darc_names_struct;

typedef darc_names_struct darc_names_t[1];

void darc_names_init(darc_names_t names);
void darc_names_clear(darc_names_t names);
void darc_names_set(darc_names_t names, const darc_names_t other);

/* Append a symbol whose name is new; return its index. */
int darc_names_add(darc_names_t names, const char *name, darc_kind kind);

/* Return the index of the name of n characters, -1 if there is none.
 * Cost O(count). */
int darc_names_find(const darc_names_t names, const char *name, size_t n);
