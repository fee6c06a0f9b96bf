#include "files/inflated.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

/* Bytes that zlib takes in and gives out at a time. */
enum { IN = 1 << 30, OUT = 1 << 18 };

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
    bool ended;
} flow;

/* Set *w to the begin of d; it is to be ended by inflateEnd. */
static darc_status open_flow(flow *w, const darc_bytes_file *f,
                             const darc_deflated *d, darc_err *err)
{
    *w = (flow){.f = f, .d = d};
    if (d->at > f->size || d->packed > f->size - d->at)
        return damaged(f, 0, d->size, err);
    if (inflateInit2(&w->z, d->raw ? -MAX_WBITS : MAX_WBITS) == Z_OK)
        return DARC_OK;
    return darc_fail(err, DARC_LIMIT, "%s: error: no memory for zlib", f->name);
}

/* Inflate up to n bytes more; *got of them come, fewer at the end alone. */
static darc_status pull(flow *w, unsigned char *to, size_t n, size_t *got,
                        darc_err *err)
{
    w->z.next_out = to;
    w->z.avail_out = (unsigned)n;
    while (w->z.avail_out > 0 && !w->ended) {
        uint64_t left = w->d->packed - w->read;
        if (w->z.avail_in == 0 && left == 0)
            break;
        if (w->z.avail_in == 0) {
            w->z.next_in = (unsigned char *)w->f->bytes + w->d->at + w->read;
            w->z.avail_in = left < IN ? (unsigned)left : IN;
            w->read += w->z.avail_in;
        }
        int code = inflate(&w->z, Z_NO_FLUSH);
        w->ended = code == Z_STREAM_END;
        if (code != Z_OK && !w->ended)
            return damaged(w->f, w->z.total_out, w->d->size, err);
    }
    *got = n - w->z.avail_out;
    return DARC_OK;
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
    flow w;
    DARC_NEED(open_flow(&w, f, d, err));
    darc_status status;
    unsigned char *out = mem != NULL ? mem : darc_malloc(OUT), more;
    size_t most = mem != NULL ? (size_t)d->size : OUT, got = 0;
    for (uint64_t done = 0; done < d->size; done += got) {
        uint64_t left = d->size - done;
        DARC_TRY(pull(&w, out, left < most ? (size_t)left : most, &got, err));
        if (got == 0)
            DARC_TRY(damaged(f, done, d->size, err));
        if (mem == NULL)
            DARC_TRY(
                darc_scratch_write(&s->scratch, out, got, s->end + done, err));
    }
    DARC_TRY(pull(&w, &more, 1, &got, err));
    if (got > 0 || !w.ended)
        status = damaged(f, d->size, d->size, err);
done:
    inflateEnd(&w.z);
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
    if (at > i->size || n > i->size - at)
        return darc_fail(err, DARC_DATA,
                         "%s: error: damaged or cut off: a value lies behind "
                         "the end of its block",
                         s->file->name);
    if (i->mem == NULL)
        return darc_scratch_read(&s->scratch, to, (size_t)n, i->at + at, err);
    memcpy(to, i->mem + at, (size_t)n);
    return DARC_OK;
}

darc_status darc_inflate_front(unsigned char *to, size_t n, size_t *got,
                               const darc_bytes_file *f, const darc_deflated *d,
                               darc_err *err)
{
    flow w;
    DARC_NEED(open_flow(&w, f, d, err));
    darc_status status = pull(&w, to, n, got, err);
    inflateEnd(&w.z);
    return status;
}
