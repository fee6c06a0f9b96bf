/* made.h - files of all formats that tests/formats.py writes. */
#ifndef DARC_TESTS_MADE_H
#define DARC_TESTS_MADE_H

#include "data/table.h"

/* Write the files once into the suite's directory, and return it; NULL,
 * visibly, where a package of Python is missing. */
const char *made_folder(void);

/* Load one of them, "FILE" or "FILE:path". */
darc_status made_load(darc_table **t, const char *spec,
                      const darc_load_options *o, darc_err *err);

/* Compare x and y with the columns of a file of doubles, bit for bit: NAN where
 * a signal has a gap. */
void made_compare(const darc_table *t, const char *name, const char *spec);

#endif
