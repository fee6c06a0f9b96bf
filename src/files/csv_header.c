#include "files/csv.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* The n bytes at s as UTF-8: loggers of old write Latin-1. */
static char *utf8(const char *s, size_t n)
{
    darc_text_t out = DARC_TEXT;
    char *copy = darc_strndup(s, n);
    bool valid = true;
    for (int i = 0, m; copy[i] != '\0'; i += m) {
        m = darc_text_character(copy + i);
        valid &= m > 0;
        m = m > 0 ? m : 1;
    }
    for (size_t i = 0; i < n && !valid; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c >= 0x80)
            darc_text_putc(out, (char)(0xc0 | c >> 6));
        darc_text_putc(out, (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
    }
    char *name =
        valid ? darc_text_name(s, n) : darc_text_name(out->s, out->len);
    darc_text_clear(out);
    darc_free(copy);
    return name;
}

/* Set *unit to where the unit stands of "name / unit", "name/unit" or "name
 * in unit"; return where the name ends, n: it has none. */
static size_t end_before_unit(size_t *unit, const darc_cell *cell)
{
    size_t n = cell->n;
    for (size_t i = 1; i + 1 < n; i++) {
        bool word = i + 4 < n && memcmp(cell->s + i, " in ", 4) == 0;
        size_t at = i + (word ? 4 : 1);
        while (cell->s[at] == ' ' && at + 1 < n)
            at++;
        if ((word || cell->s[i] == '/') &&
            darc_csv_is_unit(cell->s + at, n - at)) {
            *unit = at;
            return i;
        }
    }
    return n;
}

/* Where the unit of "name [unit]", "name <unit>" or "name (unit)" begins; n: it
 * has none. */
static size_t unit_of(const darc_cell *cell)
{
    size_t n = cell->n;
    char last = n > 0 ? cell->s[n - 1] : '\0';
    if (last == ']' || last == '>') {
        const char *open = memchr(cell->s, last == ']' ? '[' : '<', n);
        bool named = open != NULL && (last == ']' || open > cell->s);
        return named ? (size_t)(open - cell->s) : n;
    }
    size_t i = n;
    while (last == ')' && i-- > 0)
        if (cell->s[i] == '(')
            return darc_csv_is_unit(cell->s + i + 1, n - i - 2) ? i : n;
    return n;
}

/* Leave out what stands around the whole name: 'name', [name]. */
static darc_cell bare(darc_cell cell)
{
    static const char frame[][2] = {{'\'', '\''}, {'[', ']'}};
    for (int k = 0; k < 2 && cell.n > 2; k++)
        if (cell.s[0] == frame[k][0] &&
            memchr(cell.s + 1, frame[k][1], cell.n - 1) == cell.s + cell.n - 1)
            cell = (darc_cell){cell.s + 1, cell.n - 2, true};
    return cell;
}

/* Set name and unit from the header cell. */
static void set_name(darc_csv *csv, int c, const darc_cell *cell)
{
    size_t n = cell->n, unit = unit_of(cell);
    csv->unit[c] = unit < n ? utf8(cell->s + unit + 1, n - unit - 2) : NULL;
    if (unit == n) {
        size_t at = n;
        unit = end_before_unit(&at, cell);
        csv->unit[c] = unit < n ? utf8(cell->s + at, n - at) : NULL;
    }
    while (unit > 0 && darc_csv_is_blank(cell->s[unit - 1]))
        unit--;
    csv->name[c] = utf8(cell->s, unit);
}

static darc_status read_names(darc_csv *csv, const char *s, const char *end,
                              darc_err *err)
{
    for (int c = 0; c < csv->columns; c++) {
        darc_cell cell;
        DARC_NEED(darc_csv_head_cell(&cell, &s, end, csv, err));
        if (memchr(cell.s, '\0', cell.n) != NULL)
            return darc_lines_fail(&csv->lines, 1, err,
                                   "NUL byte in the header");
        cell = bare(cell);
        set_name(csv, c, &cell);
    }
    return DARC_OK;
}

/* The line of units, which may be in brackets; "-" is none. */
static darc_status read_units(darc_csv *csv, const char *s, darc_err *err)
{
    const char *end = darc_csv_line_end(s, csv);
    for (int c = 0; c < csv->columns && s != NULL; c++) {
        darc_cell cell;
        DARC_NEED(darc_csv_cell(&cell, &s, end, csv, err));
        bool framed = darc_csv_is_framed(&cell);
        if (csv->unit[c] == NULL && cell.n > 2u * framed &&
            !(cell.n == 1 && *cell.s == '-'))
            csv->unit[c] = utf8(cell.s + framed, cell.n - 2u * framed);
    }
    return DARC_OK;
}

/* Decimals: where commas part cells without quotes the mark is sure, with tabs
 * and blanks if no comma is seen; else the first number that has one tells. */
static void set_point(darc_csv *csv, const char *s)
{
    const char *end = csv->lines.buffer + csv->lines.whole;
    csv->point = csv->separator == ';' ? ',' : '.';
    if (csv->separator == ',')
        csv->point_sure =
            s == end ||
            memchr(s, '"', (size_t)(darc_csv_line_end(s, csv) - s)) == NULL;
    else
        csv->point_sure =
            csv->separator != ';' && memchr(s, ',', (size_t)(end - s)) == NULL;
}

static darc_status read_header(darc_csv *csv, darc_err *err)
{
    darc_lines *l = &csv->lines;
    darc_csv_layout x;
    DARC_NEED(darc_lines_fill(l, err));
    if (l->whole >= 3 && memcmp(l->buffer, "\xef\xbb\xbf", 3) == 0)
        l->begin = 3; /* the mark of UTF-8 */
    DARC_NEED(darc_csv_lay_out(&x, csv, err));
    const char *s = l->buffer + x.names, *end = darc_csv_line_end(s, csv);
    csv->named = x.names != x.data;
    csv->bracketed = x.bracketed;
    csv->separator = csv->named ? x.names_separator : x.separator;
    l->number = csv->header_line = x.names_line;
    l->begin = x.names;
    for (const char *p = s; p != NULL;) {
        darc_cell cell;
        DARC_NEED(darc_csv_head_cell(&cell, &p, end, csv, err));
        if (++csv->columns > DARC_MAX_COLUMNS)
            return darc_lines_fail(l, 1, err, "more than %d columns",
                                   DARC_MAX_COLUMNS);
    }
    csv->columns = x.columns > 0 ? x.columns : csv->columns;
    size_t n = (size_t)csv->columns;
    csv->name = darc_calloc(n, sizeof *csv->name);
    csv->unit = darc_calloc(n, sizeof *csv->unit);
    if (csv->named)
        DARC_NEED(read_names(csv, s, end, err));
    csv->separator = x.separator;
    if (x.units != x.data)
        DARC_NEED(read_units(csv, l->buffer + x.units, err));
    for (int c = 0; c < csv->columns; c++) {
        char number[16]; /* c1, c2, ... */
        snprintf(number, sizeof number, "c%d", c + 1);
        if (csv->name[c] == NULL)
            csv->name[c] = darc_strdup(number);
        if (csv->unit[c] == NULL)
            csv->unit[c] = darc_strdup("");
    }
    set_point(csv, l->buffer + x.data);
    l->begin = x.data;
    l->number = x.data_line;
    return DARC_OK;
}

darc_status darc_csv_open(darc_csv *csv, const char *file, darc_err *err)
{
    darc_status status;
    *csv = (darc_csv){.stamped = -1};
    DARC_TRY(darc_lines_open(&csv->lines, file, err));
    darc_pow5_init(&csv->pow5);
    DARC_TRY(read_header(csv, err));
done:
    if (status != DARC_OK)
        darc_csv_close(csv);
    return status;
}

void darc_csv_close(darc_csv *csv)
{
    for (int c = 0; c < csv->columns && csv->name != NULL; c++)
        DARC_FREE(csv->name[c], csv->unit[c]);
    DARC_FREE(csv->name, csv->unit);
    darc_lines_close(&csv->lines);
    csv->name = csv->unit = NULL;
    csv->columns = 0;
}
