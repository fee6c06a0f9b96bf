/* suggest.h - "did you mean": the nearest of some names. */
#pragma once

#include <stddef.h>

typedef struct {
    const char *name; /* what was written; not owned */
    const char *best; /* nearest so far, NULL if none is near; not owned */
    size_t distance;  /* of best; at first the largest that counts as near */
    char text[100];   /* of darc_suggestion_text */
} darc_suggestion;

/* Start the search for names near `name`: a third of its characters may
 * differ, at least one. */
void darc_suggestion_init(darc_suggestion *s, const char *name);

/* Offer a candidate; the first of the nearest stays. */
void darc_suggestion_offer(darc_suggestion *s, const char *candidate);

/* Return " (did you mean 'z'?)", or "" where nothing is near; the text lives
 * as long as s. */
const char *darc_suggestion_text(darc_suggestion *s);
