/* npy.c - NumPy files: NPY, versions 1 to 3, and NPZ, zip archives of them,
 * stored or deflated. */
#include "base/mem.h"
#include "formats/store.h"
#include "formats/thresholds.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char name[128]; /* of the field, "" for a plain array */
    darc_bytes_number number;
    size_t offset; /* in the item */
} field;

static const char *skip_space(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/* Return what follows 'key':, NULL if it is not there. */
static const char *value_behind(const char *head, const char *key)
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

/* A record array becomes one array a field. */
static void add_fields(darc_arrays *a, const char *path, const field *f,
                       int count, size_t rows, darc_items l)
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
        darc_store_add(a, name, rows, 1, l);
        kept = true;
    }
    if (!kept)
        darc_arrays_leave(a, path, "without numbers");
}

/* Add the array whose head is a text and whose items follow; l has its place.
 * An array of another kind is left out. */
static void add_by_head(darc_arrays *a, const char *path, const char *head,
                        darc_items l, uint64_t room)
{
    char type[64];
    size_t shape[2];
    int count = 1;
    field *f = darc_calloc(DARC_NPY_FIELDS, sizeof *f);
    const char *descr = value_behind(head, "descr");
    const char *order = value_behind(head, "fortran_order");
    const char *size = value_behind(head, "shape");
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
    l.number = f[0].number;
    if (why != NULL)
        darc_arrays_leave(a, path, why);
    else if (plain) /* an array without a name has the columns of "c" */
        darc_store_add(a, path[0] != '\0' ? path : "c", shape[0], shape[1], l);
    else
        add_fields(a, path, f, count, shape[0], l);
    darc_free(f);
}

/* Return the length of the head that begins with these bytes, 0 if it is none;
 * *text gets where its text begins. */
static size_t head_length(const unsigned char p[12], size_t *text)
{
    if (memcmp(p, "\x93NUMPY", 6) != 0 || p[6] < 1 || p[6] > 3)
        return 0;
    *text = p[6] == 1 ? 10 : 12;
    size_t length = p[6] == 1 ? darc_bytes_u16(p + 8) : darc_bytes_u32(p + 8);
    return length > DARC_NPY_HEAD ? 0 : *text + length;
}

/* List the array that the stretch holds: the file, with path "", or a member of
 * an archive. */
static darc_status list_array(darc_arrays *a, const char *path, darc_stretch x,
                              darc_err *err)
{
    darc_store *s = a->state;
    unsigned char begin[12] = {0};
    bool file = path[0] == '\0';
    size_t text = 0, length = 0;
    int k = darc_store_append(s, x);
    if (file || x.size >= sizeof begin) {
        DARC_NEED(darc_store_get(begin, sizeof begin, s, k, 0, err));
        length = head_length(begin, &text);
    }
    if (length == 0 && file)
        return darc_fail_file(err, a->file,
                              "this is no NPY file of versions 1 to 3");
    if (length == 0 || (!file && length > x.size)) {
        darc_arrays_leave(a, path, "no array of NumPy");
        return DARC_OK;
    }
    char *head = darc_calloc(length + 1, 1);
    darc_status status = darc_store_get(head, length, s, k, 0, err);
    if (status == DARC_OK)
        add_by_head(a, path, head + text,
                    (darc_items){.stretch = k, .at = length}, x.size - length);
    darc_free(head);
    return status;
}

darc_status darc_npy_list(darc_arrays *a, darc_err *err)
{
    darc_store_open(a);
    return list_array(a, "", (darc_stretch){.size = a->bytes.size}, err);
}

static darc_status take_member(void *user, const char *name, size_t n,
                               const darc_stretch *bytes, darc_err *err)
{
    n = strnlen(name, n);
    if (n < 5 || memcmp(name + n - 4, ".npy", 4) != 0)
        return DARC_OK;
    char *path = darc_strndup(name, n - 4);
    darc_status status = list_array(user, path, *bytes, err);
    darc_free(path);
    return status;
}

darc_status darc_npz_list(darc_arrays *a, darc_err *err)
{
    darc_store_open(a);
    return darc_zip_list(&a->bytes, take_member, a, err);
}
