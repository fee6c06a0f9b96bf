/* mat4.c - MATLAB files of version 4: matrices one behind the other, a head of
 * 20 bytes each; and what simulators of Modelica keep in such files, or write
 * as text: a matrix of names, one that says where each signal stands, and with
 * which sign, and matrices of values.
 */
#include "base/mem.h"
#include "formats/store.h"
#include "formats/thresholds.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 20, TEXT = 1, SPARSE = 2, NAME = 64 };

typedef struct {
    char name[NAME];
    uint64_t rows, columns;
    bool by_rows; /* else by columns */
    bool text;
    const char *why; /* it is no signal; NULL: it may be one */
    darc_items items;
} matrix;

typedef struct {
    darc_arrays *a;
    darc_store *s;
    int count;
    matrix *m; /* owned */
} matrices;

/* Number of the value among those of the matrix. */
static uint64_t place(const matrix *m, uint64_t row, uint64_t column)
{
    return m->by_rows ? row * m->columns + column : column * m->rows + row;
}

/* The value; 0 outside of the matrix, NAN where it cannot be read. */
static double number_at(matrices *x, const matrix *m, uint64_t row,
                        uint64_t column)
{
    unsigned char p[8];
    const darc_items *l = &m->items;
    if (row >= m->rows || column >= m->columns)
        return 0;
    if (darc_store_get(p, l->item, x->s, l->stretch,
                       l->at + place(m, row, column) * l->item,
                       NULL) != DARC_OK)
        return NAN;
    return darc_bytes_get(p, &l->number);
}

static const matrix *find_matrix(const matrices *x, const char *name)
{
    for (int i = 0; i < x->count; i++)
        if (strcmp(x->m[i].name, name) == 0)
            return &x->m[i];
    return NULL;
}

/* ---- version 4 --------------------------------------------------------- */

/* The layout of type P = 0 .. 5. */
static darc_bytes_number number_of(int type, bool big)
{
    static const int later[] = {9, 7, 5, 3, 4, 2}; /* of version 5 */
    darc_bytes_number number;
    bool is = darc_mat_type(&number, later[type], big);
    assert(is);
    (void)is;
    return number;
}

/* Take the head at p apart: type, rows, columns, imaginary part, characters of
 * the name; false where it can be none. */
static bool read_head(uint32_t word[5], bool *big, const unsigned char *p)
{
    *big = p[0] == 0 && p[1] == 0 && (p[2] != 0 || p[3] != 0);
    for (int i = 0; i < 5; i++) {
        word[i] = darc_bytes_u32(p + 4 * i);
        word[i] = *big ? __builtin_bswap32(word[i]) : word[i];
    }
    uint32_t type = word[0] - (*big ? 1000 : 0);
    return type % 10 <= SPARSE && type / 10 % 10 <= 5 && type < 60 &&
           word[3] <= 1 && word[4] >= 1 && word[4] <= NAME &&
           word[1] <= INT32_MAX && word[2] <= INT32_MAX;
}

static darc_status read_matrix(matrices *x, uint64_t *at, darc_err *err)
{
    unsigned char head[HEAD];
    uint32_t word[5];
    const darc_bytes_file *f = &x->a->bytes;
    matrix m = {.why = NULL};
    bool big;
    DARC_NEED(darc_bytes_read(f, *at, head, HEAD, err));
    if (!read_head(word, &big, head) || x->count >= DARC_MOST_PARTS)
        return darc_fail_file(err, f->name,
                              "damaged: no variable of MATLAB 4 at byte %llu",
                              (unsigned long long)*at);
    uint32_t type = word[0] % 100;
    DARC_NEED(darc_bytes_read(f, *at + HEAD, m.name, word[4], err));
    m.name[word[4] < NAME ? word[4] : NAME - 1] = '\0';
    m.rows = word[1];
    m.columns = word[2];
    m.text = type % 10 == TEXT;
    m.items = (darc_items){.number = number_of((int)(type / 10), big),
                           .at = *at + HEAD + word[4],
                           .fortran = true};
    m.items.item = (size_t)m.items.number.bits / 8;
    m.why = m.text                ? "text"
            : type % 10 == SPARSE ? "sparse (save full(X))"
            : word[3] != 0        ? "complex (save real and imaginary parts)"
                                  : NULL;
    uint64_t values = m.rows * m.columns;
    uint64_t left = f->size - m.items.at;
    if (values > left / m.items.item / (word[3] + 1))
        return darc_fail_file(err, f->name,
                              "the file is cut off: '%s' has %llu x %llu "
                              "values, more than there are bytes",
                              m.name, (unsigned long long)m.rows,
                              (unsigned long long)m.columns);
    *at = m.items.at + values * m.items.item * (word[3] + 1);
    DARC_APPEND(x->m, x->count, m);
    return DARC_OK;
}

