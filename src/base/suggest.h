/* suggest.h - "did you mean": the nearest of some names. */
#ifndef DARC_BASE_SUGGEST_H
#define DARC_BASE_SUGGEST_H

/* Return the index of the candidate nearest to name by edits (insert,
 * delete, change a character; case counts for nothing), if fewer than three
 * and fewer than the length of name; else -1.  NULL candidates are left
 * out. */
int darc_suggest(const char *name, const char *const *candidate, int count);

#endif
