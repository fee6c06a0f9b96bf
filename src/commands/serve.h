/* serve.h - what programs that read files for darc have in common
 * (files/caged.h): the file and a socket are open, all else is
 * given up before a byte is looked at.
 * usage: PROGRAM KIND FILE RATE DISK; FILE is its name in messages, RATE as in
 * formats/arrays.h, DISK bytes of temporary files at the most (0: any number).
 */
#pragma once

#include "formats/arrays.h"

typedef struct {
    const char *kind; /* NULL behind the last */
    darc_arrays_list *list;
    bool expands; /* may need a temporary file */
} darc_format;

/* Answer what darc asks until it closes the socket; return an exit code where
 * it cannot begin. */
int darc_serve(int argc, char **argv, const darc_format *format);
