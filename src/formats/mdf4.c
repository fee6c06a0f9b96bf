/* mdf4.c - the groups and channels of an MDF file of version 4. */
#include "formats/mdf.h"

#include "base/mem.h"
#include "formats/thresholds.h"

#include <math.h>
#include <string.h>

enum { HEAD = 24, FIRST_TEXT = 4 /* link of a conversion */ };

/* The types of a conversion, and why others give no number. */
enum { LINEAR = 1, RATIONAL = 2, FORMULA = 3, BETWEEN = 4, NEAREST = 5 };
enum { RANGES = 6, TEXTS = 7, TEXT_RANGES = 8 };
static const char by_formula[] = "converted by a formula (linear and rational "
                                 "conversions and tables of numbers are read)";
static const char by_texts[] = "a state: its table has texts, no numbers";

/* Return link i of the block at `at`, 0 where there is none. */
static uint64_t link_of(const darc_bytes_file *f, uint64_t at,
                        const darc_mdf4_block *b, uint64_t i)
{
    unsigned char link[8] = {0};
    if (i >= b->links ||
        darc_bytes_read(f, at + HEAD + 8 * i, link, 8, NULL) != DARC_OK)
        return 0;
    return darc_bytes_u64(link);
}

static darc_status read_scale(darc_mdf_channel *c, darc_mdf_scale *x,
                              const darc_bytes_file *f, uint64_t at, bool inner,
                              darc_err *err);

/* Texts for some numbers (SNA), and a scale for all others. */
static darc_status read_rest(darc_mdf_channel *c, darc_mdf_scale *x,
                             const darc_bytes_file *f, uint64_t at,
                             const darc_mdf4_block *b, darc_err *err)
{
    darc_mdf4_block to;
    for (uint64_t i = 0; i <= x->rows; i++) {
        uint64_t link = link_of(f, at, b, FIRST_TEXT + i);
        if (link != 0)
            DARC_NEED(darc_mdf4_block_read(&to, f, link, NULL, err));
        bool scale = link != 0 && strcmp(to.id, "CC") == 0;
        if (scale != (i == x->rows)) {
            c->why = by_texts;
            return DARC_OK;
        }
        if (i == x->rows) {
            x->rest = darc_calloc(1, sizeof *x->rest);
            return read_scale(c, x->rest, f, link, true, err);
        }
    }
    return DARC_OK;
}

/* Set the rows of a table of `values` numbers at `at`. */
static darc_status read_table(darc_mdf_scale *x, int type, size_t values,
                              const darc_bytes_file *f, uint64_t at,
                              darc_err *err)
{
    size_t wide = type == RANGES ? 3 : type == TEXTS ? 1 : 2;
    unsigned char p[8];
    x->rows = values / wide;
    x->row = darc_calloc(3 * x->rows + 1, sizeof *x->row);
    x->kind = type == BETWEEN   ? DARC_MDF_BETWEEN
              : type == NEAREST ? DARC_MDF_NEAREST
                                : DARC_MDF_RANGES;
    for (size_t i = 0; i < x->rows; i++) {
        double *row = x->row + 3 * i;
        for (size_t k = 0; k < wide; k++) {
            DARC_NEED(darc_bytes_read(f, at + 8 * (i * wide + k), p, 8, err));
            row[k] = darc_mdf_float(p, false);
        }
        if (type == BETWEEN || type == NEAREST)
            row[2] = row[1];
        row[1] = type == TEXTS || type == BETWEEN || type == NEAREST ? row[0]
                                                                     : row[1];
        row[2] = type == TEXTS || type == TEXT_RANGES ? NAN : row[2];
    }
    if (type == RANGES && values % 3 == 1) { /* for all others */
        DARC_NEED(darc_bytes_read(f, at + 24 * x->rows, p, 8, err));
        x->rest = darc_calloc(1, sizeof *x->rest);
        x->rest->kind = DARC_MDF_LINEAR;
        x->rest->p[0] = darc_mdf_float(p, false);
    }
    return DARC_OK;
}

/* Set the scale to that of a CC block, or say why there is no number; inner:
 * it stands in a table. */
