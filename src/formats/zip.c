#include "formats/store.h"

#include "formats/thresholds.h"

#include <string.h>

enum { END = 22, ENTRY = 46, LOCAL = 30, LONGEST_COMMENT = 65535 };

/* Set *at and *size to the place of the directory. */
static darc_status find_directory(uint64_t *at, uint64_t *size, int *entries,
                                  const darc_bytes_file *f, darc_err *err)
{
    size_t longest = END + LONGEST_COMMENT, i = END;
    size_t n = f->size < longest ? (size_t)f->size : longest;
    while (i <= n && memcmp(f->bytes + f->size - i, "PK\5\6", 4) != 0)
        i++;
    if (i > n)
        return darc_fail_file(err, f->name,
                              "no directory of a zip archive: the file is cut "
                              "off, or no archive");
    const unsigned char *p = f->bytes + f->size - i;
    *entries = darc_bytes_u16(p + 10);
    *size = darc_bytes_u32(p + 12);
    *at = darc_bytes_u32(p + 16);
    if (*at == 0xffffffff && n - i >= 20 && memcmp(p - 20, "PK\6\7", 4) == 0) {
        unsigned char more[56];
        DARC_NEED(
            darc_bytes_read(f, darc_bytes_u64(p - 12), more, sizeof more, err));
        *entries = (int)(darc_bytes_u64(more + 32) & 0xffff);
        *size = darc_bytes_u64(more + 40);
        *at = darc_bytes_u64(more + 48);
    }
    if (*at > f->size || *size > f->size - *at || *entries > DARC_ZIP_MEMBERS)
        return darc_fail_file(err, f->name,
                              "the zip directory lies outside the file");
    return DARC_OK;
}

/* Sizes and place over 4 GB stand in an extra field, in this order. */
static void read_extra(darc_stretch *m, const unsigned char *p, size_t n)
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
static darc_status skip_local(darc_stretch *m, const darc_bytes_file *f,
                              darc_err *err)
{
    unsigned char head[LOCAL];
    DARC_NEED(darc_bytes_read(f, m->at, head, sizeof head, err));
    if (memcmp(head, "PK\3\4", 4) != 0)
        return darc_fail_file(
            err, f->name,
            "a member of the zip archive is not where the directory says");
    m->at +=
        LOCAL + (uint64_t)darc_bytes_u16(head + 26) + darc_bytes_u16(head + 28);
    if (m->at > f->size || m->packed > f->size - m->at ||
        (m->raw ? m->packed == 0 : m->size != m->packed))
        return darc_fail_file(err, f->name,
                              "a member of the zip archive is cut off");
    m->packed = m->raw ? m->packed : 0;
    return DARC_OK;
}

/* Read the entry at p, whose name has so many bytes. */
static darc_status read_entry(darc_stretch *m, const unsigned char *p,
                              size_t name, const darc_bytes_file *f,
                              darc_err *err)
{
    int method = darc_bytes_u16(p + 10);
    if ((darc_bytes_u16(p + 8) & 1) != 0 || (method != 0 && method != 8))
        return darc_fail_file(
            err, f->name,
            "a member of the zip archive is encrypted or packed by a method "
            "other than deflate");
    *m = (darc_stretch){.raw = method == 8,
                        .sum = darc_bytes_u32(p + 16),
                        .at = darc_bytes_u32(p + 42),
                        .packed = darc_bytes_u32(p + 20),
                        .size = darc_bytes_u32(p + 24)};
    read_extra(m, p + ENTRY + name, darc_bytes_u16(p + 30));
    return skip_local(m, f, err);
}

darc_status
darc_zip_list(const darc_bytes_file *f,
              darc_status (*take)(void *user, const char *name, size_t n,
                                  const darc_stretch *bytes, darc_err *err),
              void *user, darc_err *err)
{
    uint64_t at = 0, size = 0, length;
    int entries = 0;
    DARC_NEED(find_directory(&at, &size, &entries, f, err));
    for (; entries > 0; entries--, at += length, size -= length) {
        darc_stretch m;
        const unsigned char *p = f->bytes + at;
        if (size < ENTRY || memcmp(p, "PK\1\2", 4) != 0)
            return darc_fail_file(err, f->name, "the zip directory is damaged");
        size_t name = darc_bytes_u16(p + 28);
        length = ENTRY + name + darc_bytes_u16(p + 30) + darc_bytes_u16(p + 32);
        if (length > size)
            return darc_fail_file(err, f->name, "the zip directory is damaged");
        DARC_NEED(read_entry(&m, p, name, f, err));
        DARC_NEED(take(user, (const char *)p + ENTRY, name, &m, err));
    }
    return DARC_OK;
}
