#include "files/inflated.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

/* Bytes that are taken in and given out at a time. */
enum { IN = 1 << 16, OUT = 1 << 18 };

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

/* Return a flow at the begin of d, NULL after a failure. */
static flow *open_flow(const darc_bytes_file *f, const darc_deflated *d,
                       darc_err *err)
{
    flow *w = darc_calloc(1, sizeof *w);
    w->f = f;
    w->d = d;
    if (inflateInit2(&w->z, d->raw ? -MAX_WBITS : MAX_WBITS) == Z_OK)
        return w;
    darc_fail(err, DARC_INTERNAL, "zlib: no memory");
    darc_free(w);
    return NULL;
}

static void close_flow(flow *w)
{
    inflateEnd(&w->z);
    darc_free(w);
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

/* Inflate all of d: to mem, or where that is NULL to the end of the temporary
 * file of s. */
static darc_status pull_all(unsigned char *mem, darc_inflater *s,
                            const darc_bytes_file *f, const darc_deflated *d,
                            darc_err *err)
{
    assert(mem != NULL || s != NULL);
    if (d->size / DARC_MOST_EXPANSION > d->packed || d->size == 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: a compressed block says it holds %llu "
                         "bytes, which its size of %llu rules out",
                         f->name, (unsigned long long)d->size,
                         (unsigned long long)d->packed);
    flow *w = open_flow(f, d, err);
    if (w == NULL)
        return DARC_INTERNAL;
    darc_status status;
    unsigned char *out = mem != NULL ? mem : darc_malloc(OUT), more;
    size_t most = mem != NULL ? (size_t)d->size : OUT, got = 0;
    for (uint64_t done = 0; done < d->size; done += got) {
        uint64_t left = d->size - done;
        DARC_TRY(pull(w, out, left < most ? (size_t)left : most, &got, err));
        if (got == 0)
            DARC_TRY(damaged(f, done, d->size, err));
        if (mem == NULL)
            DARC_TRY(
                darc_scratch_write(&s->scratch, out, got, s->end + done, err));
    }
    DARC_TRY(pull(w, &more, 1, &got, err));
    if (got > 0 || !w->ended)
        status = damaged(f, d->size, d->size, err);
done:
    close_flow(w);
    if (mem == NULL)
        darc_free(out);
    return status;
}

darc_status darc_inflate_whole(unsigned char *to, const darc_bytes_file *f,
                               const darc_deflated *d, darc_err *err)
{
    return pull_all(to, NULL, f, d, err);
}

darc_status darc_inflate(darc_inflated *i, darc_inflater *s,
                         const darc_deflated *d, darc_err *err)
{
    darc_status status = DARC_OK;
    if (i->ready)
        return DARC_OK;
    uint64_t most = s->most > 0 ? s->most : DARC_INFLATED_HELD;
    *i = (darc_inflated){.at = s->end, .size = d->size};
    if (d->size > 0 && d->size <= most - s->held) {
        i->mem = darc_malloc((size_t)d->size);
    } else if (!s->open) {
        DARC_TRY(darc_scratch_open(&s->scratch, err));
        s->open = true;
    }
    DARC_TRY(pull_all(i->mem, s, s->file, d, err));
    if (i->mem != NULL)
        s->held += d->size;
    else
        s->end += d->size;
    i->ready = true;
done:
    if (status != DARC_OK)
        darc_inflated_clear(i);
    return status;
}

darc_status darc_inflated_get(void *to, uint64_t n, const darc_inflated *i,
                              const darc_inflater *s, uint64_t at,
                              darc_err *err)
{
    darc_bytes_file file = {s->scratch.fd, s->file->name, s->end};
    if (at > i->size || n > i->size - at)
        return darc_fail(err, DARC_DATA,
                         "%s: error: damaged or cut off: a value lies behind "
                         "the end of its block",
                         file.name);
    if (i->mem == NULL)
        return darc_bytes_read(&file, i->at + at, to, (size_t)n, err);
    memcpy(to, i->mem + at, (size_t)n);
    return DARC_OK;
}

darc_status darc_inflate_front(unsigned char *to, size_t n, size_t *got,
                               const darc_bytes_file *f, const darc_deflated *d,
                               darc_err *err)
{
    flow *w = open_flow(f, d, err);
    if (w == NULL)
        return DARC_INTERNAL;
    darc_status status = pull(w, to, n, got, err);
    close_flow(w);
    return status;
}