/* ---- results of Modelica ----------------------------------------------- */

/* Set text to row (down: column) i of a matrix of text, without blanks behind.
 */
static void text_at(char *text, size_t size, matrices *x, const matrix *m,
                    uint64_t i, bool down)
{
    uint64_t n = m == NULL ? 0 : down ? m->rows : m->columns;
    size_t length = 0;
    for (uint64_t k = 0; k < n && k < size - 1; k++) {
        double c = number_at(x, m, down ? k : i, down ? i : k);
        text[k] = c >= 1 && c < 256 ? (char)(unsigned char)c : ' ';
        length = text[k] != ' ' ? (size_t)k + 1 : length;
    }
    text[length] = '\0';
}

/* "Position [m|mm]": the unit is m. */
static void unit_of(char *unit, size_t size, const char *description)
{
    const char *open = strrchr(description, '[');
    size_t n = open != NULL ? strcspn(open + 1, "|:]") : 0;
    n = n < size ? n : size - 1;
    memcpy(unit, open != NULL ? open + 1 : "", n);
    unit[n] = '\0';
}

/* A result: where its signals stand. */
typedef struct {
    matrices *x;
    bool turned; /* signals and names run along columns (binTrans) */
    const matrix *names, *descriptions, *info;
} result;

/* A signal: row or column `column` of the data, from 0. */
typedef struct {
    const char *name, *unit;
    uint64_t column;
    bool negative, constant;
} signal;

/* Append a signal, one value where it is constant. */
static void append_signal(result *r, const matrix *d, const signal *x)
{
    darc_arrays *a = r->x->a;
    uint64_t n = r->turned ? d->columns : d->rows;
    uint64_t signals = r->turned ? d->rows : d->columns;
    darc_items items = d->items;
    if (x->column >= signals || n == 0) {
        darc_arrays_leave(a, x->name, "damaged: it lies outside its matrix");
        return;
    }
    uint64_t first =
        r->turned ? place(d, x->column, 0) : place(d, 0, x->column);
    uint64_t next = r->turned ? place(d, 0, 1) : place(d, 1, 0);
    items.at += first * items.item;
    items.step = (size_t)(next * items.item);
    items.negative = x->negative;
    items.fortran = true;
    darc_store_add(a, x->name, x->constant ? 1 : (size_t)n, 1, items);
    darc_array *last = a->array + a->count - 1;
    darc_free(last->unit);
    last->unit = darc_text_name(x->unit, strlen(x->unit));
}

/* Append signal v, of which dataInfo tells the number of its matrix, and its
 * signed column there. */
static void append_by_info(result *r, uint64_t v, signal x)
{
    char data[NAME] = "";
    const matrix *i = r->info;
    double block = number_at(r->x, i, r->turned ? 0 : v, r->turned ? v : 0);
    double column = number_at(r->x, i, r->turned ? 1 : v, r->turned ? v : 1);
    bool good = block >= 0 && block <= 99 && fabs(column) >= 1 &&
                fabs(column) <= INT32_MAX;
    if (good)
        snprintf(data, sizeof data, "data_%d", block == 0 ? 2 : (int)block);
    /* A damaged file may hold a matrix without a name. */
    const matrix *d = good ? find_matrix(r->x, data) : NULL;
    if (d == NULL || d->why != NULL) {
        darc_arrays_leave(r->x->a, x.name,
                          "damaged: dataInfo does not say where it stands");
        return;
    }
    x.column = (uint64_t)fabs(column) - 1;
    x.negative = column < 0;
    x.constant = block == 1;
    append_signal(r, d, &x);
}

