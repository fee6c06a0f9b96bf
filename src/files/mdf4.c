/* mdf4.c - MDF4 files (ASAM MDF 4.x), as vehicle recorders write them: sorted
 * groups of numeric channels with linear or rational conversions.
 *
 * Each channel group has a master channel, time, which becomes "t".  Groups
 * differ in rate; with a rate all are interpolated to it, linearly, over the
 * time that they share.
 */
#include "files/arrays.h"

#include "base/mem.h"
#include "files/mdf4_blocks.h"
#include "files/thresholds.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { EQUAL, LINEAR, RATIONAL } conversion;

typedef struct {
    char name[128], unit[64];
    int group;
    bool master, virtual; /* virtual: the number of the record */
    darc_bytes_number number;
    uint32_t offset; /* in the record */
    long invalid;    /* bit that says the value is none, -1: no such bit */
    conversion conversion;
    double p[6];
    double *all;   /* every value, for interpolation; NULL until read; owned */
    uint64_t next; /* channel in the file; 0: none */
    const char *why; /* it is no signal; NULL: it is one */
} channel;

typedef struct {
    char name[128];
    darc_mdf4_records records;
    uint64_t rows;
    size_t record; /* bytes */
    size_t data;   /* of them data and the record's id */
    int master;    /* channel, -1: none */
} group;

typedef struct {
    darc_bytes_file file;
    int groups, channels;
    group *group;     /* owned */
    channel *channel; /* owned */
    double rate;      /* > 0: interpolate */
    double begin;     /* of the time that all groups share, s */
} mdf4_state;

static void close_mdf4(darc_arrays *a)
{
    mdf4_state *s = a->state;
    for (int g = 0; g < s->groups; g++)
        darc_mdf4_records_clear(&s->group[g].records);
    for (int c = 0; c < s->channels; c++)
        darc_free(s->channel[c].all);
    DARC_FREE(s->group, s->channel, s);
    a->state = NULL;
}

/* Set the conversion of a CC block; *known is false for one that is not read.
 */
