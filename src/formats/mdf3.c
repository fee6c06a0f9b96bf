/* mdf3.c - the groups and channels of an MDF file of version 3 and before.
 *
 * A block begins with two letters and its bytes in 16 bits; places in the file
 * take 32.  All numbers are in the byte order that the head of the file names.
 * The records of a data group lie in one piece, without a head.
 */
#include "formats/mdf.h"

#include "base/mem.h"
#include "formats/thresholds.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS = 64 /* place of the HD block */, NAME = 32 };

/* Sizes that the blocks have at least. */
enum { DG_SIZE = 24, CG_SIZE = 26, CN_SIZE = 218, CC_SIZE = 46 };

typedef struct {
    const unsigned char *p; /* in the file */
    size_t size;
} block;

typedef struct {
    darc_arrays *a;
    darc_mdf *s;
    bool big;
} mdf3;

static uint16_t u16(const mdf3 *m, const unsigned char *p)
{
    return m->big ? (uint16_t)(p[0] << 8 | p[1]) : darc_bytes_u16(p);
}

static uint32_t u32(const mdf3 *m, const unsigned char *p)
{
    return m->big ? (uint32_t)u16(m, p) << 16 | u16(m, p + 2)
                  : darc_bytes_u32(p);
}

/* Set b to the block at `at`, of `least` bytes at the least. */
static darc_status read_block(block *b, const mdf3 *m, uint64_t at,
                              const char *id, size_t least, darc_err *err)
{
    const darc_bytes_file *f = &m->s->file;
    bool inside = at <= f->size && f->size - at >= 4;
    const unsigned char *p = inside ? f->bytes + at : NULL;
    bool good = inside && memcmp(p, id, 2) == 0;
    size_t size = good ? u16(m, p + 2) : 0;
    if (!good || size < least || size > f->size - at)
        return darc_fail_file(err, f->name,
                              "damaged or cut off: no %s block of MDF 3 at "
                              "byte %llu",
                              id, (unsigned long long)at);
    *b = (block){p, size};
    return DARC_OK;
}

static darc_status endless(const mdf3 *m, const char *what, darc_err *err)
{
    return darc_fail_file(err, m->s->file.name,
                          "damaged: the list of %s does not end", what);
}

/* Append n bytes of Latin-1 as UTF-8 to the text, up to a '\0', cut to size. */
static void put_latin(char *text, size_t size, const unsigned char *p, size_t n)
{
    size_t k = 0;
    for (; n > 0 && *p != '\0' && k + 2 < size; n--, p++)
        if (*p < 0x80) {
            text[k++] = (char)*p;
        } else {
            text[k++] = (char)(0xc0 | *p >> 6);
            text[k++] = (char)(0x80 | (*p & 0x3f));
        }
    while (k > 0 && text[k - 1] == ' ')
        k--;
    text[k] = '\0';
}

/* Set text to a TX block's; 0: leave it. */
static darc_status read_text(char *text, size_t size, const mdf3 *m,
                             uint64_t at, darc_err *err)
{
    block b;
    if (at == 0)
        return DARC_OK;
    DARC_NEED(read_block(&b, m, at, "TX", 4, err));
    put_latin(text, size, b.p + 4, b.size - 4);
    return DARC_OK;
}

/* ---- conversions ------------------------------------------------------- */

enum { LINEAR = 0, BETWEEN = 1, NEAREST = 2, POLYNOMIAL = 6, EXPONENTIAL = 7 };
enum { LOGARITHMIC = 8, RATIONAL = 9, FORMULA = 10, TEXTS = 11, RANGES = 12 };
enum { EQUAL = 65535 };

static const char *why_not(int type)
{
    if (type == TEXTS || type == RANGES)
        return "a state: its table has texts, no numbers";
    if (type == EXPONENTIAL || type == LOGARITHMIC || type == FORMULA)
        return "converted by a formula (linear, rational, polynomial "
               "conversions and tables are read)";
    bool known = type <= NEAREST || type == POLYNOMIAL || type == RATIONAL ||
                 type == EQUAL;
    return known ? NULL : "converted in a way that is not known";
}