/* A result has the matrices Aclass, name or names, dataInfo or data. */
static bool is_result(result *r, matrices *x)
{
    char kind[NAME];
    const matrix *class = find_matrix(x, "Aclass"),
                 *names = find_matrix(x, "name");
    if (class == NULL || !class->text)
        return false;
    text_at(kind, sizeof kind, x, class, 3, false);
    *r = (result){.x = x,
                  .turned = class->rows > 3 && strcmp(kind, "binTrans") == 0,
                  .names = names != NULL ? names : find_matrix(x, "names"),
                  .descriptions = find_matrix(x, "description"),
                  .info = find_matrix(x, "dataInfo")};
    return r->names != NULL &&
           (r->info != NULL || find_matrix(x, "data") != NULL);
}

static void list_result(result *r)
{
    const matrix *names = r->names, *all = find_matrix(r->x, "data");
    uint64_t n = r->turned ? names->columns : names->rows;
    if (n >= DARC_MOST_PARTS) {
        darc_arrays_leave(r->x->a, "what comes behind 20000 signals",
                          "too much");
        n = DARC_MOST_PARTS - 1;
    }
    for (uint64_t v = 0; v < n; v++) {
        char name[256], description[512], unit[64];
        text_at(name, sizeof name, r->x, names, v, r->turned);
        text_at(description, sizeof description, r->x, r->descriptions, v,
                r->turned);
        unit_of(unit, sizeof unit, description);
        if (unit[0] == '\0' && strcmp(name + strspn(name, "tT"), "ime") == 0)
            snprintf(unit, sizeof unit, "s");
        signal x = {.name = name, .unit = unit, .column = v};
        if (r->info != NULL)
            append_by_info(r, v, x);
        else
            append_signal(r, all, &x);
    }
}

static void list_matrices(matrices *x)
{
    result r;
    if (is_result(&r, x))
        list_result(&r);
    else
        for (int i = 0; i < x->count; i++) {
            const matrix *m = &x->m[i];
            if (m->why != NULL)
                darc_arrays_leave(x->a, m->name, m->why);
            else if (m->rows > 0 && m->columns > 0)
                darc_store_add(x->a, m->name, (size_t)m->rows,
                               (size_t)m->columns, m->items);
        }
}

bool darc_mat4_is(const darc_bytes_file *f)
{
    uint32_t word[5];
    bool big;
    return f->size > HEAD && read_head(word, &big, f->bytes);
}

darc_status darc_mat4_list(darc_arrays *a, darc_err *err)
{
    matrices x = {.a = a, .s = a->state};
    darc_status status = DARC_OK;
    darc_store_append(x.s, (darc_stretch){.at = 0, .size = a->bytes.size});
    for (uint64_t at = 0; at < a->bytes.size && status == DARC_OK;)
        status = read_matrix(&x, &at, err);
    if (status == DARC_OK)
        list_matrices(&x);
    darc_free(x.m);
    return status;
}

/* ---- results as text --------------------------------------------------- */

/* Text that is read from s on; a line has a number. */
typedef struct {
    const char *s, *end, *file;
    size_t line;
} reading;

/* Return the next line, of *n characters, NULL at the end. */
static const char *take_text_line(reading *t, size_t *n)
{
    const char *s = t->s;
    if (s >= t->end)
        return NULL;
    const char *stop = memchr(s, '\n', (size_t)(t->end - s));
    stop = stop != NULL ? stop : t->end;
    t->s = stop < t->end ? stop + 1 : stop;
    t->line++;
    *n = (size_t)(stop - s);
    *n -= *n > 0 && s[*n - 1] == '\r';
    return s;
}

static darc_status fail_text(const reading *t, const char *what, darc_err *err)
{
    return darc_fail(err, DARC_DATA, "%s:%zu: error: %s", t->file, t->line,
                     what);
}

