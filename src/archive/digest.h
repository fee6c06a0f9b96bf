/* digest.h - by which a campaign and a recording are known: SHA-256. */
#ifndef DARC_ARCHIVE_DIGEST_H
#define DARC_ARCHIVE_DIGEST_H

#include "base/sha256.h"

/* Set hex to the digest of two texts, one after the other. */
void darc_digest_texts(char hex[DARC_SHA256_HEX], const char *first,
                       const char *second);

/* Set hex to the digest of a recording's file, or of the one that an array is
 * in; "" where it cannot be read.
 * Fails: DARC_IO where the file cannot be read, or is no regular one. */
DARC_CHECKED darc_status darc_digest_file(char hex[DARC_SHA256_HEX],
                                          const char *file, darc_err *err);

#endif
