/* npy.c - NumPy files: NPY, versions 1 to 3, and NPZ, zip archives of them,
 * stored or deflated. */
#include "files/npy.h"

#include "base/mem.h"
#include "files/bytes.h"
#include "files/inflated.h"
#include "files/thresholds.h"
#include "files/zip.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char name[128]; /* of the field, "" for a plain array */
    darc_bytes_number number;
    size_t offset; /* in the item */
} field;

/* Where an array's items lie. */
typedef struct {
    uint64_t at;          /* of the first item in the file or the member */
    int member;           /* deflated member that holds it; -1: none */
    size_t item;          /* bytes */
    size_t rows, columns; /* of the file */
    bool fortran;
    darc_bytes_number number;
    size_t offset;
    bool across; /* rows of the file are columns of the recording */
} layout;

/* A member of an archive, inflated once it is wanted. */
typedef struct {
    darc_deflated from;
    darc_inflated to;
} member;

typedef struct {
    darc_bytes_file file;
    int count;
    layout *array; /* of a handle; owned */
    int members;
    size_t member_alloc;
    member *member; /* owned */
    darc_inflater inflater;
} npy_state;

static void close_npy(darc_arrays *a)
{
    npy_state *s = a->state;
    for (int i = 0; i < s->members; i++)
        darc_inflated_clear(&s->member[i].to);
    darc_inflater_clear(&s->inflater);
    darc_free(s->member);
    darc_free(s->array);
    darc_free(s);
    a->state = NULL;
}

/* ---- the head: a Python dictionary ------------------------------------- */