static darc_status read_scale(darc_mdf_channel *c, darc_mdf_scale *x,
                              const darc_bytes_file *f, uint64_t at, bool inner,
                              darc_err *err)
{
    darc_mdf4_block b;
    unsigned char data[24 + 8 * 6];
    if (at == 0)
        return DARC_OK;
    DARC_NEED(darc_mdf4_block_read(&b, f, at, "CC", err));
    size_t n = b.size < sizeof data ? (size_t)b.size : sizeof data;
    memset(data, 0, sizeof data);
    DARC_NEED(darc_bytes_read(f, b.at, data, n, err));
    if (c->unit[0] == '\0')
        DARC_NEED(darc_mdf4_text(c->unit, sizeof c->unit, f, b.link[1], err));
    int type = data[0];
    size_t values = darc_bytes_u16(data + 6);
    bool table = type >= BETWEEN && type <= TEXT_RANGES;
    size_t needs = type == LINEAR ? 2 : type == RATIONAL ? 6 : 0;
    if (type == FORMULA || type > TEXT_RANGES)
        c->why = type == FORMULA ? by_formula : by_texts;
    else if (type > 0 && (b.size < HEAD || values > (b.size - HEAD) / 8 ||
                          values < needs || (inner && table)))
        c->why = "damaged, or converted in several steps";
    if (c->why != NULL || type == 0)
        return DARC_OK;
    if (table)
        DARC_NEED(read_table(x, type, values, f, b.at + HEAD, err));
    if (type == TEXTS || type == TEXT_RANGES)
        return read_rest(c, x, f, at, &b, err);
    if (!table)
        x->kind = type == LINEAR ? DARC_MDF_LINEAR : DARC_MDF_RATIONAL;
    for (size_t i = 0; i < needs; i++)
        x->p[i] = darc_mdf_float(data + HEAD + 8 * i, false);
    return DARC_OK;
}

static bool read_type(darc_bytes_number *number, const unsigned char *data)
{
    uint32_t bits = darc_bytes_u32(data + 8);
    int type = data[2], shift = data[3];
    *number = (darc_bytes_number){.kind = type < 2   ? DARC_BYTES_UNSIGNED
                                          : type < 4 ? DARC_BYTES_SIGNED
                                                     : DARC_BYTES_FLOAT,
                                  .big = (type & 1) == 1,
                                  .bits = (int)bits,
                                  .shift = shift};
    if (type > 5 || bits == 0 || bits > 64 || shift > 7)
        return false;
    return type < 4 || (shift == 0 && (bits == 16 || bits == 32 || bits == 64));
}

static darc_status read_channel(darc_mdf_channel *c, uint64_t *next,
                                const darc_mdf *s, uint64_t at, int id_size,
                                darc_err *err)
{
    darc_mdf4_block b;
    unsigned char data[24];
    const darc_mdf_group *g = &s->group[s->groups - 1];
    DARC_NEED(darc_mdf4_block_read(&b, &s->file, at, "CN", err));
    *next = b.link[0];
    if (b.size < sizeof data)
        return darc_fail_file(err, s->file.name,
                              "damaged: a channel of %llu bytes",
                              (unsigned long long)b.size);
    DARC_NEED(darc_bytes_read(&s->file, b.at, data, sizeof data, err));
    DARC_NEED(
        darc_mdf4_text(c->name, sizeof c->name, &s->file, b.link[2], err));
    DARC_NEED(
        darc_mdf4_text(c->unit, sizeof c->unit, &s->file, b.link[6], err));
    c->master = (data[0] == 2 || data[0] == 3) && data[1] <= 1;
    c->virtual = data[0] == 3 || data[0] == 6;
    c->offset = darc_bytes_u32(data + 4);
    uint32_t flags = darc_bytes_u32(data + 12);
    if ((flags & 2) != 0)
        c->invalid = (long)darc_bytes_u32(data + 16);
    bool number = c->virtual || read_type(&c->number, data);
    if (data[0] == 1 || data[0] == 5)
        c->why = "of variable length";
    else if (b.link[1] != 0)
        c->why = "a structure or an array";
    else if (!number)
        c->why = "text or bytes, no number";
    else if ((flags & 1) != 0)
        c->why = "invalid throughout";
    else if (c->invalid >= 0 && (size_t)c->invalid / 8 >= g->record - g->data)
        c->why = "damaged: its invalidation bit lies outside its record";
    else if (c->offset > UINT32_MAX - 8)
        c->why = "damaged: it lies outside its record";
    c->offset += c->virtual || c->why != NULL ? 0 : (uint32_t)id_size;
    return c->why != NULL
               ? DARC_OK
               : read_scale(c, &c->scale, &s->file, b.link[4], false, err);
}

