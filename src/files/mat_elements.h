/* mat_elements.h - the elements of a MATLAB file of version 5: a tag (type and
 * bytes), then data; in the file, or in a variable that is compressed.
 */
#ifndef DARC_FILES_MAT_ELEMENTS_H
#define DARC_FILES_MAT_ELEMENTS_H

#include "files/inflated.h"

typedef struct {
    darc_bytes_file file;
    bool big; /* most significant byte first */
    darc_inflater inflater;
} darc_mat_bytes;

/* A variable's bytes in the file, or what they are inflated to. */
typedef struct {
    uint64_t at, size;
    uint64_t packed;      /* > 0: compressed, so many bytes at `at` */
    unsigned char *front; /* the first few of a compressed one, which most
                             often tell what it is; owned */
    size_t front_bytes;
    darc_inflated inflated;
} darc_mat_variable;

/* Where elements of a variable stand, one behind the other. */
typedef struct {
    darc_mat_variable *variable;
    uint64_t at, end;
} darc_mat_stretch;

typedef struct {
    int type;
    uint64_t bytes, data, next; /* places in the variable */
} darc_mat_element;

/* Fail with DARC_DATA: "FILE: error: damaged or cut off: WHAT". */
darc_status darc_mat_damaged(const darc_mat_bytes *s, const char *what,
                             darc_err *err);

uint32_t darc_mat_u32(const darc_mat_bytes *s, const unsigned char *p);

/* Set to[0 .. n-1] to bytes of the variable from `at` on, inflating it first
 * if it is compressed.
 * Fails: DARC_DATA, DARC_IO. */
DARC_CHECKED darc_status darc_mat_get(void *to, uint64_t n, darc_mat_bytes *s,
                                      darc_mat_variable *v, uint64_t at,
                                      darc_err *err);

/* Inflate the front of a compressed variable, a few bytes at least.
 * Fails: DARC_DATA, DARC_IO. */
DARC_CHECKED darc_status darc_mat_open_front(const darc_mat_bytes *s,
                                             darc_mat_variable *v,
                                             darc_err *err);
void darc_mat_variable_clear(darc_mat_variable *v);

/* Take apart the tag that stands at `at`; small elements have their data
 * inside it. */
void darc_mat_tag(darc_mat_element *e, const darc_mat_bytes *s,
                  const unsigned char tag[8], uint64_t at);

/* Read the element at x->at and step behind it.
 * Fails: DARC_DATA when it does not end in the stretch; DARC_IO. */
DARC_CHECKED darc_status darc_mat_next(darc_mat_element *e, darc_mat_bytes *s,
                                       darc_mat_stretch *x, darc_err *err);

/* Set *number to the layout of the type's values; false if it is none of
 * numbers. */
bool darc_mat_number(darc_bytes_number *number, int type, bool big);

#endif
