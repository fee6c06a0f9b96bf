/* program.h - runs the program darc (environment variable DARC). */
#ifndef DARC_TESTS_PROGRAM_H
#define DARC_TESTS_PROGRAM_H

#include "base/text.h"

#include <stdbool.h>

/* Run "darc ARGUMENTS" by the shell in the current directory; set out and
 * err (both initialised) to what it printed; return its exit code. */
int program_run(const char *arguments, darc_text_t out, darc_text_t err);

/* Append the contents of a file to out; return whether it could be read. */
bool program_read_file(const char *file, darc_text_t out);

/* Return the path of a fresh temporary directory; static storage, removed
 * with its contents at exit of the test process. */
const char *program_directory(void);

/* Return the path of a file of that name in it; valid for four calls. */
const char *program_path(const char *name);

/* Write text to a file of that name in it; return its path, as above. */
const char *program_write(const char *name, const char *text);

/* Return the number that follows "key": in JSON text, from the n-th place
 * (0: first) where the key stands; NAN if there is none. */
double program_json_number(const char *json, const char *key, int n);

/* Return whether "key": "value" stands in JSON text. */
bool program_json_is(const char *json, const char *key, const char *value);

#endif
