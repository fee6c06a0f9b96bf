/* lines.h - a file as a window of whole lines. */
#ifndef DARC_FILES_LINES_H
#define DARC_FILES_LINES_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *file;        /* for messages; owned */
    int fd;            /* -1: bytes in memory */
    const char *bytes; /* what is left of them */
    size_t left;
    char *buffer;  /* owned; 64 bytes behind `end` may be read */
    size_t begin;  /* first byte not yet used: the begin of a line */
    size_t next;   /* begin of the line after that, once it is known */
    size_t whole;  /* end of the last whole line, after its '\n' */
    size_t end;    /* end of the bytes read */
    size_t number; /* of the line at begin, from 1 */
    bool ended;    /* no more bytes will come */
    bool cut;      /* the last line had no '\n' (one was appended) */
    int wide;      /* the file is in UTF-16: 1 begins with the low byte, 2 with
                      the high one */
    bool started, mac;  /* bytes have come; '\r' ends its lines */
    unsigned char half; /* the first byte of a unit whose second is to come */
    bool halved;
} darc_lines;

/* Open the file ("-": standard input), or size bytes if bytes != NULL.
 * Fails: DARC_IO. */
DARC_CHECKED darc_status darc_lines_open(darc_lines *l, const char *file,
                                         const char *bytes, size_t size,
                                         darc_err *err);

void darc_lines_close(darc_lines *l);

/* Provide a line at begin unless the file has ended; then begin == whole.
 * Fails: DARC_IO; DARC_DATA for a line over DARC_MAX_LINE. */
DARC_CHECKED darc_status darc_lines_fill(darc_lines *l, darc_err *err);

/* Read on, keeping what is there from the first byte on; `whole` stays where
 * the file has ended, or the buffer is full. Fails: DARC_IO. */
DARC_CHECKED darc_status darc_lines_more(darc_lines *l, darc_err *err);

/* Record "file:line:column: error: ..." for the line at begin. */
DARC_CHECKED darc_status darc_lines_fail(const darc_lines *l, size_t column,
                                         darc_err *err, const char *format, ...)
    DARC_PRINTF(4, 5);

#endif
