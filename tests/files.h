/* files.h - walking directories and reading files in tests. */
#ifndef DARC_TESTS_FILES_H
#define DARC_TESTS_FILES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Append the bytes of the file to out. */
void test_read_file(darc_text_t out, const char *path);

/* Return whether the file or folder under ../shared is there, which is no part
 * of darc; if not, print one line that says which test is skipped. */
bool test_has_shared(const char *path, const char *test);

/* Call visit for DIR/NAME of every entry NAME with the suffix, in the order
 * of strcmp; return how many there were, -1 when DIR cannot be opened. */
int test_walk(const char *dir, const char *suffix,
              void (*visit)(const char *path, const char *name));

/* Call harness with the bytes of every file in the folder; return how many
 * there were. */
int test_replay(const char *folder,
                int (*harness)(const uint8_t *bytes, size_t n));

#endif
