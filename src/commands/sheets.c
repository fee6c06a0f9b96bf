#include "commands/sheets.h"

#include "base/mem.h"
#include "commands/serial.h"
#include "files/thresholds.h"
#include "formats/store.h"

#include <ctype.h>
#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h> /* crc32_z */

enum { MOST_ROWS = 1 << 20, MOST_COLUMNS = 1 << 14 };

/* A part of the book, and the text of its cells so far. */
typedef struct {
    char *name; /* in the archive, or of the sheet; owned */
    darc_stretch bytes;
    char *target; /* of a sheet: its relation, then the name of its part */
} part;

/* Texts one behind the other. */
typedef struct {
    darc_text_t all;
    int count;
    size_t *at; /* where each begins; owned */
} texts;

typedef struct book {
    darc_arrays *a;
    int parts, sheets, styles, formats;
    part *part, *sheet; /* owned */
    darc_serial *style; /* of cells; owned */
    struct {
        int id;
        darc_serial look;
    } * format; /* those of the book; owned */
    texts shared;
    darc_text_t *text; /* of each array; owned */
    bool from_1904;
    /* the part at hand */
    darc_text_t value; /* of the element */
    bool taken;        /* characters belong to it */
    bool phonetic, cells;
    darc_text_t line; /* the sheet's rows: a cell ends in \1, a row in \n */
    int row, column, first, columns, numbers, rows, lone;
    char type;         /* of the cell */
    darc_serial shown; /* and its style */
    bool broken;
    XML_Parser parser;
} book;

