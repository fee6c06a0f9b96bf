#define _GNU_SOURCE /* memmem */

#include "files/csv.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Whether the values of column c are read. */
static bool is_used(const darc_csv *csv, int c)
{
    return csv->slot != NULL && c < csv->columns && csv->slot[c] >= 0;
}

/* The first column that is used, time before others: what a row begins with. */
static int lead_column(const darc_csv *csv)
{
    int lead = csv->clock[0].column;
    while (lead < 0 || !is_used(csv, lead))
        lead++;
    return lead;
}

/* Whether the line may be a row: its time, or the first value that is used,
 * begins as a number, and not fewer others than do not; `cut`: and it has all
 * cells. */
static bool may_be_row(const darc_csv *csv, const char *s, bool cut)
{
    const char *end = darc_csv_line_end(s, csv), *at = s;
    int lead = csv->slot != NULL ? lead_column(csv) : -1, cells = 0,
        numbers = 0, words = 0;
    bool is = false;
    for (darc_cell cell; at != NULL; cells++) {
        if (darc_csv_cell(&cell, &at, end, csv, NULL) != DARC_OK)
            break;
        if (!is_used(csv, cells))
            continue;
        darc_csv_strip(&cell, csv, cells);
        darc_stamp stamp;
        size_t sign = cell.n > 0 && strchr("+-.,", *cell.s) != NULL;
        bool gap = darc_csv_is_gap(&cell),
             number = (cell.n > sign && isdigit((unsigned char)cell.s[sign])) ||
                      darc_csv_is_infinite(&cell, false);
        number = number ||
                 (cells == csv->clock[0].column &&
                  darc_stamp_read(&stamp, cell.s, cell.n, csv->clock[0].form));
        bool count = cells == csv->clock[0].column && csv->clock[0].any &&
                     strspn(cell.s, "0123456789") >= cell.n && cell.n < 6;
        is = is || (cells == lead && (gap || number) && (gap || !count));
        numbers += number;
        words += !gap && !number;
    }
    for (int c = cells; c < csv->columns && words > 0; c++)
        words += is_used(csv, c); /* what is missing is no number either */
    if (csv->slot == NULL)
        return cells == csv->columns;
    return is && words <= numbers && !(cut && cells < csv->columns);
}

/* Whether the line at hand and all below it are no rows: what loggers write
 * below a table, the last row of one that was cut off. */
static bool has_ended(darc_csv *csv)
{
    darc_lines *l = &csv->lines;
    size_t whole;
    if (!csv->begun || csv->live)
        return false;
    do {
        whole = l->whole;
        if (darc_lines_more(l, NULL) != DARC_OK)
            return false;
    } while (l->whole > whole);
    size_t number = l->number;
    for (size_t at = l->begin; at < whole; number++) {
        const char *s = l->buffer + at;
        at += (size_t)((const char *)memchr(s, '\n', whole - at) + 1 - s);
        if (!darc_csv_is_comment(csv, s) &&
            !darc_csv_is_bare(s, darc_csv_line_end(s, csv)) &&
            may_be_row(csv, s, l->cut && at == whole)) {
            csv->sure = number;
            return false;
        }
    }
    return l->ended;
}

/* Whether what follows the line at hand is no row until the names stand again:
 * a logger's title of its next run. */
