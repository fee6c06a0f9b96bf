#define _GNU_SOURCE /* memmem */

#include "files/csv.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Say why the cell is no finite number. */
static darc_status fail_cell(const darc_cell *cell, double x, darc_csv *csv,
                             int c, darc_err *err)
{
    const char *line = csv->lines.buffer + csv->lines.begin;
    const char *why =
        "is not a number (a missing sample is an empty cell or nan)";
    bool time = c == csv->clock[0].column || c == csv->clock[1].column;
    darc_stamp stamp;
    bool is =
        darc_stamp_read(&stamp, cell->s, cell->n, (darc_stamp_form){0, 0});
    if (isinf(x))
        why = "lies outside the range of a double";
    else if (time && is)
        why = csv->clock[0].chosen || csv->clock[0].form.order != 0
                  ? "does not go with the days above, which were read as "
                    "day and month or month and day (--stamps tells which)"
                  : "is not the point in time that the rows above have "
                    "(--stamps tells how to read it)";
    else if (time && csv->clock[0].any && !isnan(x) && x != 0)
        why = "is a number, where the rows above have points in time";
    else if (time && memchr(cell->s, ':', cell->n) != NULL)
        why = "is not a number (points in time are written 2026-01-31 "
              "23:59:59.9 or 31.01.2026 23:59:59,9)";
    else if (is && cell->n > 2)
        why = "is not a number (a point in time belongs into the time column, "
              "--time COLUMN)";
    else if (memchr(cell->s, csv->point == '.' ? ',' : '.', cell->n) != NULL)
        why = csv->point == ','
                  ? "is not a number (the decimal mark of this file is ',')"
                  : "is not a number (the decimal mark of this file is '.')";
    return darc_lines_fail(&csv->lines, (size_t)(cell->s - line) + 1, err,
                           "'%.*s%s' in column '%s' %s",
                           cell->n < 40 ? (int)cell->n : 40, cell->s,
                           cell->n > 40 ? "..." : "", csv->name[c], why);
}

/* Note a cell that is no number. */
static void keep_odd(darc_csv_odd *odd, const darc_cell *cell,
                     const darc_csv *csv)
{
    if (odd->cells++ > 0)
        return;
    odd->line = csv->lines.number;
    snprintf(odd->text, sizeof odd->text, "%.*s",
             cell->n < 30 ? (int)cell->n : 30, cell->s);
}

/* The line at hand is no row: what was noted of it counts no more. */
static void forget_odd(darc_csv *csv)
{
    for (int c = 0; c < csv->columns && csv->odd != NULL; c++)
        if (csv->odd[c].cells > 0 && csv->odd[c].line == csv->lines.number) {
            darc_free(csv->odd[c].message);
            csv->odd[c] = (darc_csv_odd){0};
        }
}

/* Set *x to what the cell of a column that is used holds. */
static darc_status read_cell(double *x, darc_cell *cell, darc_csv *csv, int c,
                             darc_err *err)
{
    *x = NAN;
    darc_csv_strip(cell, csv, c);
    for (int k = 0; k < 2; k++)
        if (c == csv->clock[k].column &&
            (csv->clock[k].any || !darc_csv_number(x, cell, csv)) &&
            darc_csv_stamp(x, cell, &csv->clock[k]))
            return DARC_OK;
    bool number = darc_csv_number(x, cell, csv);
    bool stamps = c == csv->clock[0].column && csv->clock[0].any;
    if (number && !isinf(*x) && (!stamps || isnan(*x)))
        return DARC_OK;
    if (!number && darc_csv_is_infinite(cell)) {
        keep_odd(&csv->infinite, cell, csv);
        return DARC_OK;
    }
    darc_err why = {DARC_OK, ""};
    darc_status status = fail_cell(cell, number ? *x : 0, csv, c, &why);
    if (csv->odd == NULL || c == darc_csv_lead(csv))
        return darc_fail(err, status, "%s", why.message);
    keep_odd(&csv->odd[c], cell, csv);
    if (csv->odd[c].cells == 1)
        csv->odd[c].message = darc_strdup(why.message);
    *x = NAN;
    return DARC_OK;
}

/* The end of a cell that is not read, NULL for anything unusual. */
static const char *skip_cell(const char *s, char separator)
{
    for (;; s++)
        if (*s == separator || *s == '\n')
            return s;
        else if (*s == '"' || *s == '\0' || *s == '\r')
            return NULL;
}

/* Read a row of numbers at s without gaps, quotes or comments; return its end,
 * NULL when it is not one. */
static const char *fast_row(const darc_csv *csv, const char *s, double *value)
{
    char separator = csv->separator;
    int last = csv->columns - 1;
    if (darc_csv_is_hash(*s))
        return NULL;
    for (int c = 0; c <= last; c++) {
        while (*s == ' ')
            s++;
        int slot = csv->slot[c];
        const char *end = slot < 0
                              ? skip_cell(s, separator)
                              : darc_number_read(&value[slot], s, csv->point);
        if (end == NULL || (slot >= 0 && (end == s || !isfinite(value[slot]))))
            return NULL;
        s = end + (*end == '\r' && end[1] == '\n');
        if (*s++ != (c == last ? '\n' : separator))
            return NULL;
    }
    return s;
}

