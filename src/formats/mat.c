/* mat.c - MATLAB files of version 5 (and 7, which compresses its variables);
 * those of version 7.3 are HDF5.
 *
 * A file is a sequence of elements: a tag (type and bytes), then data.  A
 * matrix is an element of elements: flags, dimensions, name, values; a struct
 * holds matrices for its fields.  Sizes are checked against what holds them
 * before they are used.
 */
#include "base/mem.h"
#include "formats/store.h"
#include "formats/thresholds.h"

#include <stdio.h>
#include <string.h>

enum { HEADER = 128, TAG = 8 };

/* Types of elements, classes of matrices, and a flag. */
enum { INT8 = 1, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, PACKED = 15 };
enum { CELL = 1, STRUCT = 2, OBJECT = 3, CHAR = 4, SPARSE = 5 };
enum { FIRST_NUMBER = 6, LAST_NUMBER = 15, OPAQUE = 17 };
enum { COMPLEX = 8 };

/* A file that is listed. */
typedef struct {
    darc_arrays *a;
    darc_store *s;
    bool big;     /* most significant byte first */
    int variable; /* at hand: a stretch of the store */
    int parts;
} mat;

static darc_status damaged(const mat *m, const char *what, darc_err *err)
{
    return darc_fail_file(err, m->a->file, "damaged or cut off: %s", what);
}

/* Where elements of the variable stand, one behind the other. */
typedef struct {
    uint64_t at, end;
} span;

typedef struct {
    int type;
    uint64_t bytes, data, next; /* places in the variable */
} element;

/* Set to[0 .. n-1] to bytes of the variable. */
static darc_status get(void *to, uint64_t n, mat *m, uint64_t at, darc_err *err)
{
    const darc_stretch *v = m->s->stretch + m->variable;
    if (at > v->size || n > v->size - at)
        return damaged(m, "a value lies behind the end of its variable", err);
    return darc_store_get(to, n, m->s, m->variable, at, err);
}

static uint32_t u32(const mat *m, const unsigned char *p)
{
    uint32_t x = darc_bytes_u32(p);
    return m->big ? __builtin_bswap32(x) : x;
}

/* Take apart the tag that stands at `at`; small elements have their data
 * inside it. */
static void read_tag(element *e, const mat *m, const unsigned char tag[TAG],
                     uint64_t at)
{
    uint32_t first = u32(m, tag);
    bool small = first >> 16 != 0;
    e->type = (int)(small ? first & 0xffff : first & 0x7fffffff);
    e->bytes = small ? first >> 16 : u32(m, tag + 4);
    e->data = at + (small ? 4 : TAG);
    e->next = small ? at + TAG : at + TAG + (e->bytes + 7) / 8 * 8;
}

/* Read the element at x->at and step behind it. */
static darc_status next(element *e, mat *m, span *x, darc_err *err)
{
    unsigned char tag[TAG];
    if (x->at > x->end || x->end - x->at < TAG)
        return damaged(m, "an element lies behind the end of its variable",
                       err);
    DARC_NEED(get(tag, TAG, m, x->at, err));
    read_tag(e, m, tag, x->at);
    if (e->data > x->end || e->bytes > x->end - e->data)
        return damaged(m, "an element is larger than what holds it", err);
    /* The last one may lack its padding. */
    x->at = e->next < x->end ? e->next : x->end;
    return DARC_OK;
}

static const char *what_it_is(int class, bool is_complex)
{
    return class == CELL     ? "a cell array (save its vectors as variables)"
           : class == CHAR   ? "text"
           : class == SPARSE ? "sparse (save full(X))"
           : is_complex      ? "complex (save real and imaginary parts)"
                             : "of no class that holds signals";
}

/* The beginning of a matrix. */
typedef struct {
    int class;
    bool is_complex;
    uint64_t rows, columns; /* 0 where there are more than two dimensions */
    uint64_t elements;
    char name[256];
    span body; /* what follows the name */
} head;

