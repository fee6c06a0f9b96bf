/* json.h - writing JSON: nesting and commas are kept by the writer.
 *
 * What reports hold is described once, in src/manual/json.md:
 * DARC_JSON_DECISION is the format of the rows of its table "decision", _THEN
 * of those behind a list or an object, _MORE of those that may be left out, but
 * strings.
 *
 * Numbers are written so that they read back; NaN and infinities, which JSON
 * lacks, become null.  Bytes of strings that are no UTF-8 become U+FFFD.
 */
#pragma once

#include "base/text.h"
#include "described.inc" /* of src/manual/json.md, by describe.awk */

#include <stdbool.h>

#define DARC_JSON_DEPTH 32

typedef struct {
    darc_text_struct *out;        /* not owned */
    int depth;                    /* open objects and arrays */
    bool filled[DARC_JSON_DEPTH]; /* whether a level holds an item */
} darc_json;

/* Start writing to the end of out. */
void darc_json_init(darc_json *j, darc_text_t out);

/* The same for the report of a command: an object with the version, the
 * command and its arguments (NULL: not told); end it, with a line break. */
void darc_json_begin(darc_json *j, darc_text_t out, const char *command,
                     const char *arguments);
void darc_json_end(darc_json *j);

/* Write what a format lists: "name:s rms:d list[" has a string, a double, and
 * opens an array; "{" and "[" open, "}" and "]" close.  Without a name it is an
 * item of an array; the name "*" is an argument, before the value.  Members of
 * objects stand on lines of their own.  Types are
 *     s  const char *, null for NULL      S  the same, left out for NULL
 *     d  double      i  int      l  long      z  size_t      b  bool
 *     t  darc_truth, null for DARC_UNKNOWN
 *     a  const char *const *, int: an array of so many strings */
void darc_json_put(darc_json *j, const char *format, ...);

/* Write an array: for each i from 0 to n - 1 what the format lists. */
#define DARC_JSON_LIST(j, key, i, n, ...)                                      \
    do {                                                                       \
        darc_json_put(j, key "[");                                             \
        for (int i = 0; i < (n); i++)                                          \
            darc_json_put(j, __VA_ARGS__);                                     \
        darc_json_put(j, "]");                                                 \
    } while (0)