/* Names without their namespace. */
static const char *local(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static const char *attribute(const char **x, const char *name)
{
    for (; x[0] != NULL; x += 2)
        if (strcmp(local(x[0]), name) == 0)
            return x[1];
    return "";
}

static darc_serial look_of_id(const book *b, int id)
{
    for (int i = 0; i < b->formats; i++)
        if (b->format[i].id == id)
            return b->format[i].look;
    return darc_serial_builtin(id);
}

static void open_style(book *b, const char *name, const char **x)
{
    b->cells = (b->cells || strcmp(name, "cellXfs") == 0) &&
               strcmp(name, "cellStyles") != 0;
    if (strcmp(name, "numFmt") == 0) {
        DARC_ROOM(b->format, b->formats);
        b->format[b->formats].id = atoi(attribute(x, "numFmtId"));
        b->format[b->formats++].look =
            darc_serial_look(attribute(x, "formatCode"));
    } else if (strcmp(name, "xf") == 0 && b->cells) {
        DARC_APPEND(b->style, b->styles,
                    look_of_id(b, atoi(attribute(x, "numFmtId"))));
    }
}

static void open_book(book *b, const char *name, const char **x)
{
    const char *yes = attribute(x, "date1904");
    if (strcmp(name, "workbookPr") == 0)
        b->from_1904 = strcmp(yes, "1") == 0 || strcmp(yes, "true") == 0;
    if (strcmp(name, "sheet") != 0 || b->sheets >= DARC_ZIP_MEMBERS)
        return;
    DARC_APPEND(b->sheet, b->sheets,
                (part){.name = darc_strdup(attribute(x, "name")),
                       .target = darc_strdup(attribute(x, "id"))});
}

static void open_relation(book *b, const char *name, const char **x)
{
    const char *to = attribute(x, "Target");
    for (int i = 0; i < b->sheets && strcmp(name, "Relationship") == 0; i++)
        if (strcmp(b->sheet[i].target, attribute(x, "Id")) == 0) {
            darc_free(b->sheet[i].target);
            b->sheet[i].target =
                *to == '/' ? darc_strdup(to + 1) : darc_text_of("xl/%s", to);
            return;
        }
}

static void open_shared(book *b, const char *name)
{
    if (strcmp(name, "si") == 0) {
        DARC_APPEND(b->shared.at, b->shared.count, b->shared.all->len);
    }
    b->phonetic = b->phonetic || strcmp(name, "rPh") == 0;
    b->taken = strcmp(name, "t") == 0 && !b->phonetic;
}

/* "BC12": set the column, from 0. */
static void read_column(const char *s, int *column)
{
    int c = 0;
    for (; isalpha((unsigned char)*s) && c < MOST_COLUMNS; s++)
        c = 26 * c + (toupper((unsigned char)*s) - 'A' + 1);
    if (c > 0)
        *column = c - 1;
}

static void put_number(book *b, const char *s)
{
    char *end;
    double x = strtod(s, &end);
    size_t n = strspn(s, "0123456789+-.eE");
    bool number = end > s && *end == '\0' && s[n] == '\0' && isfinite(x);
    b->numbers += number;
    if (!number)
        return;
    if (!darc_serial_put(b->line, b->shown, x, b->from_1904))
        darc_text_puts(b->line, s);
}

static void put_text(book *b, const char *s)
{
    darc_text_putc(b->line, '"');
    for (; *s != '\0'; s++)
        darc_text_putc(b->line, *s == '"'                 ? '\''
                                : (unsigned char)*s < ' ' ? ' '
                                                          : *s);
    darc_text_putc(b->line, '"');
}

static void open_cell(book *b, const char *name, const char **x)
{
    if (strcmp(name, "row") == 0) {
        int row = atoi(attribute(x, "r"));
        row = row > 0 ? row : b->row + 1;
        b->broken = b->broken || row <= b->row || row > MOST_ROWS;
        for (; b->row < row - 1 && !b->broken; b->row++)
            darc_text_putc(b->line, '\n');
        b->row = row;
        b->column = -1;
        b->numbers = 0;
    } else if (strcmp(name, "c") == 0) {
        const char *type = attribute(x, "t"), *style = attribute(x, "s");
        int column = b->column + 1, s = atoi(style);
        read_column(attribute(x, "r"), &column);
        b->broken = b->broken || column <= b->column || column >= MOST_COLUMNS;
        for (; b->column < column && !b->broken; b->column++)
            darc_text_putc(b->line, '\1');
        b->first = column < b->first ? column : b->first;
        b->columns = column >= b->columns ? column + 1 : b->columns;
        b->type = strcmp(type, "str") == 0 ? 't' : type[0];
        b->shown = s >= 0 && s < b->styles ? b->style[s] : DARC_SERIAL_NONE;
    }
    b->taken =
        strcmp(name, "v") == 0 || (strcmp(name, "t") == 0 && b->type == 'i');
    if (strcmp(name, "v") == 0 || strcmp(name, "c") == 0)
        darc_text_reset(b->value);
}

static void close_cell(book *b, const char *name)
{
    if (strcmp(name, "row") == 0) {
        darc_text_putc(b->line, '\n');
        b->rows += b->numbers > 1;
        b->lone += b->numbers == 1;
    } else if (strcmp(name, "c") == 0) {
        const char *s = b->value->s;
        int i = atoi(s);
        if (b->type == 's')
            put_text(b, i >= 0 && i < b->shared.count
                            ? b->shared.all->s + b->shared.at[i]
                            : "");
        else if (b->type == 't' || b->type == 'i' || b->type == 'd')
            put_text(b, s);
        else if (b->type != 'e')
            put_number(b, s);
    }
}

typedef enum { BOOK, RELATIONS, STYLES, SHARED, SHEET } role;

static role role_of(const char *name)
{
    return strcmp(name, "xl/workbook.xml") == 0              ? BOOK
           : strcmp(name, "xl/_rels/workbook.xml.rels") == 0 ? RELATIONS
           : strcmp(name, "xl/styles.xml") == 0              ? STYLES
           : strcmp(name, "xl/sharedStrings.xml") == 0       ? SHARED
                                                             : SHEET;
}

/* What a handler gets. */
typedef struct {
    book *b;
    role role;
} hand;

static void on_start(void *user, const char *name, const char **x)
{
    hand *h = user;
    book *b = h->b;
    name = local(name);
    if (h->role == BOOK)
        open_book(b, name, x);
    else if (h->role == RELATIONS)
        open_relation(b, name, x);
    else if (h->role == STYLES)
        open_style(b, name, x);
    else if (h->role == SHARED)
        open_shared(b, name);
    else
        open_cell(b, name, x);
    if (b->broken || b->line->len > DARC_SHEET_BYTES)
        XML_StopParser(b->parser, false);
}

static void on_end(void *user, const char *name)
{
    hand *h = user;
    book *b = h->b;
    name = local(name);
    b->taken = false;
    if (h->role == STYLES && strcmp(name, "cellXfs") == 0)
        b->cells = false;
    if (h->role == SHARED && strcmp(name, "rPh") == 0)
        b->phonetic = false;
    if (h->role == SHARED && strcmp(name, "si") == 0)
        darc_text_putc(b->shared.all, '\0');
    if (h->role == SHEET)
        close_cell(b, name);
}

static void on_text(void *user, const char *s, int n)
{
    hand *h = user;
    if (h->b->taken)
        darc_text_write(h->role == SHARED ? h->b->shared.all : h->b->value, s,
                        (size_t)n);
}

/* A workbook defines no entities. */
static void on_doctype(void *user, const char *name, const char *system,
                       const char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    XML_StopParser(((hand *)user)->b->parser, false);
}

/* A salt that is given, or else Expat asks for random numbers, which no cage
 * gives; what these are called depends on its version. */
static void salt(XML_Parser parser, const void *by)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 8
    uint8_t bytes[16] = {1};
    memcpy(bytes + 8, &by, sizeof by);
    XML_SetHashSalt16Bytes(parser, bytes);
#else
    XML_SetHashSalt(parser, (unsigned long)(uintptr_t)by | 1);
#endif
}