static darc_status read_channels(darc_arrays *a, uint64_t at, int id_size,
                                 darc_err *err)
{
    darc_mdf *s = a->state;
    for (int n = 0; at != 0; n++) {
        darc_mdf_channel c = {.invalid = -1};
        if ((uint64_t)n > s->file.size / DARC_MDF4_BLOCK)
            return darc_fail_file(err, a->file,
                                  "damaged: the list of channels does not end");
        darc_status status = read_channel(&c, &at, s, at, id_size, err);
        if (status != DARC_OK) {
            darc_mdf_scale_clear(&c.scale);
            return status;
        }
        darc_mdf_add_channel(a, &c);
    }
    return DARC_OK;
}

/* Read a channel group; *next is the one behind it. */
static darc_status read_group(darc_arrays *a, uint64_t *next, uint64_t at,
                              int id_size, darc_err *err)
{
    enum { LENGTHS = 1 };
    darc_mdf *s = a->state;
    darc_mdf4_block b;
    unsigned char data[32];
    darc_mdf_group g = {.master = -1};
    DARC_NEED(darc_mdf4_block_read(&b, &s->file, at, "CG", err));
    if (b.size < sizeof data)
        return darc_fail_file(err, a->file,
                              "damaged: a channel group of %llu bytes",
                              (unsigned long long)b.size);
    DARC_NEED(darc_bytes_read(&s->file, b.at, data, sizeof data, err));
    DARC_NEED(darc_mdf4_text(g.name, sizeof g.name, &s->file, b.link[2], err));
    *next = b.link[0];
    g.id = darc_bytes_u64(data);
    g.rows = darc_bytes_u64(data + 8);
    g.lengths = (darc_bytes_u16(data + 16) & LENGTHS) != 0;
    g.data = darc_bytes_u32(data + 24) + (size_t)id_size;
    g.record = g.data + darc_bytes_u32(data + 28);
    g.rows = g.lengths ? 0 : g.rows;
    bool empty = g.lengths || (g.rows == 0 && !s->unfinished);
    darc_mdf_add_group(s, g);
    return empty ? DARC_OK : read_channels(a, b.link[1], id_size, err);
}

/* Read the groups of a data group, and where their records are. */
static darc_status read_data_group(darc_arrays *a, const darc_mdf4_block *b,
                                   int id_size, darc_err *err)
{
    darc_mdf *s = a->state;
    darc_mdf4_records r;
    int first = s->groups;
    bool empty = true;
    for (uint64_t at = b->link[1], n = 0; at != 0; n++) {
        if (n > s->file.size / DARC_MDF4_BLOCK)
            return darc_fail_file(err, a->file,
                                  "damaged: the list of groups does not end");
        DARC_NEED(read_group(a, &at, at, id_size, err));
        empty = empty && s->group[s->groups - 1].rows == 0 && !s->unfinished;
    }
    if (empty) {
        s->groups = first;
        return DARC_OK;
    }
    DARC_NEED(
        darc_mdf4_records_init(&r, &s->file, b->link[2], s->unfinished, err));
    return darc_mdf_share(a, first, &r, id_size, err);
}

darc_status darc_mdf4_groups(darc_arrays *a, darc_err *err)
{
    darc_mdf *s = a->state;
    darc_mdf4_block head, b;
    DARC_NEED(darc_mdf4_block_read(&head, &s->file, 64, "HD", err));
    uint64_t at = head.link[0];
    for (int n = 0; at != 0; n++) {
        unsigned char id_size;
        if ((uint64_t)n > s->file.size / DARC_MDF4_BLOCK)
            return darc_fail_file(err, a->file,
                                  "damaged: the list of groups does not end");
        DARC_NEED(darc_mdf4_block_read(&b, &s->file, at, "DG", err));
        DARC_NEED(darc_bytes_read(&s->file, b.at, &id_size, 1, err));
        if (id_size > 8)
            return darc_fail_file(err, a->file,
                                  "damaged: record ids of %d bytes", id_size);
        DARC_NEED(read_data_group(a, &b, id_size, err));
        at = b.link[0];
    }
    return DARC_OK;
}