/* Read m->rows lines of characters. */
static darc_status read_names(unsigned char *to, const matrix *m, reading *t,
                              darc_err *err)
{
    memset(to, ' ', (size_t)(m->rows * m->columns));
    for (uint64_t r = 0; r < m->rows; r++) {
        size_t n = 0;
        const char *s = take_text_line(t, &n);
        if (s == NULL)
            return fail_text(t, "cut off: lines of text are missing", err);
        memcpy(to + r * m->columns, s, n < m->columns ? n : (size_t)m->columns);
    }
    return DARC_OK;
}

/* Read all numbers of m, in any number of lines, with comments behind #. */
static darc_status read_numbers(double *to, const matrix *m, reading *t,
                                darc_err *err)
{
    uint64_t n = m->rows * m->columns, have = 0;
    while (have < n) {
        size_t length = 0;
        const char *line = take_text_line(t, &length);
        if (line == NULL)
            return fail_text(t, "cut off: numbers are missing", err);
        const char *hash = memchr(line, '#', length);
        const char *end = hash != NULL ? hash : line + length;
        while (line < end) {
            if (isspace((unsigned char)*line)) {
                line++;
                continue;
            }
            char *stop; /* not behind the end of the line */
            double value = strtod(line, &stop);
            if (stop == line ||
                (stop < end && !isspace((unsigned char)*stop)) || have == n)
                return fail_text(t,
                                 have == n ? "more numbers than the matrix "
                                             "has"
                                           : "no number",
                                 err);
            to[have++] = value;
            line = stop;
        }
    }
    return DARC_OK;
}

/* "float data(14,3)", and what follows. */
static darc_status read_block(matrices *x, const char *line, size_t n,
                              reading *t, darc_err *err)
{
    char type[16], head[200];
    unsigned long long rows, columns;
    matrix m = {.by_rows = true};
    snprintf(head, sizeof head, "%.*s", (int)(n < 199 ? n : 199), line);
    if (sscanf(head, "%15s %63[^( ] ( %llu , %llu )", type, m.name, &rows,
               &columns) != 4)
        return fail_text(t, "expected a matrix, as in 'float data(14,3)'", err);
    m.text = strcmp(type, "char") == 0;
    size_t item = m.text ? 1 : sizeof(double);
    /* a value takes two bytes at least, but lines of text may be short */
    if (rows > (uint64_t)(t->end - t->s) || columns > INT32_MAX ||
        rows * columns > (uint64_t)(t->end - t->s) * (m.text ? 512 : 1) + 512)
        return fail_text(t, "cut off: the matrix is larger than the file", err);
    m.rows = rows;
    m.columns = columns;
    m.why = m.text ? "text" : NULL;
    m.items.item = item;
    m.items.number = number_of(m.text ? 5 : 0, false);
    unsigned char *mem = darc_calloc((size_t)(rows * columns) + 1, item);
    m.items.stretch = darc_store_hold(x->s, mem, rows * columns * item);
    DARC_APPEND(x->m, x->count, m);
    return m.text ? read_names(mem, &m, t, err)
                  : read_numbers((double *)(void *)mem, &m, t, err);
}

darc_status darc_modelica_list(darc_arrays *a, darc_err *err)
{
    matrices x = {.a = a, .s = darc_store_open(a)};
    reading t = {.s = (const char *)a->bytes.bytes, .file = a->file};
    size_t n = 0;
    darc_status status = DARC_OK;
    t.end = t.s + a->bytes.size;
    if (a->bytes.size == 0 || t.end[-1] != '\n')
        DARC_TRY(
            darc_fail_file(err, a->file, "cut off: the last line has no end"));
    for (const char *line; (line = take_text_line(&t, &n)) != NULL;) {
        while (n > 0 && isspace((unsigned char)*line)) {
            line++;
            n--;
        }
        if (n > 0 && *line != '#')
            DARC_TRY(read_block(&x, line, n, &t, err));
    }
done:
    if (status == DARC_OK)
        list_matrices(&x);
    darc_free(x.m);
    return status;
}
