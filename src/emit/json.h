/* json.h - writing JSON: nesting and commas are kept by the writer.
 *
 * Numbers are written so that they read back; NaN and infinities, which JSON
 * lacks, become null.  Bytes of strings that are no UTF-8 become U+FFFD.
 */
#ifndef DARC_EMIT_JSON_H
#define DARC_EMIT_JSON_H

#include "base/text.h"

#include <stdbool.h>

#define DARC_JSON_DEPTH 32

typedef struct {
    darc_text_struct *out;        /* not owned */
    int depth;                    /* open objects and arrays */
    bool filled[DARC_JSON_DEPTH]; /* whether a level holds an item */
    bool after_key;
} darc_json;

/* Start writing to the end of out. */
void darc_json_init(darc_json *j, darc_text_t out);

/* The same for the report of a command: an object with the version, the
 * command and its arguments (NULL: not told); end it, with a line break; the
 * model that it is about. */
void darc_json_begin(darc_json *j, darc_text_t out, const char *command,
                     const char *arguments);
void darc_json_end(darc_json *j);
void darc_json_model(darc_json *j, const char *name, const char *file);

/* Open and close; key names the next value inside an object, NULL inside an
 * array or at the top.  Members of objects stand on lines of their own. */
void darc_json_object(darc_json *j, const char *key);
void darc_json_array(darc_json *j, const char *key);
void darc_json_end_object(darc_json *j);
void darc_json_end_array(darc_json *j);

/* A value; null for a string NULL. */
void darc_json_string(darc_json *j, const char *key, const char *value);
void darc_json_double(darc_json *j, const char *key, double value);
void darc_json_long(darc_json *j, const char *key, long value);
void darc_json_bool(darc_json *j, const char *key, bool value);
void darc_json_null(darc_json *j, const char *key);

/* Write members of an object, as a format lists them: "name:s rms:d" has a
 * string and a double; the types are
 *     s  const char *      d  double      b  bool      i  int      l  long
 * Then the same as an object under a key. */
void darc_json_put(darc_json *j, const char *format, ...);
void darc_json_put_object(darc_json *j, const char *key, const char *format,
                          ...);

/* Write an array of n strings. */
void darc_json_strings(darc_json *j, const char *key, const char *const *value,
                       int n);

#endif