static darc_status read_scale(darc_mdf_channel *c, const mdf3 *m, uint64_t at,
                              darc_err *err)
{
    block b;
    darc_mdf_scale *x = &c->scale;
    if (at == 0)
        return DARC_OK;
    DARC_NEED(read_block(&b, m, at, "CC", CC_SIZE, err));
    put_latin(c->unit, sizeof c->unit, b.p + 22, 20);
    int type = u16(m, b.p + 42);
    size_t rows = u16(m, b.p + 44);
    bool table = type == BETWEEN || type == NEAREST;
    size_t needs = type == LINEAR                           ? 2
                   : table                                  ? 2 * rows
                   : type == POLYNOMIAL || type == RATIONAL ? 6
                                                            : 0;
    c->why = why_not(type);
    if (c->why == NULL && needs > (b.size - CC_SIZE) / 8)
        c->why = "damaged: its conversion is cut off";
    if (c->why != NULL || type == EQUAL)
        return DARC_OK;
    x->kind = type == LINEAR       ? DARC_MDF_LINEAR
              : type == BETWEEN    ? DARC_MDF_BETWEEN
              : type == NEAREST    ? DARC_MDF_NEAREST
              : type == POLYNOMIAL ? DARC_MDF_POLYNOMIAL
                                   : DARC_MDF_RATIONAL;
    x->rows = table ? rows : 0;
    x->row = darc_calloc(3 * x->rows + 1, sizeof *x->row);
    for (size_t i = 0; i < needs; i++) {
        double value = darc_mdf_float(b.p + CC_SIZE + 8 * i, m->big);
        if (!table)
            x->p[i] = value;
        else if (i % 2 == 1)
            x->row[3 * (i / 2) + 2] = value;
        else
            x->row[3 * (i / 2)] = x->row[3 * (i / 2) + 1] = value;
    }
    return DARC_OK;
}

/* ---- channels ---------------------------------------------------------- */

/* Set the layout of a type; false for text, bytes and the floats of a VAX. */
static bool layout_of_type(darc_bytes_number *number, int type, int bits,
                           int shift, bool big)
{
    /* 0 .. 3 are in the order of the file, 9 .. 12 big, 13 .. 16 little */
    int kind = type < 4 ? type : type >= 9 && type <= 16 ? (type - 9) % 4 : -1;
    *number = (darc_bytes_number){.kind = kind == 0   ? DARC_BYTES_UNSIGNED
                                          : kind == 1 ? DARC_BYTES_SIGNED
                                                      : DARC_BYTES_FLOAT,
                                  .big = type < 4 ? big : type < 13,
                                  .bits = bits,
                                  .shift = shift};
    if (kind < 0 || bits < 1 || bits > 64)
        return false;
    return kind < 2 || (shift == 0 && bits == (kind == 2 ? 32 : 64)) ||
           (shift == 0 && bits == (kind == 2 ? 64 : 32));
}

static darc_status read_channel(darc_mdf_channel *c, uint64_t *next,
                                const mdf3 *m, uint64_t at, int id_size,
                                darc_err *err)
{
    block b;
    DARC_NEED(read_block(&b, m, at, "CN", CN_SIZE, err));
    *next = u32(m, b.p + 4);
    uint32_t bit = u16(m, b.p + 186);
    uint32_t more = b.size >= 228 ? u16(m, b.p + 226) : 0u;
    put_latin(c->name, sizeof c->name, b.p + 26, NAME);
    if (b.size >= 222)
        DARC_NEED(
            read_text(c->name, sizeof c->name, m, u32(m, b.p + 218), err));
    c->master = u16(m, b.p + 24) == 1;
    c->offset = bit / 8 + more + (uint32_t)id_size;
    bool number = layout_of_type(&c->number, u16(m, b.p + 190),
                                 u16(m, b.p + 188), (int)(bit % 8), m->big);
    DARC_NEED(read_scale(c, m, u32(m, b.p + 8), err));
    if (c->master && c->unit[0] == '\0')
        snprintf(c->unit, sizeof c->unit, "s");
    if (!number)
        c->why = "text or bytes, no number";
    else if (u32(m, b.p + 16) != 0)
        c->why = "a structure or an array";
    return DARC_OK;
}