static unsigned long line_of(XML_Parser parser)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 8
    return (unsigned long)XML_GetCurrentLineNumber64(parser);
#else
    return XML_GetCurrentLineNumber(parser);
#endif
}

static darc_status parse_bytes(book *b, const char *name, const char *s,
                               uint64_t n, darc_err *err)
{
    hand h = {b, role_of(name)};
    bool good = true;
    b->parser = XML_ParserCreate(NULL);
    salt(b->parser, b);
    XML_SetUserData(b->parser, &h);
    XML_SetElementHandler(b->parser, on_start, on_end);
    XML_SetCharacterDataHandler(b->parser, on_text);
    XML_SetStartDoctypeDeclHandler(b->parser, on_doctype);
    b->taken = b->phonetic = b->cells = b->broken = false;
    for (uint64_t at = 0; at < n && good; at += 1 << 24) {
        int some = n - at < 1 << 24 ? (int)(n - at) : 1 << 24;
        good = XML_Parse(b->parser, s + at, some, at + (uint64_t)some == n) ==
               XML_STATUS_OK;
    }
    unsigned long line = line_of(b->parser);
    XML_ParserFree(b->parser);
    if (good)
        return DARC_OK;
    return darc_fail_file(err, b->a->file,
                          b->line->len > DARC_SHEET_BYTES
                              ? "%s is longer than a sheet may be, at line %lu"
                              : "%s is damaged at line %lu",
                          name, line);
}

/* Parse the part of that name; one that is not there says nothing. */
static darc_status parse_part(book *b, const char *name, darc_err *err)
{
    int i = 0;
    while (i < b->parts && strcmp(b->part[i].name, name) != 0)
        i++;
    if (i == b->parts)
        return DARC_OK;
    const darc_stretch *x = &b->part[i].bytes;
    const unsigned char *s = b->a->bytes.bytes + x->at;
    unsigned char *own = NULL;
    darc_status status = DARC_OK;
    if (x->packed > 0 && x->size / DARC_MOST_EXPANSION > x->packed)
        return darc_fail_file(err, b->a->file, "%s is damaged", name);
    if (x->packed > 0) {
        s = own = darc_malloc((size_t)x->size + 1);
        DARC_TRY(darc_inflate(own, &b->a->bytes, x, err));
    }
    if (crc32_z(0, s, x->size) != x->sum)
        DARC_TRY(darc_fail_file(err, b->a->file,
                                "%s is damaged: its checksum "
                                "is not that of the archive",
                                name));
    status = parse_bytes(b, name, (const char *)s, x->size, err);
done:
    darc_free(own);
    return status;
}

static darc_status take_member(void *user, const char *name, size_t n,
                               const darc_stretch *bytes, darc_err *err)
{
    book *b = user;
    (void)err;
    DARC_APPEND(b->part, b->parts,
                (part){.name = darc_strndup(name, n), .bytes = *bytes});
    return DARC_OK;
}