static darc_status read_conversion(channel *c, bool *known,
                                   const darc_bytes_file *f, uint64_t at,
                                   darc_err *err)
{
    darc_mdf4_block b;
    unsigned char data[24 + 8 * 6];
    *known = true;
    c->conversion = EQUAL;
    if (at == 0)
        return DARC_OK;
    DARC_NEED(darc_mdf4_block_read(&b, f, at, "CC", err));
    size_t n = b.size < sizeof data ? (size_t)b.size : sizeof data;
    memset(data, 0, sizeof data);
    DARC_NEED(darc_bytes_read(f, b.at, data, n, err));
    if (c->unit[0] == '\0')
        DARC_NEED(darc_mdf4_text(c->unit, sizeof c->unit, f, b.link[1], err));
    int values = data[0] == 1 ? 2 : data[0] == 2 ? 6 : 0;
    *known = data[0] == 0 || (values > 0 && n >= 24 + 8 * (size_t)values);
    c->conversion = data[0] == 1 ? LINEAR : data[0] == 2 ? RATIONAL : EQUAL;
    darc_bytes_number number = {.kind = DARC_BYTES_FLOAT, .bits = 64};
    for (int i = 0; i < values; i++)
        c->p[i] = darc_bytes_get(data + 24 + 8 * i, &number);
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

/* Names like "speed\XCP:1" carry the device behind a backslash. */
static void tidy_name(char *name)
{
    name[strcspn(name, "\\")] = '\0';
    for (char *s = name; *s != '\0'; s++)
        if (*s == '.' || isspace((unsigned char)*s))
            *s = '_';
}

static darc_status read_channel(channel *c, const mdf4_state *s, const group *g,
                                uint64_t at, darc_err *err)
{
    darc_mdf4_block b;
    unsigned char data[24];
    bool known;
    *c = (channel){.invalid = -1};
    DARC_NEED(darc_mdf4_block_read(&b, &s->file, at, "CN", err));
    c->next = b.link[0];
    if (b.size < sizeof data)
        return darc_fail_file(err, s->file.name,
                              "damaged: a channel of %llu bytes",
                              (unsigned long long)b.size);
    DARC_NEED(darc_bytes_read(&s->file, b.at, data, sizeof data, err));
    DARC_NEED(
        darc_mdf4_text(c->name, sizeof c->name, &s->file, b.link[2], err));
    DARC_NEED(
        darc_mdf4_text(c->unit, sizeof c->unit, &s->file, b.link[6], err));
    tidy_name(c->name);
    c->master = (data[0] == 2 || data[0] == 3) && data[1] <= 1;
    c->virtual = data[0] == 3 || data[0] == 6;
    c->offset = darc_bytes_u32(data + 4);
    uint32_t flags = darc_bytes_u32(data + 12);
    if ((flags & 2) != 0)
        c->invalid = (long)darc_bytes_u32(data + 16);
    DARC_NEED(read_conversion(c, &known, &s->file, b.link[4], err));
    bool number = c->virtual || read_type(&c->number, data);
    if (data[0] == 1 || data[0] == 5)
        c->why = "of variable length";
    else if (b.link[1] != 0)
        c->why = "a structure or an array";
    else if (!number)
        c->why = "text or bytes, no number";
    else if (!known)
        c->why = "converted by a table or a formula (linear and rational "
                 "conversions are read)";
    else if ((flags & 1) != 0)
        c->why = "invalid throughout";
    else if (!c->virtual &&
             (c->offset > g->data ||
              darc_bytes_width(&c->number) > g->data - c->offset))
        c->why = "damaged: it lies outside its record";
    else if (c->invalid >= 0 && (size_t)c->invalid / 8 >= g->record - g->data)
        c->why = "damaged: its invalidation bit lies outside its record";
    return DARC_OK;
}

static darc_status read_channels(darc_arrays *a, group *g, uint64_t at,
                                 darc_err *err)
{
    mdf4_state *s = a->state;
    g->master = -1;
    for (int n = 0; at != 0; n++) {
        channel c;
        if ((uint64_t)n > s->file.size / DARC_MDF4_BLOCK)
            return darc_fail_file(err, a->file,
                                  "damaged: the list of channels does not end");
        DARC_NEED(read_channel(&c, s, g, at, err));
        at = c.next;
        if (c.why != NULL) {
            darc_arrays_leave(a, c.name, c.why);
            continue;
        }
        c.group = s->groups;
        DARC_ROOM(s->channel, s->channels);
        if (c.master && g->master < 0)
            g->master = s->channels;
        s->channel[s->channels++] = c;
    }
    return DARC_OK;
}

/* Read the only channel group of a data group. */
static darc_status read_group(darc_arrays *a, uint64_t at, uint64_t records,
                              int id_size, darc_err *err)
{
    mdf4_state *s = a->state;
    darc_mdf4_block b;
    unsigned char data[32];
    group g = {.master = -1};
    DARC_NEED(darc_mdf4_block_read(&b, &s->file, at, "CG", err));
    if (b.size < sizeof data)
        return darc_fail_file(err, a->file,
                              "damaged: a channel group of %llu bytes",
                              (unsigned long long)b.size);
    DARC_NEED(darc_bytes_read(&s->file, b.at, data, sizeof data, err));
    DARC_NEED(darc_mdf4_text(g.name, sizeof g.name, &s->file, b.link[2], err));
    tidy_name(g.name);
    if (g.name[0] == '\0')
        snprintf(g.name, sizeof g.name, "group%d", s->groups + 1);
    g.rows = darc_bytes_u64(data + 8);
    g.data = darc_bytes_u32(data + 24) + (size_t)id_size;
    g.record = g.data + darc_bytes_u32(data + 28);
    if (g.rows == 0 || (darc_bytes_u16(data + 16) & 1) != 0)
        return DARC_OK;
    if (b.link[0] != 0) {
        darc_arrays_leave(a, g.name,
                          "in a data group of several channel groups, which is "
                          "not sorted: sort the file first");
        return DARC_OK;
    }
    DARC_NEED(darc_mdf4_records_init(&g.records, &s->file, records, err));
    if (g.record == 0 || g.rows > g.records.length / g.record ||
        g.rows > DARC_MDF4_ROWS) {
        uint64_t length = g.records.length;
        darc_mdf4_records_clear(&g.records);
        return darc_fail_file(err, a->file,
                              "the file is cut off: group '%s' has %llu "
                              "records of %zu bytes in %llu bytes",
                              g.name, (unsigned long long)g.rows, g.record,
                              (unsigned long long)length);
    }
    DARC_ROOM(s->group, s->groups);
    s->group[s->groups] = g;
    darc_status status = read_channels(a, &g, b.link[1], err);
    for (int c = 0; c < s->channels; c++)
        if (s->channel[c].group == s->groups && !s->channel[c].virtual)
            s->channel[c].offset += (uint32_t)id_size;
    s->group[s->groups++].master = g.master;
    return status;
}

static darc_status read_groups(darc_arrays *a, darc_err *err)
{
    mdf4_state *s = a->state;
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
        if (b.link[1] != 0)
            DARC_NEED(read_group(a, b.link[1], b.link[2], id_size, err));
        at = b.link[0];
    }
    return DARC_OK;
}