static bool leads_to_names(const darc_csv *csv)
{
    const darc_lines *l = &csv->lines;
    for (size_t at = l->next; at < l->whole;) {
        const char *s = l->buffer + at;
        at += (size_t)((const char *)memchr(s, '\n', l->whole - at) + 1 - s);
        if (darc_csv_is_header(csv, s))
            return true;
        if (!darc_csv_is_comment(csv, s) && may_be_row(csv, s, true))
            return false;
    }
    return false;
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
    bool is = darc_stamp_read(&stamp, cell->s, cell->n, (darc_stamp_form){0});
    if (isinf(x))
        why = "lies outside the range of a double";
    else if (time && is && csv->clock[0].numbers)
        why = "is a point in time, where the rows above have numbers";
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
    else if (cell->lacks || (csv->suffix != NULL && csv->suffix[c] != NULL &&
                             darc_csv_behind_number(cell) > 0))
        why = "has another unit than the rows above (write all in one)";
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
        if (c == csv->clock[k].column && !csv->clock[k].numbers &&
            (csv->clock[k].any || !darc_csv_number(x, cell, csv)) &&
            darc_csv_stamp(x, cell, &csv->clock[k]))
            return DARC_OK;
    bool number =
        darc_csv_number(x, cell, csv) && !(cell->lacks && fabs(*x) > 0);
    bool stamps = c == csv->clock[0].column && csv->clock[0].any;
    if (number && !isinf(*x) && (!stamps || isnan(*x))) {
        if (cell->scaled && !isnan(*x) &&
            strchr("0123456789. ", cell->s[cell->n - 1]) == NULL)
            keep_odd(&csv->scaled, cell, csv);
        return DARC_OK;
    }
    if (!number && darc_csv_is_infinite(cell, true)) {
        *x = NAN;
        keep_odd(&csv->infinite, cell, csv);
        return DARC_OK;
    }
    darc_err why = {DARC_OK, ""};
    darc_status status = fail_cell(cell, number ? *x : 0, csv, c, &why);
    if (csv->odd == NULL || c == lead_column(csv))
        return darc_fail(err, status, "%s", why.message);
    keep_odd(&csv->odd[c], cell, csv);
    csv->odd_line = csv->lines.number;
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
                               "NUL byte: what stood there is lost "
                               "(tr -d '\\0' <FILE >run.csv takes them out)");
    int c = 0, last = csv->columns - 1;
    bool value_last = false, bare = false;
    for (; s != NULL; c++) {
        darc_cell cell = {0};
        DARC_NEED(darc_csv_cell(&cell, &s, end, csv, err));
        if (c > last && !cell.quoted &&
            (cell.n > 0 ? darc_csv_is_hash(cell.s[0])
                        : s == NULL && (c < csv->widest || csv->widest == 0))) {
            bare = false; /* a comment, a separator at the end */
            break;
        }
        if (c == last) {
            size_t n = cell.n;
            darc_csv_uncomment(&cell);
            s = cell.n < n ? NULL : s;
        }
        double x;
        bare = cell.n == 0 && !cell.quoted;
        value_last =
            c == last - 1 && cell.n > 0 && darc_csv_number(&x, &cell, csv);
        if (!is_used(csv, c))
            continue;
        DARC_NEED(read_cell(&x, &cell, csv, c, err));
        value[csv->slot[c]] = x;
    }
    bool comment = csv->ragged || strcasecmp(csv->name[last], "comment") == 0;
    if (c == last && c > 0 && !is_used(csv, c) && value_last && comment)
        return DARC_OK; /* LabVIEW: no comment in this row */
    bool lost = bare && c == csv->columns && csv->widest > c;
    if (c == csv->columns && !lost) /* rows end in a separator: one is lost */
        return DARC_OK;
    c -= lost;
    /* Each decimal comma makes two cells of one. */
    bool marks =
             csv->separator == ',' && c > csv->columns && c <= 2 * csv->columns,
         index = csv->separator == ' ' && c == csv->columns + 1;
    return darc_lines_fail(
        &csv->lines, (size_t)(end - line) + 1, err,
        "%d cell%s where %s %zu has %d%s", c, c == 1 ? "" : "s",
        csv->named ? "the header in line" : "line", csv->header_line,
        csv->columns,
        marks   ? "; if commas are decimal marks here, part the cells with ';' "
                  "or quote the numbers"
        : index ? "; if the first column has no name: sed '1s/^/n /' FILE "
                  ">run.csv gives it one"
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
        csv->passed++;
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

/* Go on behind the line at s, which is no row; note that it is of a level
 * above. */
static void pass_over(darc_csv *csv, const char *s)
{
    if (darc_csv_is_above(csv, s) && csv->above++ == 0)
        csv->level_line = csv->lines.number;
    darc_csv_next(csv);
}

/* Read the line at s if it is a row of plain numbers; return whether it is. The
 * next line begins behind it in any case. */
static bool take_fast(darc_csv *csv, const char *s, double *value)
{
    darc_lines *l = &csv->lines;
    bool plain = csv->slot != NULL && csv->point_sure && csv->pick < 0 &&
                 csv->levels == 0 && !csv->lacks && !csv->clock[0].any &&
                 csv->point != csv->separator;
    const char *end = plain ? fast_row(csv, s, value) : NULL;
    bool fast = end != NULL;
    if (!fast)
        end = (const char *)memchr(s, '\n', l->whole - l->begin) + 1;
    l->next = (size_t)(end - l->buffer);
    return fast;
}

darc_status darc_csv_row(darc_csv *csv, double *value, bool *row, darc_err *err)
{
    darc_lines *l = &csv->lines;
    for (;;) {
        DARC_NEED(go_to_line(csv, row, err));
        if (!*row)
            return DARC_OK;
        char *s = l->buffer + l->begin;
        bool fast = take_fast(csv, s, value);
        if ((csv->cut_off = darc_csv_is_cut(csv)))
            break;
        csv->begun = csv->begun || fast;
        if (fast)
            return DARC_OK;
        if (csv->bracketed)
            darc_csv_unbracket(s, l->buffer + l->next - 1);
        bool again =
            darc_csv_is_header(csv, s) || (csv->live && ends_in_header(csv, s));
        csv->again = csv->again || again;
        bool bare = darc_csv_is_bare(s, darc_csv_line_end(s, csv));
        bool blank = bare && csv->columns == 1; /* or a gap */
        if (again || darc_csv_is_comment(csv, s) || (blank && has_ended(csv))) {
            pass_over(csv, s);
            continue;
        }
        darc_err why = {DARC_OK, ""};
        const darc_csv_clock clock[] = {csv->clock[0], csv->clock[1]};
        darc_status status = slow_row(csv, value, &why);
        if (status != DARC_OK) /* a line that is no row tells no time */
            memcpy(csv->clock, clock, sizeof clock);
        bool odd = status != DARC_OK || csv->odd_line == l->number;
        if (odd && csv->begun && !may_be_row(csv, s, true) &&
            (csv->again || leads_to_names(csv))) {
            forget_odd(csv);
            darc_csv_next(csv);
            continue;
        }
        bare = bare && l->number > csv->sure;
        if ((!odd && !bare) || !has_ended(csv)) {
            csv->begun = true;
            if (blank)
                keep_odd(&csv->infinite,
                         &(darc_cell){.s = "blank line", .n = 10}, csv);
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
