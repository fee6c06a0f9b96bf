#include "files/mat_elements.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <string.h>

enum { TAG = 8 };

darc_status darc_mat_damaged(const darc_mat_bytes *s, const char *what,
                             darc_err *err)
{
    return darc_fail(err, DARC_DATA, "%s: error: damaged or cut off: %s",
                     s->file.name, what);
}

/* ---- bytes ------------------------------------------------------------- */

static darc_deflated deflated(const darc_mat_variable *v)
{
    return (darc_deflated){v->at, v->packed, v->size, false};
}

darc_status darc_mat_open_front(const darc_mat_bytes *s, darc_mat_variable *v,
                                darc_err *err)
{
    darc_deflated d = deflated(v);
    v->front = darc_malloc(DARC_MAT_FRONT);
    return darc_inflate_front(v->front, DARC_MAT_FRONT, &v->front_bytes,
                              &s->file, &d, err);
}

void darc_mat_variable_clear(darc_mat_variable *v)
{
    darc_free(v->front);
    darc_inflated_clear(&v->inflated);
    *v = (darc_mat_variable){0};
}

darc_status darc_mat_get(void *to, uint64_t n, darc_mat_bytes *s,
                         darc_mat_variable *v, uint64_t at, darc_err *err)
{
    if (at > v->size || n > v->size - at)
        return darc_mat_damaged(
            s, "a value lies behind the end of its variable", err);
    if (v->packed == 0)
        return darc_bytes_read(&s->file, v->at + at, to, (size_t)n, err);
    if (at + n <= v->front_bytes) {
        memcpy(to, v->front + at, (size_t)n);
        return DARC_OK;
    }
    darc_deflated d = deflated(v);
    DARC_NEED(darc_inflate(&v->inflated, &s->inflater, &d, err));
    return darc_inflated_get(to, n, &v->inflated, &s->inflater, at, err);
}

uint32_t darc_mat_u32(const darc_mat_bytes *s, const unsigned char *p)
{
    uint32_t x = darc_bytes_u32(p);
    return s->big ? x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24
                  : x;
}

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

darc_status darc_mat_next(darc_mat_element *e, darc_mat_bytes *s,
                          darc_mat_stretch *x, darc_err *err)
{
    unsigned char tag[TAG];
    if (x->at > x->end || x->end - x->at < TAG)
        return darc_mat_damaged(
            s, "an element lies behind the end of its variable", err);
    DARC_NEED(darc_mat_get(tag, TAG, s, x->variable, x->at, err));
    darc_mat_tag(e, s, tag, x->at);
    if (e->data > x->end || e->bytes > x->end - e->data)
        return darc_mat_damaged(s, "an element is larger than what holds it",
                                err);
    /* The last one may lack its padding. */
    x->at = e->next < x->end ? e->next : x->end;
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
    *number = (darc_bytes_number){
        .kind = types[type].kind, .big = big, .bits = types[type].bits};
    return true;
}