static darc_status read_dims(head *h, mat *m, const element *e, darc_err *err)
{
    unsigned char p[4 * 32];
    uint64_t n = e->bytes / 4, dim[32] = {0};
    if (e->type != INT32 || n < 1 || n > 32)
        return damaged(m, "a variable has no dimensions", err);
    DARC_NEED(get(p, 4 * n, m, e->data, err));
    h->elements = 1;
    for (uint64_t i = 0; i < n; i++) {
        dim[i] = u32(m, p + 4 * i);
        if (dim[i] > INT32_MAX ||
            (dim[i] > 0 && h->elements > (UINT64_C(1) << 48) / dim[i]))
            return damaged(m, "a variable has impossible dimensions", err);
        h->elements *= dim[i];
    }
    h->rows = n == 2 ? dim[0] : 0;
    h->columns = n == 2 ? dim[1] : 0;
    return DARC_OK;
}

/* Read an element of text, cut to size. */
static darc_status read_word(char *text, size_t size, mat *m, span *x,
                             darc_err *err)
{
    element e;
    DARC_NEED(next(&e, m, x, err));
    if (e.type != INT8)
        return damaged(m, "a variable has no name", err);
    memset(text, 0, size);
    return get(text, e.bytes < size - 1 ? e.bytes : size - 1, m, e.data, err);
}

/* Read the head of the matrix that x is. */
static darc_status read_head(head *h, mat *m, span x, darc_err *err)
{
    element e;
    unsigned char flags[8];
    *h = (head){.body = x};
    DARC_NEED(next(&e, m, &h->body, err));
    if (e.type != UINT32 || e.bytes != sizeof flags)
        return damaged(m, "a variable has no flags", err);
    DARC_NEED(get(flags, sizeof flags, m, e.data, err));
    uint32_t word = u32(m, flags);
    h->class = (int)(word & 0xff);
    h->is_complex = (word >> 8 & COMPLEX) != 0;
    if (h->class != OPAQUE) { /* which has its dimensions elsewhere */
        DARC_NEED(next(&e, m, &h->body, err));
        DARC_NEED(read_dims(h, m, &e, err));
    }
    return read_word(h->name, sizeof h->name, m, &h->body, err);
}

/* What an object is stands behind its name, an opaque one's behind "MCOS". */
static darc_status leave_object(mat *m, head *h, const char *path,
                                darc_err *err)
{
    char class[128] = "";
    for (int i = h->class == OPAQUE ? 0 : 1; i < 2; i++)
        DARC_NEED(read_word(class, sizeof class, m, &h->body, err));
    darc_arrays_leave_object(m->a, path, class);
    return DARC_OK;
}

static darc_status list_numbers(mat *m, head *h, const char *path,
                                darc_err *err)
{
    element e;
    darc_items x = {.stretch = m->variable, .fortran = true};
    DARC_NEED(next(&e, m, &h->body, err));
    if (!darc_mat_type(&x.number, e.type, m->big))
        return damaged(m, "values of a strange type", err);
    x.at = e.data;
    x.item = (size_t)x.number.bits / 8;
    if (e.bytes / x.item < h->elements)
        return damaged(m, "a variable has less values than its dimensions say",
                       err);
    darc_store_add(m->a, path, (size_t)h->rows, (size_t)h->columns, x);
    return DARC_OK;
}

/* The names of a struct's fields, `length` bytes each. */
typedef struct {
    uint64_t length, count;
    char *text; /* owned */
} field_names;

static darc_status read_names(field_names *f, mat *m, span *x, darc_err *err)
{
    element e;
    unsigned char p[4];
    *f = (field_names){0};
    DARC_NEED(next(&e, m, x, err));
    if (e.type != INT32 || e.bytes != 4)
        return damaged(m, "a struct has no names", err);
    DARC_NEED(get(p, 4, m, e.data, err));
    f->length = u32(m, p);
    DARC_NEED(next(&e, m, x, err));
    f->count = f->length > 0 ? e.bytes / f->length : 0;
    if (f->length == 0 || f->length > DARC_MAT_FIELD_NAME ||
        f->count > DARC_MOST_PARTS)
        return damaged(m, "a struct has impossible names", err);
    size_t n = (size_t)(f->count * f->length);
    f->text = darc_calloc(n + 1, 1);
    return get(f->text, n, m, e.data, err);
}

static darc_status list_matrix(mat *m, span x, const char *path, int depth,
                               darc_err *err);

/* Struct: length of a field's name, the names, then the fields' matrices, of
 * the first element, then of the second. */
