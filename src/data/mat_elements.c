#include "data/mat_elements.h"

#include "base/mem.h"

#include <string.h>
#include <zlib.h>

enum { TAG = 8 };

darc_status darc_mat_damaged(const darc_mat_bytes *s, const char *what,
                             darc_err *err)
{
    return darc_fail(err, DARC_DATA, "%s: error: damaged or cut off: %s",
                     s->file.name, what);
}

/* ---- bytes -----------------------------------------------------------------
 */

/* Inflate up to n bytes of the variable; *got of them come. */
darc_status darc_mat_inflate_some(unsigned char *to, size_t n, size_t *got,
                                  const darc_mat_bytes *s,
                                  const darc_mat_variable *v, darc_err *err)
{
    unsigned char in[16384];
    z_stream z;
    darc_status status = DARC_OK;
    int code = Z_OK;
    memset(&z, 0, sizeof z);
    if (inflateInit(&z) != Z_OK)
        return darc_fail(err, DARC_INTERNAL, "zlib: no memory");
    z.next_out = to;
    z.avail_out = (unsigned)n;
    for (uint64_t done = 0; done < v->packed && z.avail_out > 0 && code == Z_OK;
         done += sizeof in) {
        size_t k = v->packed - done < sizeof in ? (size_t)(v->packed - done)
                                                : sizeof in;
        DARC_TRY(darc_bytes_read(&s->file, v->at + done, in, k, err));
        z.next_in = in;
        z.avail_in = (unsigned)k;
        code = inflate(&z, Z_NO_FLUSH);
    }
    if (code != Z_OK && code != Z_STREAM_END)
        status = darc_mat_damaged(s, "a compressed variable cannot be inflated",
                                  err);
    *got = n - z.avail_out;
done:
    inflateEnd(&z);
    return status;
}

static darc_status inflate_all(darc_mat_bytes *s, darc_mat_variable *v,
                               darc_err *err)
{
    darc_status status;
    if (v->packed == 0 || v->mem != NULL)
        return DARC_OK;
    unsigned char *packed = darc_malloc((size_t)v->packed);
    DARC_TRY(darc_bytes_read(&s->file, v->at, packed, (size_t)v->packed, err));
    status = darc_bytes_inflate(&v->mem, (size_t)v->size, packed,
                                (size_t)v->packed, false, s->file.name, err);
done:
    darc_free(packed);
    return status;
}

darc_status darc_mat_get(void *to, uint64_t n, darc_mat_bytes *s,
                         darc_mat_variable *v, uint64_t at, darc_err *err)
{
    if (at > v->size || n > v->size - at)
        return darc_mat_damaged(
            s, "a value lies behind the end of its variable", err);
    if (v->packed == 0)
        return darc_bytes_read(&s->file, v->at + at, to, (size_t)n, err);
    darc_status status = inflate_all(s, v, err);
    if (status == DARC_OK)
        memcpy(to, v->mem + at, (size_t)n);
    return status;
}

uint32_t darc_mat_u32(const darc_mat_bytes *s, const unsigned char *p)
{
    uint32_t x = darc_bytes_u32(p);
    return s->big ? x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24
                  : x;
}

/* Take the tag apart; small elements have their data inside the tag. */
void darc_mat_tag(darc_mat_element *e, const darc_mat_bytes *s,
                  const unsigned char tag[8], uint64_t at)
{
    uint32_t first = darc_mat_u32(s, tag);
    bool small = first >> 16 != 0;
    e->type = (int)(small ? first & 0xffff : first & 0x7fffffff);
    e->bytes = small ? first >> 16 : darc_mat_u32(s, tag + 4);
    e->data = at + (small ? 4 : TAG);
    e->next = small ? at + TAG : at + TAG + (e->bytes + 7) / 8 * 8;
}

darc_status darc_mat_element_get(darc_mat_element *e, darc_mat_bytes *s,
                                 darc_mat_variable *v, uint64_t at,
                                 uint64_t end, darc_err *err)
{
    unsigned char tag[TAG];
    if (at > end || end - at < TAG)
        return darc_mat_damaged(
            s, "an element lies behind the end of its variable", err);
    darc_status status = darc_mat_get(tag, TAG, s, v, at, err);
    if (status != DARC_OK)
        return status;
    darc_mat_tag(e, s, tag, at);
    if (e->data > end || e->bytes > end - e->data)
        return darc_mat_damaged(s, "an element is larger than what holds it",
                                err);
    if (e->next > end)
        e->next = end; /* the last one may lack its padding */
    return DARC_OK;
}

bool darc_mat_number(darc_bytes_number *number, int type, bool big)
{
    static const struct {
        darc_bytes_kind kind;
        int bits;
    } types[] = {
        [1] = {DARC_BYTES_SIGNED, 8},   [2] = {DARC_BYTES_UNSIGNED, 8},
        [3] = {DARC_BYTES_SIGNED, 16},  [4] = {DARC_BYTES_UNSIGNED, 16},
        [5] = {DARC_BYTES_SIGNED, 32},  [6] = {DARC_BYTES_UNSIGNED, 32},
        [7] = {DARC_BYTES_FLOAT, 32},   [9] = {DARC_BYTES_FLOAT, 64},
        [12] = {DARC_BYTES_SIGNED, 64}, [13] = {DARC_BYTES_UNSIGNED, 64}};
    if (type < 1 || type > 13 || types[type].bits == 0)
        return false;
    *number = (darc_bytes_number){types[type].kind, big, types[type].bits, 0};
    return true;
}
