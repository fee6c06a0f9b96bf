#define _GNU_SOURCE /* memmem */

#include "files/csv.h"

#include "base/limits.h"
#include "base/mem.h"
#include "files/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *darc_csv_line_end(const char *s, const darc_csv *csv)
{
    const char *limit = csv->lines.buffer + csv->lines.whole;
    const char *end = memchr(s, '\n', (size_t)(limit - s));
    return end > s && end[-1] == '\r' ? end - 1 : end;
}

/* Whether runs of blanks part the cells. */
static bool by_blanks(char separator)
{
    return separator == ' ' || separator == DARC_CSV_WIDE;
}

static const char *skip_blanks(const char *s, const char *end, char separator)
{
    while (s < end && darc_csv_is_blank(*s) &&
           (by_blanks(separator) || *s != separator))
        s++;
    return s;
}

/* The end of the cell at s: the separator, or the end of the line; a part
 * in brackets (a unit) may hold blanks. */
static const char *cell_end(const char *s, const char *end, char separator)
{
    if (!by_blanks(separator)) {
        const char *found = memchr(s, separator, (size_t)(end - s));
        return found != NULL ? found : end;
    }
    for (int depth = 0; s < end; s++) {
        depth += (*s == '[') - (*s == ']');
        if (darc_csv_is_blank(*s) && depth <= 0 &&
            (separator == ' ' || *s == '\t' ||
             (s + 1 < end && darc_csv_is_blank(s[1]))))
            break;
    }
    return s;
}

darc_status darc_csv_cell(darc_cell *cell, const char **s, const char *end,
                          const darc_csv *csv, darc_err *err)
{
    char separator = csv->separator;
    const char *line = csv->lines.buffer + csv->lines.begin;
    const char *begin = skip_blanks(*s, end, separator), *stop;
    cell->quoted = begin < end && *begin == '"';
    if (cell->quoted) {
        const char *close = memchr(begin + 1, '"', (size_t)(end - begin - 1));
        while (close != NULL && close + 1 < end && close[1] == '"')
            close = memchr(close + 2, '"', (size_t)(end - close - 2));
        if (close == NULL)
            return darc_lines_fail(&csv->lines, (size_t)(begin - line) + 1, err,
                                   "the quote is not closed on this line");
        *cell = (darc_cell){begin + 1, (size_t)(close - begin - 1), true};
        stop = cell_end(close, end, separator);
        if (stop != skip_blanks(close + 1, stop, separator))
            return darc_lines_fail(&csv->lines, (size_t)(close - line) + 2, err,
                                   "text after the closing quote");
    } else {
        stop = cell_end(begin, end, separator);
        cell->s = begin;
        cell->n = (size_t)(stop - begin);
        while (cell->n > 0 && darc_csv_is_blank(cell->s[cell->n - 1]))
            cell->n--;
    }
    if (cell->n > DARC_MAX_FIELD)
        return darc_lines_fail(&csv->lines, (size_t)(begin - line) + 1, err,
                               "cell of %zu bytes (at most %d)", cell->n,
                               DARC_MAX_FIELD);
    bool blanks = by_blanks(separator);
    if (blanks)
        stop = skip_blanks(stop, end, separator);
    *s = stop == end ? NULL : stop + !blanks;
    return DARC_OK;
}

darc_status darc_csv_head_cell(darc_cell *cell, const char **s, const char *end,
                               const darc_csv *csv, darc_err *err)
{
    darc_cell unit;
    const char *from = *s;
    if (darc_csv_cell(cell, s, end, csv, NULL) != DARC_OK) { /* "DB".Speed */
        const char *stop = cell_end(from, end, csv->separator);
        int quotes = 0;
        for (const char *q = from; q < stop; q++)
            quotes += *q == '"';
        if (quotes % 2 > 0 || by_blanks(csv->separator))
            return darc_csv_cell(cell, s, end, csv, err);
        *cell = (darc_cell){from, (size_t)(stop - from), false};
        *s = stop < end ? stop + 1 : NULL;
    }
    if (!by_blanks(csv->separator) || *s == NULL || **s != '[' ||
        (cell->n > 0 && cell->s[0] == '['))
        return DARC_OK;
    DARC_NEED(darc_csv_cell(&unit, s, end, csv, err));
    cell->n = (size_t)(unit.s + unit.n - cell->s);
    return DARC_OK;
}

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

bool darc_csv_is_comment(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv);
    const char *line = s;
    s = skip_blanks(s, end, csv->separator);
    if (s == end || darc_csv_is_hash(*s) || *s == 0x1a) /* end of DOS */
        return true;
    darc_cell cell;
    return csv->pick >= 0 &&
           darc_csv_find(&cell, csv, line, csv->pick) > csv->pick &&
           (cell.n != strlen(csv->picked) ||
            memcmp(cell.s, csv->picked, cell.n) != 0);
}

bool darc_csv_is_header(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv);
    bool same = csv->named;
    size_t run = csv->run != NULL ? strlen(csv->run) : 0;
    if (run > 0 && (size_t)(end - s) > run && memcmp(s, csv->run, run) == 0)
        return true;
    for (int c = 0; c < csv->columns && same; c++) {
        darc_cell cell = {0};
        size_t n = strlen(csv->name[c]);
        same = s != NULL &&
               darc_csv_cell(&cell, &s, end, csv, NULL) == DARC_OK &&
               cell.n >= n && memcmp(cell.s, csv->name[c], n) == 0 &&
               (cell.n == n || darc_csv_is_blank(cell.s[n]));
    }
    return same;
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

int darc_csv_find(darc_cell *cell, const darc_csv *csv, const char *s, int c)
{
    const char *end = darc_csv_line_end(s, csv);
    int cells = 0;
    *cell = (darc_cell){s, 0, false};
    for (darc_cell one; s != NULL; cells++) {
        if (darc_csv_cell(&one, &s, end, csv, NULL) != DARC_OK)
            break;
        if (cells == c)
            *cell = one;
    }
    return cells;
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

darc_status darc_csv_row(darc_csv *csv, double *value, bool *row, darc_err *err)
{
    darc_lines *l = &csv->lines;
    for (;;) {
        if (l->begin == l->whole)
            DARC_NEED(darc_lines_fill(l, err));
        *row = l->begin < l->whole;
        if (!*row)
            return DARC_OK;
        if (csv->pick >= 0)
            skip_others(csv);
        if (l->begin == l->whole)
            continue;
        if (csv->live && l->cut &&
            memchr(l->buffer + l->begin, '\n', l->whole - l->begin) ==
                l->buffer + l->whole - 1) {
            l->begin = l->whole; /* its last number may not be all of it */
            continue;
        }
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
