#include "formats/mdf4_blocks.h"

#include "base/mem.h"
#include "formats/store.h"
#include "formats/thresholds.h"

#include <string.h>

enum { HEAD = 24 };

darc_status darc_mdf4_block_read(darc_mdf4_block *b, const darc_bytes_file *f,
                                 uint64_t at, const char *id, darc_err *err)
{
    unsigned char head[HEAD], links[8 * DARC_MDF4_LINKS];
    DARC_NEED(darc_bytes_read(f, at, head, sizeof head, err));
    uint64_t length = darc_bytes_u64(head + 8);
    memset(b, 0, sizeof *b);
    b->links = darc_bytes_u64(head + 16);
    bool good = memcmp(head, "##", 2) == 0 && length >= HEAD &&
                length <= f->size - at && b->links <= (length - HEAD) / 8 &&
                (id == NULL || memcmp(head + 2, id, 2) == 0);
    if (!good)
        return darc_fail_file(err, f->name,
                              "damaged: no %s%sblock of MDF4 at byte %llu",
                              id != NULL ? id : "", id != NULL ? " " : "",
                              (unsigned long long)at);
    memcpy(b->id, head + 2, 2);
    size_t n = b->links < DARC_MDF4_LINKS ? (size_t)b->links : DARC_MDF4_LINKS;
    darc_status status = darc_bytes_read(f, at + HEAD, links, 8 * n, err);
    for (size_t i = 0; i < n && status == DARC_OK; i++)
        b->link[i] = darc_bytes_u64(links + 8 * i);
    b->at = at + HEAD + 8 * b->links;
    b->size = length - HEAD - 8 * b->links;
    return status;
}

darc_status darc_mdf4_text(char *text, size_t size, const darc_bytes_file *f,
                           uint64_t at, darc_err *err)
{
    darc_mdf4_block b;
    text[0] = '\0';
    if (at == 0)
        return DARC_OK;
    DARC_NEED(darc_mdf4_block_read(&b, f, at, NULL, err));
    size_t n = b.size < DARC_MDF4_TEXT ? (size_t)b.size : DARC_MDF4_TEXT;
    char *s = darc_calloc(n + 1, 1);
    darc_status status = darc_bytes_read(f, b.at, s, n, err);
    const char *from = s;
    size_t length = strlen(s);
    if (strcmp(b.id, "MD") == 0) {
        const char *begin = strstr(s, "<TX>");
        const char *end = begin != NULL ? strstr(begin, "</TX>") : NULL;
        from = end != NULL ? begin + 4 : s;
        length = end != NULL ? (size_t)(end - from) : 0;
    }
    length = length < size - 1 ? length : size - 1;
    if (status == DARC_OK) {
        memcpy(text, from, length);
        text[length] = '\0';
    }
    darc_free(s);
    return status;
}

static darc_status add_record_piece(darc_mdf4_records *r,
                                    const darc_bytes_file *f,
                                    darc_mdf4_piece piece, darc_err *err)
{
    if ((uint64_t)r->count > f->size / DARC_MDF4_BLOCK ||
        piece.length > UINT64_MAX / 4 - r->length)
        return darc_fail_file(err, f->name,
                              "damaged: the lists of data blocks do not end");
    DARC_ROOM(r->piece, r->count);
    piece.first = r->length;
    r->length += piece.length;
    r->piece[r->count++] = piece;
    return DARC_OK;
}