static darc_status read_text(darc_arrays *a, const darc_array *from,
                             size_t begin, size_t n, double *out, darc_err *err)
{
    (void)err;
    memcpy(out, ((book *)a->state)->text[from->handle]->s + 8 * begin, 8 * n);
    return DARC_OK;
}

/* Take the text over as an array; whole values, filled with ends of lines. */
static void append_text(book *b, const char *name, darc_text_t text)
{
    int n = b->a->count;
    while (text->len == 0 || text->len % sizeof(double) != 0)
        darc_text_putc(text, '\n');
    DARC_ROOM(b->text, n);
    b->text[n][0] = *text;
    darc_text_init(text);
    darc_arrays_append(b->a, name, "", b->text[n]->len / sizeof(double), 1, n);
}

/* Turn the rows into lines of equally many cells, from the first column that
 * has one. */
static void append_sheet(book *b, const char *name)
{
    darc_text_t out = DARC_TEXT;
    int cells = 0;
    for (const char *s = b->line->s; *s != '\0'; s++) {
        if (*s == '\1' && cells++ > b->first)
            darc_text_putc(out, ',');
        for (; *s == '\n' && cells > 0 && cells < b->columns; cells++)
            if (cells > b->first)
                darc_text_putc(out, ',');
        cells = *s == '\n' ? 0 : cells;
        if (*s != '\1')
            darc_text_putc(out, *s);
    }
    append_text(b, name, out);
}

static darc_status list_sheet(book *b, const part *sheet, darc_err *err)
{
    darc_text_reset(b->line);
    b->row = b->columns = b->rows = b->lone = 0;
    b->first = MOST_COLUMNS;
    DARC_NEED(parse_part(b, sheet->target, err));
    if ((int64_t)b->row * b->columns > DARC_SHEET_BYTES)
        return darc_fail_file(err, b->a->file,
                              "sheet '%s' has %d columns and %d rows, more "
                              "than a sheet may have",
                              sheet->name, b->columns, b->row);
    if (b->rows > 1 || b->lone >= 10) /* of one column, with --rate */
        append_sheet(b, sheet->name);
    else
        darc_arrays_leave(b->a, sheet->name,
                          "a sheet without rows of several numbers");
    return DARC_OK;
}

static void close_book(darc_arrays *a)
{
    book *b = a->state;
    for (int i = 0; i < b->parts; i++)
        darc_free(b->part[i].name);
    for (int i = 0; i < b->sheets; i++)
        DARC_FREE(b->sheet[i].name, b->sheet[i].target);
    DARC_ALL_OF(darc_text_clear, b->text, a->count);
    DARC_EACH(darc_text_clear, b->shared.all, b->value, b->line);
    DARC_FREE(b->part, b->sheet, b->style, b->format, b->shared.at, b->text, b);
    a->state = NULL;
}

static book *open_texts(darc_arrays *a)
{
    book *b = darc_calloc(1, sizeof *b);
    b->a = a;
    DARC_EACH(darc_text_init, b->shared.all, b->value, b->line);
    a->separator = '.';
    a->state = b;
    a->read = read_text;
    a->close = close_book;
    return b;
}

darc_status darc_xlsx_list(darc_arrays *a, darc_err *err)
{
    static const char *const first[] = {
        "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml",
        "xl/sharedStrings.xml"};
    book *b = open_texts(a);
    DARC_NEED(darc_zip_list(&a->bytes, take_member, b, err));
    for (int i = 0; i < 4; i++)
        DARC_NEED(parse_part(b, first[i], err));
    for (int i = 0; i < b->sheets; i++)
        DARC_NEED(list_sheet(b, &b->sheet[i], err));
    if (b->sheets == 0)
        return darc_fail_file(err, a->file, "this is no workbook of Excel");
    return DARC_OK;
}

darc_status darc_gz_list(darc_arrays *a, darc_err *err)
{
    book *b = open_texts(a);
    DARC_NEED(darc_gunzip(b->line, &a->bytes, err));
    if (memchr(b->line->s, 0, b->line->len < 4096 ? b->line->len : 4096) !=
        NULL)
        return darc_fail_file(err, a->file,
                              "gzip has packed no text: unpack it first "
                              "(gunzip -k)");
    append_text(b, "text", b->line);
    return DARC_OK;
}
