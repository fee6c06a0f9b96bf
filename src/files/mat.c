/* mat.c - MATLAB files of version 5 (and 7, which compresses its variables);
 * those of version 7.3 are HDF5.
 *
 * A file is a sequence of elements: a tag (type and bytes), then data.  A
 * matrix is an element of elements: flags, dimensions, name, values; a struct
 * holds matrices for its fields.  Sizes are checked against what holds them
 * before they are used.
 */
#include "files/mat.h"

#include "base/mem.h"
#include "files/bytes.h"
#include "files/mat_elements.h"
#include "files/thresholds.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 128, TAG = 8 };

/* Types of elements, classes of matrices, and a flag. */
enum { INT8 = 1, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, PACKED = 15 };
enum { CELL = 1, STRUCT = 2, OBJECT = 3, CHAR = 4, SPARSE = 5 };
enum { FIRST_NUMBER = 6, LAST_NUMBER = 15, OPAQUE = 17 };
enum { COMPLEX = 8 };

typedef struct {
    int variable;
    uint64_t data; /* of the values */
    size_t width;  /* bytes of one */
    bool wide;     /* more columns than rows in the file */
    darc_bytes_number number;
} matrix;

typedef struct {
    darc_mat_bytes bytes;
    int variables, matrices, parts;
    size_t variable_alloc, matrix_alloc;
    darc_mat_variable *variable; /* the last is the one that is listed; owned */
    matrix *matrix;              /* by handle; owned */
} mat_state;

static void close_mat(darc_arrays *a)
{
    mat_state *s = a->state;
    for (int i = 0; i < s->variables; i++)
        darc_mat_variable_clear(&s->variable[i]);
    darc_inflater_clear(&s->bytes.inflater);
    darc_free(s->variable);
    darc_free(s->matrix);
    darc_free(s);
    a->state = NULL;
}

/* ---- matrices ----------------------------------------------------------- */

static const char *what_it_is(int class, bool is_complex)
{
    switch (class) {
    case OBJECT:
    case OPAQUE:
        return "a table, timetable, string or other object, which MATLAB keeps "
               "in a form of its own (in MATLAB: S = table2struct(T, "
               "'ToScalar', true); save('run.mat', '-struct', 'S'))";
    case CELL:
        return "a cell array (save its vectors as variables)";
    case CHAR:
        return "text";
    case SPARSE:
        return "sparse (save full(X))";
    default:
        return is_complex ? "complex (save real and imaginary parts)"
                          : "of no class that holds signals";
    }
}

/* The beginning of a matrix. */
typedef struct {
    int class;
    bool is_complex;
    uint64_t rows, columns; /* 0 where there are more than two dimensions */
    uint64_t elements;
    char name[256];
    darc_mat_stretch body; /* what follows the name */
} head;

static darc_status read_dims(head *h, mat_state *s, const darc_mat_element *e,
                             darc_err *err)
{
    unsigned char p[4 * 32];
    uint64_t n = e->bytes / 4, dim[32] = {0};
    if (e->type != INT32 || n < 1 || n > 32)
        return darc_mat_damaged(&s->bytes, "a variable has no dimensions", err);
    darc_status status =
        darc_mat_get(p, 4 * n, &s->bytes, h->body.variable, e->data, err);
    h->elements = 1;
    for (uint64_t i = 0; i < n && status == DARC_OK; i++) {
        dim[i] = darc_mat_u32(&s->bytes, p + 4 * i);
        if (dim[i] > INT32_MAX ||
            (dim[i] > 0 && h->elements > (UINT64_C(1) << 48) / dim[i]))
            return darc_mat_damaged(
                &s->bytes, "a variable has impossible dimensions", err);
        h->elements *= dim[i];
    }
    h->rows = n == 2 ? dim[0] : 0;
    h->columns = n == 2 ? dim[1] : 0;
    return status;
}

/* Read the head of the matrix that the stretch is. */
static darc_status read_head(head *h, mat_state *s, const darc_mat_stretch *x,
                             darc_err *err)
{
    darc_mat_element e;
    darc_mat_variable *v = x->variable;
    unsigned char flags[8];
    *h = (head){.body = *x};
    DARC_NEED(darc_mat_next(&e, &s->bytes, &h->body, err));
    if (e.type != UINT32 || e.bytes != sizeof flags)
        return darc_mat_damaged(&s->bytes, "a variable has no flags", err);
    DARC_NEED(darc_mat_get(flags, sizeof flags, &s->bytes, v, e.data, err));
    uint32_t word = darc_mat_u32(&s->bytes, flags);
    h->class = (int)(word & 0xff);
    h->is_complex = (word >> 8 & COMPLEX) != 0;
    if (h->class == OPAQUE)
        return DARC_OK; /* dimensions and name stand elsewhere */
    DARC_NEED(darc_mat_next(&e, &s->bytes, &h->body, err));
    DARC_NEED(read_dims(h, s, &e, err));
    DARC_NEED(darc_mat_next(&e, &s->bytes, &h->body, err));
    if (e.type != INT8)
        return darc_mat_damaged(&s->bytes, "a variable has no name", err);
    size_t n =
        e.bytes < sizeof h->name - 1 ? (size_t)e.bytes : sizeof h->name - 1;
    return darc_mat_get(h->name, n, &s->bytes, v, e.data, err);
}