/* A DZ block: what it was, how it was packed, sizes before and after. */
static darc_status add_packed(darc_mdf4_records *r, const darc_bytes_file *f,
                              const darc_mdf4_block *b, darc_err *err)
{
    unsigned char head[24];
    if (b->size < sizeof head)
        return darc_fail_file(err, f->name, "damaged: a DZ block of %llu bytes",
                              (unsigned long long)b->size);
    DARC_NEED(darc_bytes_read(f, b->at, head, sizeof head, err));
    darc_mdf4_piece piece = {.length = darc_bytes_u64(head + 8),
                             .at = b->at + sizeof head,
                             .packed = darc_bytes_u64(head + 16),
                             .across =
                                 head[2] == 1 ? darc_bytes_u32(head + 4) : 0};
    if (memcmp(head, "DT", 2) != 0 || head[2] > 1 || piece.packed == 0 ||
        piece.packed > b->size - sizeof head ||
        piece.length > DARC_MDF4_EXPANDED ||
        piece.length / DARC_MOST_EXPANSION > piece.packed ||
        (head[2] == 1 && piece.across == 0))
        return darc_fail_file(err, f->name,
                              "a compressed block is damaged, or packed in a "
                              "way that is not known");
    return add_record_piece(r, f, piece, err);
}

/* Whether a DT block at `at` has no length that can be. */
static bool is_open(const darc_bytes_file *f, uint64_t at)
{
    if (at > f->size || f->size - at < HEAD)
        return false;
    const unsigned char *p = f->bytes + at;
    if (memcmp(p, "##DT", 4) != 0)
        return false;
    uint64_t length = darc_bytes_u64(p + 8);
    return length <= HEAD || length > f->size - at;
}

/* Where the next block begins, or the file ends: "##DT\0\0\0\0" and a length
 * that fits. */
static uint64_t next_block(const darc_bytes_file *f, uint64_t at)
{
    for (at = (at + 7) / 8 * 8; at + HEAD <= f->size; at += 8) {
        const unsigned char *p = f->bytes + at;
        if (p[0] == '#' && p[1] == '#' && p[2] >= 'A' && p[2] <= 'Z' &&
            p[3] >= 'A' && p[3] <= 'Z' && darc_bytes_u32(p + 4) == 0 &&
            darc_bytes_u64(p + 8) <= f->size - at)
            return at;
    }
    return f->size;
}

static darc_status add_lists(darc_mdf4_records *r, const darc_bytes_file *f,
                             uint64_t at, darc_err *err);

/* Add the block at `at`, or where lists may stand those that a list names. */
static darc_status add_block(darc_mdf4_records *r, const darc_bytes_file *f,
                             uint64_t at, bool lists, darc_err *err)
{
    darc_mdf4_block b;
    if (at == 0)
        return DARC_OK;
    if (r->unfinished && is_open(f, at)) {
        darc_mdf4_piece piece = {.at = at + HEAD};
        piece.length = next_block(f, piece.at) - piece.at;
        return add_record_piece(r, f, piece, err);
    }
    DARC_NEED(darc_mdf4_block_read(&b, f, at, NULL, err));
    if (strcmp(b.id, "DT") == 0)
        return add_record_piece(
            r, f, (darc_mdf4_piece){.length = b.size, .at = b.at}, err);
    if (strcmp(b.id, "DZ") == 0)
        return add_packed(r, f, &b, err);
    bool packed = lists && strcmp(b.id, "HL") == 0;
    if (packed || (lists && strcmp(b.id, "DL") == 0))
        return add_lists(r, f, packed ? b.link[0] : at, err);
    return darc_fail_file(err, f->name,
                          "data blocks of kind %s are not read (sorted records "
                          "in DT and DZ blocks are)",
                          b.id);
}

/* A chain of DL blocks: the next one, then the data blocks. */
static darc_status add_lists(darc_mdf4_records *r, const darc_bytes_file *f,
                             uint64_t at, darc_err *err)
{
    for (uint64_t lists = 0; at != 0; lists++) {
        darc_mdf4_block b;
        DARC_NEED(darc_mdf4_block_read(&b, f, at, "DL", err));
        if (lists > f->size / DARC_MDF4_BLOCK)
            return add_record_piece(
                r, f, (darc_mdf4_piece){.length = UINT64_MAX}, err);
        for (uint64_t i = 1; i < b.links; i++) {
            unsigned char link[8];
            DARC_NEED(darc_bytes_read(f, at + HEAD + 8 * i, link, 8, err));
            DARC_NEED(add_block(r, f, darc_bytes_u64(link), false, err));
        }
        at = b.link[0];
    }
    return DARC_OK;
}

