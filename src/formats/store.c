#include "formats/store.h"

#include "base/mem.h"
#include "formats/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

/* Bytes that zlib takes in and gives out at a time. */
enum { IN = 1 << 30, OUT = 1 << 18 };

static darc_status damaged(const darc_bytes_file *f, uint64_t got,
                           uint64_t size, darc_err *err)
{
    return darc_fail_file(err, f->name,
                          "damaged or cut off: a compressed block is damaged "
                          "(%llu of %llu bytes)",
                          (unsigned long long)got, (unsigned long long)size);
}

/* A stretch on its way. */
typedef struct {
    z_stream z;
    const darc_bytes_file *f;
    const darc_stretch *x;
    uint64_t read; /* compressed bytes */
    bool ended;
} flow;

/* Set *w to the begin of x; it is to be ended by inflateEnd. */
static darc_status open_flow(flow *w, const darc_bytes_file *f,
                             const darc_stretch *x, darc_err *err)
{
    *w = (flow){.f = f, .x = x};
    if (x->at > f->size || x->packed > f->size - x->at)
        return damaged(f, 0, x->size, err);
    if (inflateInit2(&w->z, x->raw ? -MAX_WBITS : MAX_WBITS) == Z_OK)
        return DARC_OK;
    return darc_fail(err, DARC_LIMIT, "%s: error: no memory for zlib", f->name);
}

/* Inflate up to n bytes more; *got of them come, fewer at the end alone, or
 * where it is damaged. */
static darc_status pull(flow *w, unsigned char *to, size_t n, size_t *got,
                        darc_err *err)
{
    w->z.next_out = to;
    w->z.avail_out = (unsigned)n;
    bool good = true;
    while (w->z.avail_out > 0 && !w->ended && good) {
        uint64_t left = w->x->packed - w->read;
        if (w->z.avail_in == 0 && left == 0)
            break;
        if (w->z.avail_in == 0) {
            w->z.next_in = (unsigned char *)w->f->bytes + w->x->at + w->read;
            w->z.avail_in = left < IN ? (unsigned)left : IN;
            w->read += w->z.avail_in;
        }
        int code = inflate(&w->z, Z_NO_FLUSH);
        w->ended = code == Z_STREAM_END;
        good = code == Z_OK || w->ended;
    }
    *got = n - w->z.avail_out;
    return good ? DARC_OK : damaged(w->f, w->z.total_out, w->x->size, err);
}

/* Inflate all of x: to mem, or where that is NULL to the end of the temporary
 * file of s. */
static darc_status pull_all(unsigned char *mem, darc_store *s,
                            const darc_bytes_file *f, const darc_stretch *x,
                            darc_err *err)
{
    assert(mem != NULL || s != NULL);
    if (x->size / DARC_MOST_EXPANSION > x->packed || x->size == 0)
        return darc_fail_file(err, f->name,
                              "a compressed block says it holds %llu bytes, "
                              "which its size of %llu rules out",
                              (unsigned long long)x->size,
                              (unsigned long long)x->packed);
    flow w;
    DARC_NEED(open_flow(&w, f, x, err));
    darc_status status;
    unsigned char *out = mem != NULL ? mem : darc_malloc(OUT), more;
    size_t most = mem != NULL ? (size_t)x->size : OUT, got = 0;
    unsigned long sum = 0;
    for (uint64_t done = 0; done < x->size; done += got) {
        uint64_t left = x->size - done;
        DARC_TRY(pull(&w, out, left < most ? (size_t)left : most, &got, err));
        if (got == 0)
            DARC_TRY(damaged(f, done, x->size, err));
        sum = crc32_z(sum, out, got);
        if (mem == NULL)
            DARC_TRY(
                darc_scratch_write(&s->scratch, out, got, s->end + done, err));
    }
    DARC_TRY(pull(&w, &more, 1, &got, err));
    if (got > 0 || !w.ended || (x->raw && sum != x->sum))
        status = damaged(f, x->size, x->size, err);
done:
    inflateEnd(&w.z);
    if (mem == NULL)
        darc_free(out);
    return status;
}

darc_status darc_inflate(unsigned char *to, const darc_bytes_file *f,
                         const darc_stretch *x, darc_err *err)
{
    return pull_all(to, NULL, f, x, err);
}