static darc_status list_matrix(darc_arrays *a, const darc_mat_stretch *x,
                               const char *path, int depth, darc_err *err);

static darc_status list_numbers(darc_arrays *a, head *h, const char *path,
                                darc_err *err)
{
    mat_state *s = a->state;
    darc_mat_element e;
    matrix m = {.variable = s->variables - 1};
    DARC_NEED(darc_mat_next(&e, &s->bytes, &h->body, err));
    if (!darc_mat_number(&m.number, e.type, s->bytes.big))
        return darc_mat_damaged(&s->bytes, "values of a strange type", err);
    m.data = e.data;
    m.width = (size_t)m.number.bits / 8;
    m.wide = h->columns > h->rows;
    if (e.bytes / m.width < h->elements)
        return darc_mat_damaged(
            &s->bytes, "a variable has less values than its dimensions say",
            err);
    s->matrix = darc_grow(s->matrix, (size_t)s->matrices, &s->matrix_alloc,
                          sizeof *s->matrix);
    s->matrix[s->matrices] = m;
    darc_arrays_append(a, path, "", (size_t)h->rows, (size_t)h->columns,
                       s->matrices++);
    return DARC_OK;
}

/* The names of a struct's fields, `length` bytes each. */
typedef struct {
    uint64_t length, count;
    char *text; /* owned */
} field_names;

static darc_status read_names(field_names *f, mat_state *s, darc_mat_stretch *x,
                              darc_err *err)
{
    darc_mat_element e;
    unsigned char p[4];
    *f = (field_names){0};
    DARC_NEED(darc_mat_next(&e, &s->bytes, x, err));
    if (e.type != INT32 || e.bytes != 4)
        return darc_mat_damaged(&s->bytes, "a struct has no names", err);
    DARC_NEED(darc_mat_get(p, 4, &s->bytes, x->variable, e.data, err));
    f->length = darc_mat_u32(&s->bytes, p);
    DARC_NEED(darc_mat_next(&e, &s->bytes, x, err));
    f->count = f->length > 0 ? e.bytes / f->length : 0;
    if (f->length == 0 || f->length > DARC_MAT_FIELD_NAME ||
        f->count > DARC_MOST_PARTS)
        return darc_mat_damaged(&s->bytes, "a struct has impossible names",
                                err);
    size_t n = (size_t)(f->count * f->length);
    f->text = darc_calloc(n + 1, 1);
    return darc_mat_get(f->text, n, &s->bytes, x->variable, e.data, err);
}

/* Struct: length of a field's name, the names, then the fields' matrices, of
 * the first element, then of the second. */
static darc_status list_struct(darc_arrays *a, head *h, const char *path,
                               int depth, darc_err *err)
{
    mat_state *s = a->state;
    darc_mat_element e;
    field_names f;
    darc_status status;
    DARC_TRY(read_names(&f, s, &h->body, err));
    for (uint64_t k = 0; k < f.count * h->elements; k++) {
        char below[600], name[200];
        DARC_TRY(darc_mat_next(&e, &s->bytes, &h->body, err));
        if (e.type != MATRIX || s->parts++ > DARC_MOST_PARTS)
            DARC_TRY(darc_mat_damaged(&s->bytes, "a struct has a strange field",
                                      err));
        int n = f.length < sizeof name ? (int)f.length : (int)sizeof name - 1;
        snprintf(name, sizeof name, "%.*s", n, f.text + k % f.count * f.length);
        if (h->elements > 1)
            snprintf(below, sizeof below, "%.300s(%llu).%.200s", path,
                     (unsigned long long)(k / f.count + 1), name);
        else
            snprintf(below, sizeof below, "%.300s.%.200s", path, name);
        darc_mat_stretch field = {h->body.variable, e.data, e.data + e.bytes};
        if (e.bytes > 0)
            DARC_TRY(list_matrix(a, &field, below, depth + 1, err));
    }
done:
    darc_free(f.text);
    return status;
}

/* List the matrix that the stretch is; path NULL: by its name. */
static darc_status list_matrix(darc_arrays *a, const darc_mat_stretch *x,
                               const char *path, int depth, darc_err *err)
{
    head h;
    DARC_NEED(read_head(&h, a->state, x, err));
    path = path != NULL ? path : h.name;
    bool number = h.class >= FIRST_NUMBER && h.class <= LAST_NUMBER;
    if (h.class == STRUCT && depth < DARC_MAT_DEEPEST)
        return list_struct(a, &h, path, depth, err);
    if (!number || h.is_complex)
        darc_arrays_leave(a, path[0] != '\0' ? path : "a variable",
                          what_it_is(h.class, h.is_complex));
    else if (h.rows > 0 && h.columns > 0)
        return list_numbers(a, &h, path, err);
    return DARC_OK;
}

/* ---- the file ----------------------------------------------------------- */

