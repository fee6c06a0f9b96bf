#include "files/zip.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <string.h>

enum { END = 22, ENTRY = 46, LOCAL = 30, LONGEST_COMMENT = 65535 };

static darc_status damaged(const darc_bytes_file *f, const char *what,
                           darc_err *err)
{
    return darc_fail(err, DARC_DATA, "%s: error: %s", f->name, what);
}

/* Set *at and *size to the place of the directory. */
static darc_status find_directory(uint64_t *at, uint64_t *size, int *entries,
                                  const darc_bytes_file *f, darc_err *err)
{
    darc_status status;
    size_t n = f->size < END + LONGEST_COMMENT ? (size_t)f->size
                                               : END + LONGEST_COMMENT;
    unsigned char *tail = darc_malloc(n > 0 ? n : 1);
    DARC_TRY(darc_bytes_read(f, f->size - n, tail, n, err));
    size_t i = n;
    while (i-- > 0)
        if (n - i >= END && memcmp(tail + i, "PK\5\6", 4) == 0)
            break;
    if (i == (size_t)-1) {
        status = damaged(f,
                         "no directory of a zip archive: the file is cut "
                         "off, or no NPZ file",
                         err);
        goto done;
    }
    *entries = darc_bytes_u16(tail + i + 10);
    *size = darc_bytes_u32(tail + i + 12);
    *at = darc_bytes_u32(tail + i + 16);
    if (*at == 0xffffffff && i >= 20 &&
        memcmp(tail + i - 20, "PK\6\7", 4) == 0) {
        unsigned char end[56];
        DARC_TRY(darc_bytes_read(f, darc_bytes_u64(tail + i - 12), end,
                                 sizeof end, err));
        *entries = (int)(darc_bytes_u64(end + 32) & 0xffff);
        *size = darc_bytes_u64(end + 40);
        *at = darc_bytes_u64(end + 48);
    }
    if (*at > f->size || *size > f->size - *at || *entries > DARC_ZIP_MEMBERS)
        status = damaged(f, "the zip directory lies outside the file", err);
done:
    darc_free(tail);
    return status;
}

/* Sizes and place over 4 GB stand in an extra field, in this order. */
static void read_extra(darc_zip_member *m, const unsigned char *p, size_t n)
{
    while (n >= 4) {
        size_t length = darc_bytes_u16(p + 2);
        if (length > n - 4)
            return;
        if (darc_bytes_u16(p) == 1) {
            const unsigned char *q = p + 4, *end = q + length;
            uint64_t *value[] = {&m->size, &m->packed, &m->at};
            for (int i = 0; i < 3; i++)
                if (*value[i] == 0xffffffff && end - q >= 8) {
                    *value[i] = darc_bytes_u64(q);
                    q += 8;
                }
            return;
        }
        p += 4 + length;
        n -= 4 + length;
    }
}

/* Turn the place of the local head into that of the bytes. */
static darc_status skip_local(darc_zip_member *m, const darc_bytes_file *f,
                              darc_err *err)
{
    unsigned char head[LOCAL];
    DARC_NEED(darc_bytes_read(f, m->at, head, sizeof head, err));
    if (memcmp(head, "PK\3\4", 4) != 0)
        return damaged(f,
                       "a member of the zip archive is not where the "
                       "directory says",
                       err);
    m->at +=
        LOCAL + (uint64_t)darc_bytes_u16(head + 26) + darc_bytes_u16(head + 28);
    if (m->at > f->size || m->packed > f->size - m->at ||
        (!m->deflated && m->size != m->packed))
        return damaged(f, "a member of the zip archive is cut off", err);
    return DARC_OK;
}

/* Read the entry at p of n bytes; *length gets its own. */
static darc_status read_entry(darc_zip *z, size_t *length,
                              const unsigned char *p, size_t n,
                              const darc_bytes_file *f, darc_err *err)
{
    if (n < ENTRY || memcmp(p, "PK\1\2", 4) != 0)
        return damaged(f, "the zip directory is damaged", err);
    size_t name = darc_bytes_u16(p + 28), extra = darc_bytes_u16(p + 30);
    *length = ENTRY + name + extra + darc_bytes_u16(p + 32);
    if (*length > n)
        return damaged(f, "the zip directory is damaged", err);
    int method = darc_bytes_u16(p + 10);
    if ((darc_bytes_u16(p + 8) & 1) != 0 || (method != 0 && method != 8))
        return damaged(f,
                       "a member of the zip archive is encrypted or packed "
                       "by a method other than deflate (numpy.savez and "
                       "savez_compressed write what darc reads)",
                       err);
    darc_zip_member m = {.deflated = method == 8,
                         .at = darc_bytes_u32(p + 42),
                         .packed = darc_bytes_u32(p + 20),
                         .size = darc_bytes_u32(p + 24)};
    read_extra(&m, p + ENTRY + name, extra);
    DARC_NEED(skip_local(&m, f, err));
    z->member =
        darc_realloc(z->member, (size_t)z->count + 1, sizeof *z->member);
    m.name = darc_strndup((const char *)p + ENTRY, name);
    z->member[z->count++] = m;
    return DARC_OK;
}

darc_status darc_zip_list(darc_zip *z, const darc_bytes_file *f, darc_err *err)
{
    darc_status status;
    uint64_t at = 0, size = 0;
    int entries = 0;
    unsigned char *directory = NULL;
    *z = (darc_zip){0};
    DARC_TRY(find_directory(&at, &size, &entries, f, err));
    directory = darc_malloc(size > 0 ? (size_t)size : 1);
    DARC_TRY(darc_bytes_read(f, at, directory, (size_t)size, err));
    size_t done = 0;
    for (int i = 0; i < entries; i++) {
        size_t length = 0;
        DARC_TRY(read_entry(z, &length, directory + done, (size_t)size - done,
                            f, err));
        done += length;
    }
done:
    darc_free(directory);
    return status;
}

void darc_zip_clear(darc_zip *z)
{
    for (int i = 0; i < z->count; i++)
        darc_free(z->member[i].name);
    darc_free(z->member);
    *z = (darc_zip){0};
}