darc_status darc_gunzip(darc_text_t out, const darc_bytes_file *f,
                        darc_err *err)
{
    const darc_stretch all = {.packed = f->size};
    char *some = darc_malloc(OUT);
    size_t got;
    flow w = {.f = f, .x = &all};
    bool good = inflateInit2(&w.z, MAX_WBITS + 16) == Z_OK, more = good;
    while (more && out->len <= DARC_SHEET_BYTES) {
        good = pull(&w, (unsigned char *)some, OUT, &got, NULL) == DARC_OK;
        darc_text_write(out, some, got);
        bool again = w.ended && (w.z.avail_in > 0 || w.read < f->size) &&
                     inflateReset(&w.z) == Z_OK; /* another member */
        w.ended = w.ended && !again;
        more = good && !w.ended && (got > 0 || again);
    }
    inflateEnd(&w.z);
    darc_free(some);
    if (good && w.ended && out->len <= DARC_SHEET_BYTES)
        return DARC_OK;
    return darc_fail_file(err, f->name,
                          out->len > DARC_SHEET_BYTES
                              ? "more than 1 GB when unpacked: unpack it first "
                                "(gunzip -k)"
                              : "damaged or cut off: gzip cannot unpack it");
}

/* Inflate the front; what is wrong behind it is told when that is read. */
static void open_front(darc_store *s, darc_stretch *x)
{
    flow w;
    x->front = darc_malloc(DARC_FRONT);
    if (open_flow(&w, &s->file, x, NULL) != DARC_OK)
        return;
    darc_status status = pull(&w, x->front, DARC_FRONT, &x->front_bytes, NULL);
    if (status != DARC_OK || (x->raw && x->front_bytes == x->size &&
                              crc32_z(0, x->front, x->size) != x->sum))
        x->front_bytes = 0;
    inflateEnd(&w.z);
}

static darc_status make_ready(darc_store *s, darc_stretch *x, darc_err *err)
{
    uint64_t most = s->most > 0 ? s->most : DARC_INFLATED_HELD;
    bool fits = x->size > 0 && x->size <= most - s->held;
    if (!fits && !s->open) {
        DARC_NEED(darc_scratch_open(&s->scratch, err));
        s->open = true;
    }
    x->mem = fits ? darc_malloc((size_t)x->size) : NULL;
    x->place = s->end;
    darc_status status = pull_all(x->mem, s, &s->file, x, err);
    if (status != DARC_OK) {
        darc_free(x->mem);
        x->mem = NULL;
        return status;
    }
    *(fits ? &s->held : &s->end) += x->size;
    x->ready = true;
    return DARC_OK;
}

darc_status darc_store_get(void *to, uint64_t n, darc_store *s, int stretch,
                           uint64_t at, darc_err *err)
{
    darc_stretch *x = s->stretch + stretch;
    if (x->packed == 0)
        return darc_bytes_read(&s->file, x->at + at, to, (size_t)n, err);
    if (at > x->size || n > x->size - at)
        return darc_fail_file(
            err, s->file.name,
            "damaged or cut off: a value lies behind the end of its block");
    if (x->front == NULL)
        open_front(s, x);
    bool front = at + n <= x->front_bytes;
    if (!front && !x->ready)
        DARC_NEED(make_ready(s, x, err));
    if (!front && x->mem == NULL)
        return darc_scratch_read(&s->scratch, to, (size_t)n, x->place + at,
                                 err);
    memcpy(to, (front ? x->front : x->mem) + at, (size_t)n);
    return DARC_OK;
}

/* Count points in time from the first one. */
static darc_status set_origin(darc_store *s, darc_items *l, darc_err *err)
{
    unsigned char *bytes = darc_malloc(l->item), *p = bytes + l->offset;
    darc_status status =
        darc_store_get(bytes, l->item, s, l->stretch, l->at, err);
    if (status == DARC_OK && !isnan(darc_bytes_get(p, &l->number)))
        l->number.origin = darc_bytes_bits(p, &l->number);
    l->number.dated = status != DARC_OK;
    darc_free(bytes);
    return status;
}

/* Read a vector whose items do not follow each other, in a stretch that is in
 * memory. */
