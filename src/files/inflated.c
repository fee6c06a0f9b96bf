#include "files/inflated.h"

#include "base/mem.h"

#include <string.h>
#include <zlib.h>

/* Bytes that are held in memory at most; taken in and given out at a time. */
enum { HELD = 32 << 20, IN = 1 << 16, OUT = 1 << 18 };

/* No input expands by more than this: more is a lie of the head. */
enum { MOST_EXPANSION = 1040 };

void darc_inflater_clear(darc_inflater *s)
{
    if (s->open)
        darc_scratch_close(&s->scratch);
    *s = (darc_inflater){0};
}

void darc_inflated_clear(darc_inflated *i)
{
    darc_free(i->mem);
    *i = (darc_inflated){0};
}

static darc_status damaged(const darc_bytes_file *f, uint64_t got,
                           uint64_t size, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: error: damaged or cut off: a compressed block is "
                     "damaged (%llu of %llu bytes)",
                     f->name, (unsigned long long)got,
                     (unsigned long long)size);
}

/* A stretch on its way. */
typedef struct {
    z_stream z;
    const darc_bytes_file *f;
    const darc_deflated *d;
    uint64_t read; /* compressed bytes */
    unsigned char in[IN];
    bool ended;
} flow;

static darc_status open_flow(flow *w, const darc_bytes_file *f,
                             const darc_deflated *d, darc_err *err)
{
    memset(&w->z, 0, sizeof w->z);
    w->f = f;
    w->d = d;
    w->read = 0;
    w->ended = false;
    return inflateInit2(&w->z, d->raw ? -MAX_WBITS : MAX_WBITS) == Z_OK
               ? DARC_OK
               : darc_fail(err, DARC_INTERNAL, "zlib: no memory");
}

/* Inflate up to n bytes more; *got of them come, fewer at the end alone. */
static darc_status pull(flow *w, unsigned char *to, size_t n, size_t *got,
                        darc_err *err)
{
    darc_status status = DARC_OK;
    w->z.next_out = to;
    w->z.avail_out = (unsigned)n;
    while (w->z.avail_out > 0 && !w->ended) {
        uint64_t left = w->d->packed - w->read;
        if (w->z.avail_in == 0 && left == 0)
            break;
        if (w->z.avail_in == 0) {
            size_t k = left < sizeof w->in ? (size_t)left : sizeof w->in;
            DARC_TRY(darc_bytes_read(w->f, w->d->at + w->read, w->in, k, err));
            w->read += k;
            w->z.next_in = w->in;
            w->z.avail_in = (unsigned)k;
        }
        int code = inflate(&w->z, Z_NO_FLUSH);
        w->ended = code == Z_STREAM_END;
        if (code != Z_OK && !w->ended)
            return damaged(w->f, w->z.total_out, w->d->size, err);
    }
done:
    *got = n - w->z.avail_out;
    return status;
}

/* Inflate all of the flow, to the end of the temporary file or to i->mem. */
static darc_status pull_all(flow *w, darc_inflated *i, darc_inflater *s,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    size_t most = i->mem != NULL ? (size_t)i->size : OUT, got = 0;
    unsigned char *out = i->mem != NULL ? i->mem : darc_malloc(OUT), more;
    for (uint64_t done = 0; done < i->size; done += got) {
        uint64_t left = i->size - done;
        DARC_TRY(pull(w, out, left < most ? (size_t)left : most, &got, err));
        if (got == 0)
            status = damaged(w->f, done, i->size, err);
        else if (i->mem == NULL)
            status =
                darc_scratch_write(&s->scratch, out, got, i->at + done, err);
        if (status != DARC_OK)
            goto done;
    }
    DARC_TRY(pull(w, &more, 1, &got, err));
    if (got > 0 || !w->ended)
        status = damaged(w->f, i->size, i->size, err);
done:
    if (i->mem == NULL)
        darc_free(out);
    return status;
}

/* Decide where i goes. */
static darc_status make_room(darc_inflated *i, darc_inflater *s, darc_err *err)
{
    uint64_t most = s->most > 0 ? s->most : HELD;
    if (i->size <= most - s->held) {
        i->mem = darc_malloc((size_t)i->size);
        s->held += i->size;
        return DARC_OK;
    }
    if (!s->open) {
        darc_status status = darc_scratch_open(&s->scratch, err);
        if (status != DARC_OK)
            return status;
        s->open = true;
    }
    i->at = s->end;
    s->end += i->size;
    return DARC_OK;
}

darc_status darc_inflate(darc_inflated *i, darc_inflater *s,
                         const darc_bytes_file *f, const darc_deflated *d,
                         darc_err *err)
{
    darc_status status;
    flow *w;
    if (i->ready)
        return DARC_OK;
    if (d->size / MOST_EXPANSION > d->packed || d->size == 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: a compressed block says it holds %llu "
                         "bytes, which its size of %llu rules out",
                         f->name, (unsigned long long)d->size,
                         (unsigned long long)d->packed);
    i->size = d->size;
    w = darc_malloc(sizeof *w);
    status = open_flow(w, f, d, err);
    if (status == DARC_OK) {
        status = make_room(i, s, err);
        if (status == DARC_OK)
            status = pull_all(w, i, s, err);
        inflateEnd(&w->z);
    }
    darc_free(w);
    i->ready = status == DARC_OK;
    if (status != DARC_OK)
        darc_inflated_clear(i);
    return status;
}

darc_status darc_inflated_get(void *to, uint64_t n, const darc_inflated *i,
                              const darc_inflater *s, uint64_t at,
                              const char *name, darc_err *err)
{
    darc_bytes_file file = {s->scratch.fd, name, s->end};
    if (at > i->size || n > i->size - at)
        return darc_fail(err, DARC_DATA,
                         "%s: error: damaged or cut off: a value lies behind "
                         "the end of its block",
                         name);
    if (i->mem == NULL)
        return darc_bytes_read(&file, i->at + at, to, (size_t)n, err);
    memcpy(to, i->mem + at, (size_t)n);
    return DARC_OK;
}

darc_status darc_inflate_front(unsigned char *to, size_t n, size_t *got,
                               const darc_bytes_file *f, const darc_deflated *d,
                               darc_err *err)
{
    flow *w = darc_malloc(sizeof *w);
    darc_status status = open_flow(w, f, d, err);
    if (status == DARC_OK) {
        status = pull(w, to, n, got, err);
        inflateEnd(&w->z);
    }
    darc_free(w);
    return status;
}
