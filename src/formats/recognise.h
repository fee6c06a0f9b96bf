/* recognise.h - what a file is, by its ending or its first bytes. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *kind; /* what a program of darc's reads (caged.h); NULL: text,
                         or nothing that darc reads */
    bool text;        /* it makes text of it, a CSV file */
    size_t length;    /* of the file's name without ":path" */
    const char *what, *way; /* what darc does not read, and what makes a
                               recording of it, '@' for the file; NULL */
} darc_recognised;

/* Say what "FILE" or "FILE:path" is; a pipe, or what is not there, by its
 * ending alone. */
darc_recognised darc_recognise(const char *file);

/* Fail with DARC_DATA where the text, whose first n bytes are given, is none
 * that darc reads; of standard input ("<stdin>"), where it is no text. */
DARC_STATUS darc_recognise_text(const char *file, const char *s, size_t n,
                                darc_err *err);

/* Return whether the ending is one of a binary format that is read. */
bool darc_recognise_ending(const char *name, size_t n);

/* Fail with DARC_DATA for what darc does not read. */
DARC_STATUS darc_recognise_fail(const darc_recognised *r, const char *file,
                                darc_err *err);