/* The value in the record r with that number. */
static double value_in_record(const channel *c, const group *g,
                              const unsigned char *r, uint64_t number)
{
    const double *p = c->p;
    if (c->invalid >= 0 &&
        (r[g->data + (size_t)c->invalid / 8] >> (c->invalid % 8) & 1) != 0)
        return NAN;
    double x = c->virtual ? (double)number
                          : darc_bytes_get(r + c->offset, &c->number);
    if (c->conversion == LINEAR)
        return p[0] + p[1] * x;
    if (c->conversion == RATIONAL)
        return ((p[0] * x + p[1]) * x + p[2]) / ((p[3] * x + p[4]) * x + p[5]);
    return x;
}

static darc_status read_values(mdf4_state *s, int index, uint64_t begin,
                               size_t n, double *out, darc_err *err)
{
    enum { BYTES = 1 << 20 };
    const channel *c = &s->channel[index];
    group *g = &s->group[c->group];
    size_t most = BYTES / g->record;
    most = most < 1 ? 1 : most;
    unsigned char *bytes = darc_malloc(most * g->record);
    darc_status status = DARC_OK;
    for (size_t done = 0; done < n && status == DARC_OK;) {
        size_t k = n - done < most ? n - done : most;
        status = darc_mdf4_records_read(&g->records, &s->file,
                                        (begin + done) * g->record, bytes,
                                        k * g->record, err);
        for (size_t i = 0; i < k && status == DARC_OK; i++)
            out[done + i] =
                value_in_record(c, g, bytes + i * g->record, begin + done + i);
        done += k;
    }
    darc_free(bytes);
    return status;
}

static darc_status load_all(mdf4_state *s, int index, darc_err *err)
{
    channel *c = &s->channel[index];
    if (c->all != NULL)
        return DARC_OK;
    size_t rows = (size_t)s->group[c->group].rows;
    c->all = darc_calloc(rows, sizeof *c->all);
    darc_status status = read_values(s, index, 0, rows, c->all, err);
    if (status != DARC_OK) {
        darc_free(c->all);
        c->all = NULL;
    }
    return status;
}

/* Interpolate between the records around t; i is where the search begins. */
static double between(const double *time, const double *x, uint64_t rows,
                      double t, uint64_t *i)
{
    while (*i + 2 < rows && time[*i + 1] <= t)
        ++*i;
    double step = time[*i + 1] - time[*i];
    double share = step > 0 ? (t - time[*i]) / step : 0;
    /* The clock's rounding may put t behind the last record. */
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return share == 0   ? x[*i]
           : share == 1 ? x[*i + 1]
                        : x[*i] + share * (x[*i + 1] - x[*i]);
}