static darc_status read_channels(const mdf3 *m, uint64_t at, int id_size,
                                 darc_err *err)
{
    for (uint64_t n = 0; at != 0; n++) {
        darc_mdf_channel c = {.invalid = -1};
        if (n > m->s->file.size / CN_SIZE)
            return endless(m, "channels", err);
        darc_status status = read_channel(&c, &at, m, at, id_size, err);
        if (status != DARC_OK) {
            darc_mdf_scale_clear(&c.scale);
            return status;
        }
        darc_mdf_add_channel(m->a, &c);
    }
    return DARC_OK;
}

/* ---- groups ------------------------------------------------------------ */

/* Read a channel group; ids: 1 before each record, 2 behind it too. */
static darc_status read_group(uint64_t *next, const mdf3 *m, uint64_t at,
                              int ids, darc_err *err)
{
    block b;
    darc_mdf_group g = {.master = -1};
    DARC_NEED(read_block(&b, m, at, "CG", CG_SIZE, err));
    *next = u32(m, b.p + 4);
    DARC_NEED(read_text(g.name, sizeof g.name, m, u32(m, b.p + 12), err));
    g.name[strcspn(g.name, "\r\n")] = '\0';
    g.id = u16(m, b.p + 16);
    g.rows = u32(m, b.p + 22);
    g.data = u16(m, b.p + 20) + (size_t)(ids > 0);
    g.record = g.data + (size_t)(ids > 1);
    darc_mdf_add_group(m->s, g);
    return g.rows > 0 || m->s->unfinished
               ? read_channels(m, u32(m, b.p + 8), ids > 0, err)
               : DARC_OK;
}

static darc_status read_data_group(const mdf3 *m, const block *b, darc_err *err)
{
    darc_mdf *s = m->s;
    int first = s->groups, ids = u16(m, b->p + 22);
    uint64_t data = u32(m, b->p + 16), bytes = 0;
    bool empty = true;
    if (ids > 2)
        return darc_fail_file(err, s->file.name, "damaged: %d record ids", ids);
    for (uint64_t at = u32(m, b->p + 8), n = 0; at != 0; n++) {
        if (n > s->file.size / CG_SIZE)
            return endless(m, "groups", err);
        DARC_NEED(read_group(&at, m, at, ids, err));
        const darc_mdf_group *g = &s->group[s->groups - 1];
        empty = empty && g->rows == 0 && !s->unfinished;
        bytes += g->rows * g->record;
    }
    if (empty || data == 0 || data > s->file.size) {
        s->groups = empty ? first : s->groups;
        return empty ? DARC_OK
                     : darc_fail_file(err, s->file.name,
                                      "the file is cut off: records at byte "
                                      "%llu of %llu",
                                      (unsigned long long)data,
                                      (unsigned long long)s->file.size);
    }
    uint64_t left = s->file.size - data;
    darc_mdf4_records r = {.open = -1};
    r.length = bytes < left && !s->unfinished ? bytes : left;
    r.count = 1;
    r.piece = darc_calloc(1, sizeof *r.piece);
    r.piece[0] = (darc_mdf4_piece){.length = r.length, .at = data};
    return darc_mdf_share(m->a, first, &r, ids > 0, err);
}

darc_status darc_mdf3_groups(darc_arrays *a, darc_err *err)
{
    mdf3 m = {.a = a, .s = a->state};
    block b;
    const darc_bytes_file *f = &a->bytes;
    /* Of all before version 4 the head is of 64 bytes, which were read. */
    m.big = darc_bytes_u16(f->bytes + 24) != 0;
    if (darc_bytes_u16(f->bytes + 26) != 0)
        return darc_fail_file(err, f->name,
                              "its numbers are no IEEE floats (of a VAX?)");
    DARC_NEED(read_block(&b, &m, GROUPS, "HD", 16, err));
    uint64_t at = u32(&m, b.p + 4);
    if (at != 0)
        DARC_NEED(read_block(&b, &m, at, "DG", DG_SIZE, err));
    /* where the records end is only known where nothing follows */
    if (at != 0 && u32(&m, b.p + 4) != 0)
        m.s->unfinished = m.s->uncounted = false;
    for (uint64_t n = 0; at != 0; n++) {
        if (n > f->size / DG_SIZE)
            return endless(&m, "groups", err);
        DARC_NEED(read_block(&b, &m, at, "DG", DG_SIZE, err));
        uint64_t next = u32(&m, b.p + 4);
        DARC_NEED(read_data_group(&m, &b, err));
        at = next;
    }
    return DARC_OK;
}