static const char *skip_space(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/* Return what follows 'key':, NULL if it is not there. */
static const char *value_of(const char *head, const char *key)
{
    char quoted[32];
    for (int i = 0; i < 2; i++) {
        snprintf(quoted, sizeof quoted, i == 0 ? "'%s'" : "\"%s\"", key);
        for (const char *s = head; (s = strstr(s, quoted)) != NULL;) {
            s = skip_space(s + strlen(quoted));
            if (*s == ':') /* else a field of that name */
                return skip_space(s + 1);
        }
    }
    return NULL;
}

/* Read a string in quotes; return what follows it, NULL if there is none. */
static const char *read_string(char *to, size_t size, const char *s)
{
    char quote = *s;
    if (quote != '\'' && quote != '"')
        return NULL;
    size_t n = strcspn(s + 1, quote == '\'' ? "'" : "\"");
    if (s[1 + n] == '\0' || n >= size)
        return NULL;
    memcpy(to, s + 1, n);
    to[n] = '\0';
    return skip_space(s + 2 + n);
}

/* Return the seconds of "[25us]", 0 if it is no such text. */
static double read_tick(const char *s)
{
    static const struct {
        const char *unit;
        double seconds;
    } known[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
                 {"m", 60},    {"h", 3600},  {"D", 86400}};
    char *unit;
    double count = isdigit((unsigned char)s[1]) ? strtod(s + 1, &unit)
                                                : (unit = (char *)s + 1, 1);
    size_t n = strcspn(unit, "]");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (s[0] == '[' && n == strlen(known[k].unit) &&
            memcmp(unit, known[k].unit, n) == 0)
            return count * known[k].seconds;
    return 0;
}

/* type -> [<>|=] (f2|f4|f8|i1|i2|i4|i8|u1|u2|u4|u8|b1|M8 tick|m8 tick) */
static bool read_type(darc_bytes_number *number, size_t *width, const char *s)
{
    char order = *s;
    if (order == '<' || order == '>' || order == '|' || order == '=')
        s++;
    char kind = *s;
    char *end;
    long n = strtol(s + 1, &end, 10);
    bool ticks = kind == 'M' || kind == 'm';
    if ((*end != '\0' && !ticks) || n < 1 || n > 64)
        return false;
    *width = (size_t)n * (kind == 'U' ? 4 : 1);
    *number = (darc_bytes_number){.kind = kind == 'f' ? DARC_BYTES_FLOAT
                                          : kind == 'i' || ticks
                                              ? DARC_BYTES_SIGNED
                                              : DARC_BYTES_UNSIGNED,
                                  .big = order == '>',
                                  .tick = ticks ? read_tick(end) : 0,
                                  .dated = kind == 'M',
                                  .bits = 8 * (int)n};
    if (kind == 'f')
        return n == 2 || n == 4 || n == 8;
    if (ticks)
        return n == 8 && number->tick > 0;
    return (kind == 'i' || kind == 'u' || kind == 'b') &&
           (n == 1 || n == 2 || n == 4 || n == 8);
}

/* fields -> '[' { '(' name ',' type ')' [','] } ']'; fields of other types
 * than numbers keep their place and get no name. */
static bool read_fields(field *f, int *count, size_t *item, const char *s)
{
    for (*count = 0, *item = 0, s = skip_space(s + 1); *s == '(';) {
        char type[32];
        size_t width = 0;
        if (*count == DARC_NPY_FIELDS)
            return false;
        field *one = &f[*count];
        s = read_string(one->name, sizeof one->name, skip_space(s + 1));
        if (s == NULL || *s != ',')
            return false;
        s = read_string(type, sizeof type, skip_space(s + 1));
        if (s == NULL || *s != ')')
            return false; /* a field that is an array */
        if (!read_type(&one->number, &width, type))
            one->name[0] = '\0';
        if (width == 0)
            return false;
        one->offset = *item;
        *item += width;
        ++*count;
        s = skip_space(s + 1);
        if (*s == ',')
            s = skip_space(s + 1);
    }
    return *s == ']' && *count > 0;
}

/* shape -> '(' [n] { ',' n } [','] ')'; one or two numbers above 0. */
static bool read_shape(size_t shape[2], const char *s)
{
    int n = 0;
    shape[0] = shape[1] = 1;
    if (*s != '(')
        return false;
    for (s = skip_space(s + 1); isdigit((unsigned char)*s);) {
        char *end;
        unsigned long long x = strtoull(s, &end, 10);
        if (n == 2 || x == 0 || x > UINT64_C(1) << 40)
            return false;
        shape[n++] = (size_t)x;
        s = skip_space(end);
        if (*s == ',')
            s = skip_space(s + 1);
    }
    return *s == ')' && n > 0 && shape[0] <= (UINT64_C(1) << 44) / shape[1];
}

/* ---- arrays ------------------------------------------------------------- */

static void add_array(darc_arrays *a, const char *path, layout l)
{
    npy_state *s = a->state;
    s->array = darc_realloc(s->array, (size_t)s->count + 1, sizeof *s->array);
    l.across = l.columns > l.rows;
    s->array[s->count] = l;
    darc_arrays_append(a, path, l.number.tick > 0 ? "s" : "", l.rows, l.columns,
                       s->count++);
}

/* A record array becomes one array a field. */
static void add_fields(darc_arrays *a, const char *path, const field *f,
                       int count, layout l)
{
    bool kept = false;
    for (int i = 0; i < count; i++) {
        char name[300];
        if (f[i].name[0] == '\0')
            continue;
        snprintf(name, sizeof name, "%.160s%s%.120s", path,
                 path[0] != '\0' ? "." : "", f[i].name);
        l.number = f[i].number;
        l.offset = f[i].offset;
        add_array(a, name, l);
        kept = true;
    }
    if (!kept)
        darc_arrays_leave(a, path, "without numbers");
}

/* Add the array whose head is a text and whose items follow; l has its place.
 * An array of another kind is left out. */
static void add_by_head(darc_arrays *a, const char *path, const char *head,
                        layout l, uint64_t room)
{
    char type[64];
    size_t shape[2];
    int count = 1;
    field *f = darc_calloc(DARC_NPY_FIELDS, sizeof *f);
    const char *descr = value_of(head, "descr");
    const char *order = value_of(head, "fortran_order");
    const char *size = value_of(head, "shape");
    const char *why = NULL;
    bool plain = descr != NULL && read_string(type, sizeof type, descr) != NULL;
    l.fortran = order != NULL && strncmp(order, "True", 4) == 0;
    if (descr == NULL || order == NULL || size == NULL)
        why = "without a head that can be read";
    else if (plain ? !read_type(&f[0].number, &l.item, type)
                   : *descr != '[' || !read_fields(f, &count, &l.item, descr))
        why = "of a type that is no real number (text, complex, object, or "
              "fields that are arrays)";
    else if (!read_shape(shape, size))
        why = "not a vector or a matrix";
    else if (!plain && shape[1] > 1)
        why = "a matrix of records";
    else if (shape[0] * shape[1] > room / l.item)
        why = "cut off: its head says more than there is";
    if (why == NULL) {
        l.rows = shape[0];
        l.columns = shape[1];
        l.number = f[0].number;
        if (plain) /* an array without a name has the columns of "c" */
            add_array(a, path[0] != '\0' ? path : "c", l);
        else
            add_fields(a, path, f, count, l);
    } else {
        darc_arrays_leave(a, path, why);
    }
    darc_free(f);
}

/* Return the length of the head in n bytes that begin with the magic, 0 if
 * they do not; *text gets where its text begins. */
static size_t head_length(const unsigned char *p, size_t n, size_t *text)
{
    if (n < 12 || memcmp(p, "\x93NUMPY", 6) != 0 || p[6] < 1 || p[6] > 3)
        return 0;
    *text = p[6] == 1 ? 10 : 12;
    size_t length = p[6] == 1 ? darc_bytes_u16(p + 8) : darc_bytes_u32(p + 8);
    return length > DARC_NPY_HEAD ? 0 : *text + length;
}

static darc_status list_plain(darc_arrays *a, darc_err *err)
{
    darc_status status;
    npy_state *s = a->state;
    unsigned char begin[12];
    char *head = NULL;
    size_t text;
    DARC_TRY(darc_bytes_read(&s->file, 0, begin, sizeof begin, err));
    size_t length = head_length(begin, sizeof begin, &text);
    if (length == 0)
        return darc_fail(err, DARC_DATA,
                         "%s: error: this is no NPY file of versions 1 to 3",
                         a->file);
    head = darc_calloc(length + 1, 1);
    DARC_TRY(darc_bytes_read(&s->file, 0, head, length, err));
    add_by_head(a, "", head + text, (layout){.at = length, .member = -1},
                s->file.size - length);
done:
    darc_free(head);
    return status;
}

/* ---- values ------------------------------------------------------------- */

/* Set *bytes to n items of the array. */
static darc_status items(unsigned char **bytes, npy_state *s, const layout *l,
                         size_t first, size_t n, darc_err *err)
{
    darc_status status;
    uint64_t at = l->at + first * l->item;
    member *m = l->member >= 0 ? &s->member[l->member] : NULL;
    *bytes = darc_malloc(n * l->item);
    if (m == NULL) {
        status = darc_bytes_read(&s->file, at, *bytes, n * l->item, err);
        goto done;
    }
    DARC_TRY(darc_inflate(&m->to, &s->inflater, &m->from, err));
    status =
        darc_inflated_get(*bytes, n * l->item, &m->to, &s->inflater, at, err);
done:
    if (status != DARC_OK) {
        darc_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/* Count points in time from the first one. */
static darc_status set_origin(npy_state *s, layout *l, darc_err *err)
{
    unsigned char *bytes;
    DARC_NEED(items(&bytes, s, l, 0, 1, err));
    if (!isnan(darc_bytes_get(bytes + l->offset, &l->number)))
        l->number.origin = darc_bytes_bits(bytes + l->offset, &l->number);
    l->number.dated = false;
    darc_free(bytes);
    return DARC_OK;
}

static darc_status read_npy(darc_arrays *a, const darc_array *from,
                            size_t begin, size_t n, double *out, darc_err *err)
{
    npy_state *s = a->state;
    layout *l = &s->array[from->handle];
    /* Items of one row stand together unless they lie along time. */
    bool together = l->across == l->fortran;
    size_t runs = together ? 1 : from->columns;
    size_t length = together ? n * from->columns : n;
    if (l->number.dated) {
        DARC_NEED(set_origin(s, l, err));
    }
    for (size_t k = 0; k < runs; k++) {
        unsigned char *bytes;
        size_t first =
            together ? begin * from->columns : k * from->rows + begin;
        DARC_NEED(items(&bytes, s, l, first, length, err));
        for (size_t i = 0; i < length; i++) {
            double x =
                darc_bytes_get(bytes + i * l->item + l->offset, &l->number);
            if (together)
                out[i % from->columns * n + i / from->columns] = x;
            else
                out[k * n + i] = x;
        }
        darc_free(bytes);
    }
    return DARC_OK;
}

static void open_npy(darc_arrays *a)
{
    npy_state *s = darc_calloc(1, sizeof *s);
    a->separator = '.';
    a->read = read_npy;
    a->close = close_npy;
    a->state = s;
    s->file = a->bytes;
    s->inflater.file = &s->file;
}

darc_status darc_npy_list(darc_arrays *a, darc_err *err)
{
    open_npy(a);
    return list_plain(a, err);
}

/* Read the first n bytes of a member, fewer where it has no more. */
static darc_status read_front(unsigned char *to, size_t n, const npy_state *s,
                              const darc_zip_member *m, darc_err *err)
{
    darc_deflated d = {m->at, m->packed, m->size, true};
    size_t got;
    if (m->deflated)
        return darc_inflate_front(to, n, &got, &s->file, &d, err);
    n = n < m->size ? n : (size_t)m->size;
    return darc_bytes_read(&s->file, m->at, to, n, err);
}

static darc_status list_member(darc_arrays *a, const darc_zip_member *m,
                               darc_err *err)
{
    npy_state *s = a->state;
    size_t n = strlen(m->name), text;
    if (n < 5 || strcmp(m->name + n - 4, ".npy") != 0)
        return DARC_OK;
    char *path = darc_strndup(m->name, n - 4);
    unsigned char begin[12] = {0}, *head = NULL;
    darc_status status;
    DARC_TRY(read_front(begin, sizeof begin, s, m, err));
    size_t length = head_length(begin, sizeof begin, &text);
    if (length == 0 || length > m->size) {
        darc_arrays_leave(a, path, "no array of NumPy");
        goto done;
    }
    head = darc_calloc(length + 1, 1);
    DARC_TRY(read_front(head, length, s, m, err));
    layout l = {.at = m->at + length, .member = -1};
    if (m->deflated) {
        s->member = darc_grow(s->member, (size_t)s->members, &s->member_alloc,
                              sizeof *s->member);
        s->member[s->members] =
            (member){.from = {m->at, m->packed, m->size, true}};
        l = (layout){.at = length, .member = s->members++};
    }
    add_by_head(a, path, (char *)head + text, l, m->size - length);
done:
    darc_free(head);
    darc_free(path);
    return status;
}

darc_status darc_npz_list(darc_arrays *a, darc_err *err)
{
    darc_status status;
    darc_zip zip = {0};
    open_npy(a);
    npy_state *s = a->state;
    DARC_TRY(darc_zip_list(&zip, &s->file, err));
    for (int i = 0; i < zip.count; i++)
        DARC_TRY(list_member(a, &zip.member[i], err));
done:
    darc_zip_clear(&zip);
    return status;
}
