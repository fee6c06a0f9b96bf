#include "files/csv.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "files/ahead.h"

#include <stdio.h>
#include <string.h>

/* The separator of the line: the first of ; tab , that stands outside
 * quotes and brackets, else blanks if there are some inside. */
static char find_separator(const char *s, const char *end)
{
    bool semicolon = false, tab = false, comma = false, blank = false;
    bool quoted = false;
    int depth = 0;
    while (end > s && darc_csv_is_blank(end[-1]))
        end--;
    while (s < end && *s == ' ')
        s++;
    for (; s < end; s++) {
        quoted ^= *s == '"';
        depth += (*s == '[') - (*s == ']');
        if (quoted || depth > 0)
            continue;
        semicolon |= *s == ';';
        tab |= *s == '\t';
        comma |= *s == ',';
        blank |= *s == ' ';
    }
    if (semicolon || tab || comma)
        return semicolon ? ';' : tab ? '\t' : ',';
    return blank ? ' ' : ',';
}

/* Set name and unit from the header cell "name [unit]". */
static void set_name(darc_csv *csv, int c, const darc_cell *cell)
{
    size_t n = cell->n, unit = n;
    if (n > 0 && cell->s[n - 1] == ']')
        for (size_t i = 0; i < n; i++)
            if (cell->s[i] == '[') {
                unit = i;
                break;
            }
    csv->unit[c] = unit < n ? darc_text_name(cell->s + unit + 1, n - unit - 2)
                            : darc_strdup("");
    while (unit > 0 && darc_csv_is_blank(cell->s[unit - 1]))
        unit--;
    csv->name[c] = darc_text_name(cell->s, unit);
}

static darc_status count_cells(darc_csv *csv, darc_err *err)
{
    const char *s = csv->lines.buffer + csv->lines.begin;
    const char *end = darc_csv_line_end(s, csv);
    bool numbers = true;
    while (s != NULL) {
        darc_cell cell;
        double x;
        DARC_NEED(darc_csv_cell(&cell, &s, end, csv, err));
        if (csv->separator == ' ' && cell.n > 0 && cell.s[0] == '[' &&
            csv->columns > 0)
            continue; /* the unit of the name before */
        numbers &= !cell.quoted && darc_csv_number(&x, &cell, csv);
        if (++csv->columns > DARC_MAX_COLUMNS)
            return darc_lines_fail(&csv->lines, 1, err, "more than %d columns",
                                   DARC_MAX_COLUMNS);
    }
    csv->named = !numbers;
    return DARC_OK;
}

static darc_status read_names(darc_csv *csv, darc_err *err)
{
    const char *s = csv->lines.buffer + csv->lines.begin;
    const char *end = darc_csv_line_end(s, csv);
    for (int c = 0; c < csv->columns;) {
        darc_cell cell;
        DARC_NEED(darc_csv_cell(&cell, &s, end, csv, err));
        if (memchr(cell.s, '\0', cell.n) != NULL)
            return darc_lines_fail(&csv->lines, 1, err,
                                   "NUL byte in the header");
        const char *t = s;
        darc_cell unit;
        if (csv->separator == ' ' && t != NULL && *t == '[') {
            DARC_NEED(darc_csv_cell(&unit, &t, end, csv, err));
            cell.n = (size_t)(unit.s + unit.n - cell.s);
            s = t;
        }
        set_name(csv, c++, &cell);
    }
    return DARC_OK;
}

/* Step to the first line that says something; false if there is none. */
static darc_status first_line(darc_csv *csv, bool *found, darc_err *err)
{
    darc_lines *l = &csv->lines;
    for (;;) {
        DARC_NEED(darc_lines_fill(l, err));
        *found = l->begin < l->whole;
        if (!*found)
            return DARC_OK;
        const char *s = l->buffer + l->begin, *end = darc_csv_line_end(s, csv);
        if (l->number == 1 && end - s >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
            s += 3;
        if (l->number == 1 && end - s >= 2 &&
            (memcmp(s, "\xff\xfe", 2) == 0 || memcmp(s, "\xfe\xff", 2) == 0))
            return darc_lines_fail(l, 1, err,
                                   "the file is in UTF-16; save it as UTF-8");
        l->begin = (size_t)(s - l->buffer);
        while (s < end && darc_csv_is_blank(*s))
            s++;
        if (s < end && *s != '#')
            return DARC_OK;
        const char *newline = memchr(s, '\n', l->whole - l->begin);
        l->next = (size_t)(newline + 1 - l->buffer);
        darc_csv_next(csv);
    }
    return DARC_OK;
}

static darc_status read_header(darc_csv *csv, darc_err *err)
{
    bool found;
    darc_lines *l = &csv->lines;
    DARC_NEED(first_line(csv, &found, err));
    if (!found)
        return darc_lines_fail(l, 1, err, "the file has no data");
    const char *s = l->buffer + l->begin, *end = darc_csv_line_end(s, csv);
    csv->separator = find_separator(s, end);
    csv->point = csv->separator == ';' ? ',' : '.';
    csv->point_sure = csv->separator != ';';
    csv->header_line = l->number;
    DARC_NEED(count_cells(csv, err));
    size_t n = (size_t)csv->columns;
    csv->name = darc_calloc(n, sizeof *csv->name);
    csv->unit = darc_calloc(n, sizeof *csv->unit);
    csv->slot = darc_calloc(n, sizeof *csv->slot);
    for (int c = 0; c < csv->columns; c++)
        csv->slot[c] = -1;
    if (!csv->named) {
        for (int c = 0; c < csv->columns; c++) { /* c1, c2, ... */
            char number[16];
            snprintf(number, sizeof number, "c%d", c + 1);
            csv->name[c] = darc_strdup(number);
            csv->unit[c] = darc_strdup("");
        }
        return DARC_OK;
    }
    DARC_NEED(read_names(csv, err));
    l->next = (size_t)(end + 1 + (*end == '\r') - l->buffer);
    darc_csv_next(csv);
    return DARC_OK;
}

darc_status darc_csv_open(darc_csv *csv, const char *file, const char *bytes,
                          size_t size, darc_err *err)
{
    darc_status status;
    memset(csv, 0, sizeof *csv);
    DARC_TRY(darc_lines_open(&csv->lines, file, bytes, size, err));
    darc_pow5_init(&csv->pow5);
    DARC_TRY(read_header(csv, err));
done:
    if (status != DARC_OK)
        darc_csv_close(csv);
    return status;
}

void darc_csv_close(darc_csv *csv)
{
    darc_ahead_free(csv->ahead);
    csv->ahead = NULL;
    for (int c = 0; c < csv->columns; c++) {
        if (csv->name != NULL)
            darc_free(csv->name[c]);
        if (csv->unit != NULL)
            darc_free(csv->unit[c]);
    }
    darc_free(csv->name);
    darc_free(csv->unit);
    darc_free(csv->slot);
    csv->name = csv->unit = NULL;
    csv->slot = NULL;
    csv->columns = 0;
    darc_lines_close(&csv->lines);
}
