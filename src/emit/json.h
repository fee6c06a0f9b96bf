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

/* Open and close; key names the next value inside an object, NULL inside an
 * array or at the top.  Members of objects stand on lines of their own. */
void darc_json_object(darc_json *j, const char *key);
void darc_json_array(darc_json *j, const char *key);
void darc_json_end_object(darc_json *j);
void darc_json_end_array(darc_json *j);

void darc_json_string(darc_json *j, const char *key, const char *value);
void darc_json_double(darc_json *j, const char *key, double value);
void darc_json_long(darc_json *j, const char *key, long value);
void darc_json_bool(darc_json *j, const char *key, bool value);
void darc_json_null(darc_json *j, const char *key);

/* Write an array of n strings. */
void darc_json_strings(darc_json *j, const char *key, const char *const *value,
                       int n);

#endif
