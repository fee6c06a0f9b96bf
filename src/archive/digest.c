#include "archive/digest.h"

#include "base/mem.h"
#include "files/arrayfile.h"

#include <stdio.h>
#include <string.h>

void darc_digest_texts(char hex[DARC_SHA256_HEX], const char *first,
                       const char *second)
{
    unsigned char digest[DARC_SHA256_BYTES];
    darc_sha256 s;
    darc_sha256_init(&s);
    darc_sha256_update(&s, first, strlen(first) + 1);
    darc_sha256_update(&s, second, strlen(second));
    darc_sha256_final(&s, digest);
    for (int i = 0; i < DARC_SHA256_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

darc_status darc_digest_file(char hex[DARC_SHA256_HEX], const char *file,
                             darc_err *err)
{
    size_t length;
    bool arrays = darc_arrayfile_is(file, &length);
    char *path = darc_strndup(file, arrays ? length : strlen(file));
    darc_status status = darc_sha256_file(hex, path, err);
    if (status != DARC_OK)
        hex[0] = '\0';
    else if (file[strlen(path)] != '\0')
        darc_digest_texts(hex, hex, file + strlen(path));
    darc_free(path);
    return status;
}
