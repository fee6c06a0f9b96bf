/* sha256.h - the SHA-256 digest of bytes and of files [FIPS180]. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define DARC_SHA256_BYTES 32
#define DARC_SHA256_HEX 65 /* characters of a digest in hexadecimal, and 0 */

typedef struct {
    uint32_t h[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} darc_sha256;

/* Start; add n bytes; set the digest, as bytes or as sha256sum prints it, after
 * which s has to be started again. */
void darc_sha256_init(darc_sha256 *s);
void darc_sha256_update(darc_sha256 *s, const void *data, size_t n);
void darc_sha256_final(darc_sha256 *s, unsigned char digest[DARC_SHA256_BYTES]);
void darc_sha256_hex(darc_sha256 *s, char hex[DARC_SHA256_HEX]);

/* Set hex to the digest of a regular file.
 * Fails: DARC_IO when it cannot be read or is no regular file. */
DARC_STATUS darc_sha256_file(char hex[DARC_SHA256_HEX], const char *file,
                             darc_err *err);