static darc_status interpolate_channel(mdf4_state *s, int index, size_t begin,
                                       size_t n, double *out, darc_err *err)
{
    const group *g = &s->group[s->channel[index].group];
    DARC_NEED(load_all(s, index, err));
    DARC_NEED(load_all(s, g->master, err));
    const double *time = s->channel[g->master].all;
    uint64_t low = 0, high = g->rows - 1;
    double t = s->begin + (double)begin / s->rate;
    while (high - low > 1) { /* the last record not behind t */
        uint64_t middle = low + (high - low) / 2;
        if (time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = between(time, s->channel[index].all, g->rows,
                         s->begin + (double)(begin + i) / s->rate, &low);
    return DARC_OK;
}

static darc_status read_mdf4(darc_arrays *a, const darc_array *from,
                             size_t begin, size_t n, double *out, darc_err *err)
{
    mdf4_state *s = a->state;
    return s->rate > 0
               ? interpolate_channel(s, from->handle, begin, n, out, err)
               : read_values(s, from->handle, begin, n, out, err);
}

/* Set begin and *rows to the time that all groups with a master share. */
static darc_status share_time(mdf4_state *s, size_t *rows, darc_err *err)
{
    double end = HUGE_VAL;
    s->begin = -HUGE_VAL;
    for (int g = 0; g < s->groups; g++) {
        const group *one = &s->group[g];
        double first, last;
        if (one->master < 0 || one->rows < 2)
            continue;
        DARC_NEED(read_values(s, one->master, 0, 1, &first, err));
        DARC_NEED(read_values(s, one->master, one->rows - 1, 1, &last, err));
        s->begin = fmax(s->begin, first);
        end = fmin(end, last);
    }
    double n = floor((end - s->begin) * s->rate * (1 + 1e-12)) + 1;
    if (!(n >= 2 && n <= DARC_MDF4_ROWS))
        return darc_fail_file(err, s->file.name,
                              "the channel groups share less than two samples "
                              "at %g Hz, or too many",
                              s->rate);
    *rows = (size_t)n;
    return DARC_OK;
}

/* Channels of a group stand one behind the other. */
static int groups_with_signals(const mdf4_state *s)
{
    int n = 0, last = -1;
    for (int c = 0; c < s->channels; c++)
        if (!s->channel[c].master && s->channel[c].group != last) {
            last = s->channel[c].group;
            n++;
        }
    return n;
}

static void list_channels(darc_arrays *a, bool qualified, size_t rows)
{
    mdf4_state *s = a->state;
    for (int i = 0; i < s->channels; i++) {
        const channel *c = &s->channel[i];
        const group *g = &s->group[c->group];
        char path[300];
        bool first = g->master == i;
        if (s->rate > 0 && (g->master < 0 || g->rows < 2 || first))
            continue;
        snprintf(path, sizeof path, "%s%s%s", qualified ? g->name : "",
                 qualified ? "." : "", first ? "t" : c->name);
        darc_arrays_append(a, path, c->unit,
                           s->rate > 0 ? rows : (size_t)g->rows, 1, i);
    }
}

darc_status darc_mdf4_list(darc_arrays *a, darc_err *err)
{
    mdf4_state *s = darc_calloc(1, sizeof *s);
    unsigned char id[64];
    size_t rows = 0;
    a->separator = '.';
    a->read = read_mdf4;
    a->close = close_mdf4;
    a->state = s;
    s->file = a->bytes;
    DARC_NEED(darc_bytes_read(&s->file, 0, id, sizeof id, err));
    if (memcmp(id, "UnFinMF", 7) == 0)
        return darc_fail_file(
            err, a->file,
            "the recording was not finished; finalise the file first");
    if (memcmp(id, "MDF     ", 8) != 0 || darc_bytes_u16(id + 28) < 400)
        return darc_fail_file(err, a->file, "this is no MDF file of version 4");
    DARC_NEED(read_groups(a, err));
    int groups = groups_with_signals(s);
    if (groups > 1 && a->rate > 0) {
        s->rate = a->rate;
        DARC_NEED(share_time(s, &rows, err));
    }
    list_channels(a, groups > 1 && s->rate == 0, rows);
    return DARC_OK;
}