darc_status darc_mdf4_records_init(darc_mdf4_records *r,
                                   const darc_bytes_file *f, uint64_t link,
                                   bool unfinished, darc_err *err)
{
    *r = (darc_mdf4_records){.open = -1, .unfinished = unfinished};
    darc_status status = add_block(r, f, link, true, err);
    if (status != DARC_OK)
        darc_mdf4_records_clear(r);
    return status;
}

void darc_mdf4_records_clear(darc_mdf4_records *r)
{
    DARC_FREE(r->piece, r->bytes);
    *r = (darc_mdf4_records){.open = -1};
}

void darc_mdf4_records_hold(darc_mdf4_records *r, darc_text_t text)
{
    size_t n = text->len;
    *r = (darc_mdf4_records){.open = -1, .count = n > 0, .length = n};
    if (n == 0)
        return;
    r->bytes = (unsigned char *)darc_text_take(text);
    r->piece = darc_calloc(1, sizeof *r->piece);
    r->piece[0] = (darc_mdf4_piece){.length = n, .mem = r->bytes};
}

/* Byte c of row r stands at c * rows + r; what is left of the last row stands
 * behind in its order. */
static void transpose(unsigned char *bytes, size_t n, size_t across)
{
    size_t rows = n / across;
    if (rows < 2)
        return;
    unsigned char *was = darc_malloc(n);
    memcpy(was, bytes, n);
    for (size_t c = 0; c < across; c++)
        for (size_t r = 0; r < rows; r++)
            bytes[r * across + c] = was[c * rows + r];
    darc_free(was);
}

static darc_status expand(darc_mdf4_records *r, const darc_bytes_file *f, int i,
                          darc_err *err)
{
    const darc_mdf4_piece *p = r->piece + i;
    darc_stretch x = {.at = p->at, .packed = p->packed, .size = p->length};
    darc_free(r->bytes);
    r->bytes = darc_malloc((size_t)p->length);
    r->open = -1;
    DARC_NEED(darc_inflate(r->bytes, f, &x, err));
    if (p->across > 1)
        transpose(r->bytes, (size_t)p->length, p->across);
    r->open = i;
    return DARC_OK;
}

/* The piece that holds byte `first`. */
static int find_piece(const darc_mdf4_records *r, uint64_t first)
{
    int low = 0, high = r->count;
    DARC_BISECT(int, low, high, k, r->piece[k].first <= first)
    return low;
}

darc_status darc_mdf4_records_read(darc_mdf4_records *r,
                                   const darc_bytes_file *f, uint64_t first,
                                   unsigned char *to, size_t n, darc_err *err)
{
    if (first > r->length || n > r->length - first)
        return darc_fail_file(
            err, f->name,
            "the file is cut off: its records have %llu bytes, %llu are wanted",
            (unsigned long long)r->length, (unsigned long long)(first + n));
    for (int i = n > 0 ? find_piece(r, first) : 0; n > 0; i++) {
        const darc_mdf4_piece *p = r->piece + i;
        uint64_t offset = first - p->first;
        size_t have = p->length - offset < n ? (size_t)(p->length - offset) : n;
        if (have > 0 && p->mem != NULL) {
            memcpy(to, p->mem + offset, have);
        } else if (have > 0 && p->packed > 0) {
            if (r->open != i)
                DARC_NEED(expand(r, f, i, err));
            memcpy(to, r->bytes + offset, have);
        } else if (have > 0) {
            DARC_NEED(darc_bytes_read(f, p->at + offset, to, have, err));
        }
        to += have;
        n -= have;
        first += have;
    }
    return DARC_OK;
}