/* Set the size of a compressed variable from the tag inside it. */
static darc_status measure(mat_state *s, darc_mat_variable *v, darc_err *err)
{
    darc_mat_element e;
    DARC_NEED(darc_mat_open_front(&s->bytes, v, err));
    if (v->front_bytes < TAG)
        return darc_mat_damaged(&s->bytes, "a compressed variable is empty",
                                err);
    darc_mat_tag(&e, &s->bytes, v->front, 0);
    v->size = e.data + e.bytes;
    return e.type == MATRIX
               ? DARC_OK
               : darc_mat_damaged(&s->bytes, "a compressed variable is none",
                                  err);
}

static darc_status list_variable(darc_arrays *a, const darc_mat_element *e,
                                 darc_err *err)
{
    mat_state *s = a->state;
    darc_mat_element inner;
    s->variable = darc_grow(s->variable, (size_t)s->variables,
                            &s->variable_alloc, sizeof *s->variable);
    darc_mat_variable *v = &s->variable[s->variables++];
    *v = (darc_mat_variable){.at = e->data, .size = e->bytes};
    darc_status status = DARC_OK;
    if (e->type == PACKED) {
        v->packed = e->bytes;
        status = measure(s, v, err);
    }
    darc_mat_stretch x = {v, 0, v->size};
    if (status == DARC_OK && e->type == PACKED) {
        status = darc_mat_next(&inner, &s->bytes, &x, err);
        x.at = inner.data;
        x.end = inner.data + inner.bytes;
    }
    return status == DARC_OK ? list_matrix(a, &x, NULL, 0, err) : status;
}

static darc_status list_file(darc_arrays *a, darc_err *err)
{
    mat_state *s = a->state;
    for (uint64_t at = HEADER; at < s->bytes.file.size;) {
        unsigned char tag[TAG];
        darc_mat_element e;
        DARC_NEED(darc_bytes_read(&s->bytes.file, at, tag, TAG, err));
        darc_mat_tag(&e, &s->bytes, tag, at);
        if (e.bytes > s->bytes.file.size - e.data)
            return darc_mat_damaged(&s->bytes,
                                    "a variable is larger than the file", err);
        if (e.type == MATRIX || e.type == PACKED)
            DARC_NEED(list_variable(a, &e, err));
        at = e.type == PACKED ? e.data + e.bytes : e.next;
    }
    return DARC_OK;
}

static darc_status read_mat(darc_arrays *a, const darc_array *from,
                            size_t begin, size_t n, double *out, darc_err *err)
{
    mat_state *s = a->state;
    const matrix *m = &s->matrix[from->handle];
    darc_mat_variable *v = &s->variable[m->variable];
    size_t runs = m->wide ? 1 : from->columns;
    size_t length = m->wide ? n * from->columns : n;
    bool plain = m->number.kind == DARC_BYTES_FLOAT && m->number.bits == 64 &&
                 !s->bytes.big && !m->wide;
    unsigned char *bytes = plain ? NULL : darc_malloc(length * m->width);
    darc_status status = DARC_OK;
    for (size_t k = 0; k < runs && status == DARC_OK; k++) {
        size_t first = m->wide ? begin * from->columns : k * from->rows + begin;
        status = darc_mat_get(plain ? (unsigned char *)(out + k * n) : bytes,
                              (uint64_t)length * m->width, &s->bytes, v,
                              m->data + (uint64_t)first * m->width, err);
        for (size_t i = 0; i < length && status == DARC_OK && !plain; i++) {
            double x = darc_bytes_get(bytes + i * m->width, &m->number);
            if (m->wide)
                out[i % from->columns * n + i / from->columns] = x;
            else
                out[k * n + i] = x;
        }
    }
    darc_free(bytes);
    return status;
}

static darc_status check_header(mat_state *s, darc_err *err)
{
    unsigned char h[HEADER];
    if (s->bytes.file.size < HEADER)
        return darc_fail(err, DARC_DATA,
                         "%s: error: this is no MATLAB file of version 5, 7 or "
                         "7.3, or it is cut off",
                         s->bytes.file.name);
    DARC_NEED(darc_bytes_read(&s->bytes.file, 0, h, HEADER, err));
    s->bytes.big = memcmp(h + 126, "MI", 2) == 0;
    int version = s->bytes.big ? h[124] : h[125];
    if ((!s->bytes.big && memcmp(h + 126, "IM", 2) != 0) || version != 1)
        return darc_fail(
            err, DARC_DATA,
            "%s: error: this is no MATLAB file of version 5, 7 or "
            "7.3 (of version 4? in MATLAB: save('run.mat', '-v7'))",
            s->bytes.file.name);
    return DARC_OK;
}

darc_status darc_mat_list(darc_arrays *a, darc_err *err)
{
    mat_state *s = darc_calloc(1, sizeof *s);
    a->separator = '.';
    a->read = read_mat;
    a->close = close_mat;
    a->state = s;
    s->bytes.inflater.file = &s->bytes.file;
    s->bytes.file = a->bytes;
    DARC_NEED(check_header(s, err));
    return list_file(a, err);
}