static darc_status list_struct(mat *m, head *h, const char *path, int depth,
                               darc_err *err)
{
    element e;
    field_names f;
    darc_status status;
    DARC_TRY(read_names(&f, m, &h->body, err));
    for (uint64_t k = 0; k < f.count * h->elements; k++) {
        char below[600], name[200];
        DARC_TRY(next(&e, m, &h->body, err));
        if (e.type != MATRIX || m->parts++ > DARC_MOST_PARTS)
            DARC_TRY(damaged(m, "a struct has a strange field", err));
        int n = f.length < sizeof name ? (int)f.length : (int)sizeof name - 1;
        snprintf(name, sizeof name, "%.*s", n, f.text + k % f.count * f.length);
        if (h->elements > 1)
            snprintf(below, sizeof below, "%.300s(%llu).%.200s", path,
                     (unsigned long long)(k / f.count + 1), name);
        else
            snprintf(below, sizeof below, "%.300s.%.200s", path, name);
        if (e.bytes > 0)
            DARC_TRY(list_matrix(m, (span){e.data, e.data + e.bytes}, below,
                                 depth + 1, err));
    }
done:
    darc_free(f.text);
    return status;
}

/* List the matrix that x is; path NULL: by its name. */
static darc_status list_matrix(mat *m, span x, const char *path, int depth,
                               darc_err *err)
{
    head h;
    DARC_NEED(read_head(&h, m, x, err));
    path = path != NULL ? path : h.name;
    bool number = h.class >= FIRST_NUMBER && h.class <= LAST_NUMBER;
    if (depth == 0 && path[0] == '\0')
        return DARC_OK; /* where MATLAB keeps its objects */
    if (h.class == OBJECT || h.class == OPAQUE)
        return leave_object(m, &h, path, err);
    if (h.class == STRUCT && depth < DARC_MAT_DEEPEST)
        return list_struct(m, &h, path, depth, err);
    if (!number || h.is_complex)
        darc_arrays_leave(m->a, path, what_it_is(h.class, h.is_complex));
    else if (h.rows > 0 && h.columns > 0)
        return list_numbers(m, &h, path, err);
    return DARC_OK;
}

/* List a variable: a matrix, or an element in a compressed stretch, whose size
 * its tag tells. */
static darc_status list_variable(mat *m, const element *e, darc_err *err)
{
    darc_stretch v = {.at = e->data, .size = e->bytes};
    span x = {0, e->bytes};
    if (e->type == PACKED) {
        v.packed = e->bytes;
        v.size = TAG;
    }
    m->variable = darc_store_append(m->s, v);
    if (e->type == PACKED) {
        element inner;
        unsigned char tag[TAG];
        if (v.packed == 0)
            return damaged(m, "a compressed variable is empty", err);
        DARC_NEED(get(tag, TAG, m, 0, err));
        read_tag(&inner, m, tag, 0);
        if (inner.type != MATRIX)
            return damaged(m, "a compressed variable is none", err);
        x = (span){inner.data, inner.data + inner.bytes};
        m->s->stretch[m->variable].size = x.end;
    }
    return list_matrix(m, x, NULL, 0, err);
}

/* Tell by the last bytes of the header whether it is one. */
static bool has_header(mat *m)
{
    const unsigned char *h = m->a->bytes.bytes;
    if (m->a->bytes.size < HEADER)
        return false;
    m->big = memcmp(h + 126, "MI", 2) == 0;
    return (m->big || memcmp(h + 126, "IM", 2) == 0) &&
           h[m->big ? 124 : 125] == 1;
}

darc_status darc_mat_list(darc_arrays *a, darc_err *err)
{
    mat m = {.a = a, .s = darc_store_open(a)};
    const darc_bytes_file *f = &a->bytes;
    if (!has_header(&m))
        return darc_mat4_is(f) ? darc_mat4_list(a, err)
                               : darc_fail_file(err, a->file,
                                                "this is no MATLAB file, or it "
                                                "is cut off");
    for (uint64_t at = HEADER; at < f->size;) {
        unsigned char tag[TAG];
        element e;
        DARC_NEED(darc_bytes_read(f, at, tag, TAG, err));
        read_tag(&e, &m, tag, at);
        if (e.bytes > f->size - e.data)
            return damaged(&m, "a variable is larger than the file", err);
        if (e.type == MATRIX || e.type == PACKED)
            DARC_NEED(list_variable(&m, &e, err));
        at = e.type == PACKED ? e.data + e.bytes : e.next;
    }
    return DARC_OK;
}