static darc_status read_steps(darc_store *s, const darc_items *l, size_t begin,
                              size_t n, double *out, darc_err *err)
{
    const darc_stretch *x = s->stretch + l->stretch;
    uint64_t size = x->mem != NULL ? x->size : s->file.size - x->at;
    const unsigned char *p = x->mem != NULL ? x->mem : s->file.bytes + x->at;
    uint64_t at = l->at + begin * (uint64_t)l->step;
    if (at > size || (n - 1) * (uint64_t)l->step + l->item > size - at)
        return damaged(&s->file, 0, l->item, err);
    for (size_t i = 0; i < n; i++)
        out[i] = darc_bytes_get(p + at + i * l->step, &l->number);
    return DARC_OK;
}

static darc_status read_runs(darc_store *s, const darc_array *from,
                             size_t begin, size_t n, double *out, darc_err *err)
{
    const darc_items *l = s->items + from->handle;
    size_t columns = from->columns, runs = l->together ? 1 : columns;
    size_t length = l->together ? n * columns : n;
    bool plain = l->number.kind == DARC_BYTES_FLOAT && l->number.bits == 64 &&
                 !l->number.big && l->item == 8 &&
                 (!l->together || columns == 1);
    unsigned char *bytes = plain ? NULL : darc_malloc(length * l->item);
    darc_status status = DARC_OK;
    for (size_t k = 0; k < runs && status == DARC_OK; k++) {
        size_t first = l->together ? begin * columns : k * from->rows + begin;
        status = darc_store_get(plain ? (void *)(out + k * n) : bytes,
                                (uint64_t)length * l->item, s, l->stretch,
                                l->at + (uint64_t)first * l->item, err);
        for (size_t i = 0; i < length && status == DARC_OK && !plain; i++)
            out[l->together ? i % columns * n + i / columns : k * n + i] =
                darc_bytes_get(bytes + i * l->item + l->offset, &l->number);
    }
    darc_free(bytes);
    return status;
}

/* Hold a member that is not compressed against its sum, once. */
static darc_status check_sum(const darc_store *s, darc_stretch *x,
                             darc_err *err)
{
    if (x->packed > 0 || x->sum == 0 || x->ready)
        return DARC_OK;
    x->ready = crc32_z(0, s->file.bytes + x->at, x->size) == x->sum;
    return x->ready ? DARC_OK : damaged(&s->file, x->size, x->size, err);
}

static darc_status read_items(darc_arrays *a, const darc_array *from,
                              size_t begin, size_t n, double *out,
                              darc_err *err)
{
    darc_store *s = a->state;
    darc_items *l = s->items + from->handle;
    DARC_NEED(check_sum(s, s->stretch + l->stretch, err));
    if (l->number.dated)
        DARC_NEED(set_origin(s, l, err));
    DARC_NEED(l->step != 0 ? read_steps(s, l, begin, n, out, err)
                           : read_runs(s, from, begin, n, out, err));
    for (size_t i = 0; i < n && l->negative; i++)
        out[i] = -out[i];
    return DARC_OK;
}

void darc_store_clear(darc_store *s)
{
    for (int i = 0; i < s->stretches; i++)
        DARC_FREE(s->stretch[i].front, s->stretch[i].mem);
    if (s->open)
        darc_scratch_close(&s->scratch);
    DARC_FREE(s->stretch, s->items);
    *s = (darc_store){0};
}

static void close_store(darc_arrays *a)
{
    darc_store_clear(a->state);
    darc_free(a->state);
    a->state = NULL;
}

darc_store *darc_store_open(darc_arrays *a)
{
    darc_store *s = darc_calloc(1, sizeof *s);
    s->file = a->bytes;
    a->separator = '.';
    a->read = read_items;
    a->close = close_store;
    a->state = s;
    return s;
}

int darc_store_append(darc_store *s, darc_stretch x)
{
    DARC_ROOM(s->stretch, s->stretches);
    s->stretch[s->stretches] = x;
    return s->stretches++;
}

int darc_store_hold(darc_store *s, unsigned char *mem, uint64_t size)
{
    return darc_store_append(s, (darc_stretch){.size = size,
                                               .packed = size + 1,
                                               .front = darc_calloc(1, 1),
                                               .ready = true,
                                               .mem = mem});
}

void darc_store_add(darc_arrays *a, const char *path, size_t rows,
                    size_t columns, darc_items items)
{
    darc_store *s = a->state;
    DARC_ROOM(s->items, s->count);
    items.together = (columns > rows) == items.fortran;
    s->items[s->count] = items;
    darc_arrays_append(a, path, items.number.tick > 0 ? "s" : "", rows, columns,
                       s->count++);
}
