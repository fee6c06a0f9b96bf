/* zip.h - the members of a zip archive, stored or deflated. */
#ifndef DARC_FILES_ZIP_H
#define DARC_FILES_ZIP_H

#include "files/bytes.h"

typedef struct {
    char *name; /* owned */
    bool deflated;
    uint64_t at;     /* of the member's bytes in the file */
    uint64_t packed; /* bytes there */
    uint64_t size;   /* bytes when expanded */
} darc_zip_member;

typedef struct {
    int count;
    darc_zip_member *member; /* owned */
} darc_zip;

/* List the members, by the directory at the end of the file.
 * Fails: DARC_DATA when it is damaged, encrypted or split; DARC_IO. */
DARC_CHECKED darc_status darc_zip_list(darc_zip *z, const darc_bytes_file *f,
                                       darc_err *err);
void darc_zip_clear(darc_zip *z);

#endif