/* A row with anything unusual in it: blanks, quotes, gaps, comments. */
static darc_status slow_row(darc_csv *csv, double *value, darc_err *err)
{
    const char *line = csv->lines.buffer + csv->lines.begin, *s = line;
    const char *end = darc_csv_line_end(line, csv);
    const char *nul = memchr(line, '\0', (size_t)(end - line));
    if (nul != NULL)
        return darc_lines_fail(&csv->lines, (size_t)(nul - line) + 1, err,
                               "NUL byte");
    int c = 0, last = csv->columns - 1;
    bool value_last = false;
    for (; s != NULL; c++) {
        darc_cell cell = {0};
        DARC_NEED(darc_csv_cell(&cell, &s, end, csv, err));
        if (c > last && !cell.quoted &&
            (cell.n > 0 ? darc_csv_is_hash(cell.s[0])
                        : s == NULL && (c < csv->widest || csv->widest == 0)))
            break; /* a comment, a separator at the end */
        if (c == last) {
            size_t n = cell.n;
            darc_csv_uncomment(&cell);
            s = cell.n < n ? NULL : s;
        }
        double x;
        value_last = c == last - 1 && darc_csv_number(&x, &cell, csv);
        if (c > last || csv->slot[c] < 0)
            continue;
        DARC_NEED(read_cell(&x, &cell, csv, c, err));
        value[csv->slot[c]] = x;
    }
    bool comment = csv->ragged || strcasecmp(csv->name[last], "comment") == 0;
    if (c == last && c > 0 && csv->slot[c] < 0 && value_last && comment)
        return DARC_OK; /* LabVIEW: no comment in this row */
    if (c == csv->columns)
        return DARC_OK;
    /* Each decimal comma makes two cells of one. */
    bool marks =
        csv->separator == ',' && c > csv->columns && c <= 2 * csv->columns;
    return darc_lines_fail(
        &csv->lines, (size_t)(end - line) + 1, err,
        "%d cell%s where %s %zu has %d%s", c, c == 1 ? "" : "s",
        csv->named ? "the header in line" : "line", csv->header_line,
        csv->columns,
        marks ? "; if commas are decimal marks here, part the cells with ';' "
                "or quote the numbers"
              : "");
}

/* The same behind a row in which the logger ended. */
static bool ends_in_header(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv), *at = csv->named ? s : NULL;
    while (at != NULL && (at = strstr(at, csv->name[0])) != NULL && at < end)
        if (darc_csv_is_header(csv, at++))
            return true;
    return false;
}

/* Go to the next line that is in memory and holds the value that is picked, or
 * behind the last one: rows of others are many. */
static void skip_others(darc_csv *csv)
{
    darc_lines *l = &csv->lines;
    const char *s = l->buffer + l->begin, *end = l->buffer + l->whole;
    const char *at =
        memmem(s, (size_t)(end - s), csv->picked, strlen(csv->picked));
    at = at != NULL ? at : end;
    for (const char *next; s < at; s = next) {
        next = (const char *)memchr(s, '\n', (size_t)(end - s)) + 1;
        if (next > at)
            break;
        l->number++;
    }
    l->begin = (size_t)(s - l->buffer);
}

/* Stand at a line that may be a row; *row is false at the end of the file. */
static darc_status go_to_line(darc_csv *csv, bool *row, darc_err *err)
{
    darc_lines *l = &csv->lines;
    for (;;) {
        if (l->begin == l->whole)
            DARC_NEED(darc_lines_fill(l, err));
        *row = l->begin < l->whole;
        if (*row && csv->pick >= 0)
            skip_others(csv);
        /* the last number of a stream may not be all of it */
        if (*row && csv->live && l->cut && l->begin < l->whole &&
            memchr(l->buffer + l->begin, '\n', l->whole - l->begin) ==
                l->buffer + l->whole - 1)
            l->begin = l->whole;
        if (!*row || l->begin < l->whole)
            return DARC_OK;
    }
}

darc_status darc_csv_row(darc_csv *csv, double *value, bool *row, darc_err *err)
{
    darc_lines *l = &csv->lines;
    for (;;) {
        DARC_NEED(go_to_line(csv, row, err));
        if (!*row)
            return DARC_OK;
        char *s = l->buffer + l->begin;
        bool plain = csv->point_sure && csv->pick < 0 && !csv->clock[0].any &&
                     csv->point != csv->separator;
        const char *end = plain ? fast_row(csv, s, value) : NULL;
        if (end != NULL) {
            l->next = (size_t)(end - l->buffer);
            if (darc_csv_is_cut(csv))
                break;
            csv->begun = true;
            return DARC_OK;
        }
        end = memchr(s, '\n', l->whole - l->begin);
        l->next = (size_t)(end + 1 - l->buffer);
        if (darc_csv_is_cut(csv))
            break;
        for (char *b = s; csv->bracketed && b < end; b++) /* of a matrix */
            *b = *b == '[' || *b == ']' || *b == ';' ? ' ' : *b;
        bool again =
            darc_csv_is_header(csv, s) || (csv->live && ends_in_header(csv, s));
        csv->again = csv->again || again;
        if (again || darc_csv_is_comment(csv, s)) {
            darc_csv_next(csv);
            continue;
        }
        darc_err why = {DARC_OK, ""};
        darc_status status = slow_row(csv, value, &why);
        if (status != DARC_OK && csv->begun &&
            !darc_csv_may_be_row(csv, s, true) &&
            (csv->again || darc_csv_leads_to_names(csv))) {
            forget_odd(csv);
            darc_csv_next(csv);
            continue;
        }
        bool bare = l->number > csv->sure && darc_csv_is_bare(csv, s);
        if ((status == DARC_OK && !bare) || !darc_csv_has_ended(csv)) {
            csv->begun = true;
            return status == DARC_OK
                       ? status
                       : darc_fail(err, status, "%s", why.message);
        }
        break;
    }
    forget_odd(csv);
    csv->rest = l->number;
    l->begin = l->whole;
    *row = false;
    return DARC_OK;
}

void darc_csv_next(darc_csv *csv)
{
    csv->lines.begin = csv->lines.next;
    csv->lines.number++;
}
