/* csv_end.c - where the rows of a table end. */
#include "files/csv.h"

#include <string.h>

int darc_csv_lead(const darc_csv *csv)
{
    int lead = csv->clock[0].column;
    while (lead < 0 || csv->slot[lead] < 0)
        lead++;
    return lead;
}

/* As a number of any notation begins, or inf. */
static bool begins_as_number(const darc_cell *cell)
{
    size_t sign = cell->n > 0 && strchr("+-.,", *cell->s) != NULL;
    const char *s = cell->s + sign;
    return (cell->n > sign && strchr("0123456789", *s) != NULL) ||
           (cell->n >= sign + 3 &&
            darc_csv_is_word(&(darc_cell){s, 3, false}, "inf"));
}

bool darc_csv_is_bare(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv);
    while (s < end && (*s == csv->separator || darc_csv_is_blank(*s)))
        s++;
    return s == end;
}

bool darc_csv_may_be_row(const darc_csv *csv, const char *s, bool cut)
{
    const char *end = darc_csv_line_end(s, csv), *at = s;
    int lead = darc_csv_lead(csv), cells = 0, numbers = 0, words = 0;
    bool is = false;
    for (darc_cell cell; at != NULL; cells++) {
        if (darc_csv_cell(&cell, &at, end, csv, NULL) != DARC_OK)
            break;
        if (cells >= csv->columns || csv->slot[cells] < 0)
            continue;
        darc_csv_strip(&cell, csv, cells);
        darc_stamp stamp;
        bool gap = darc_csv_is_gap(&cell), number = begins_as_number(&cell);
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
        words += csv->slot[c] >= 0; /* what is missing is no number either */
    return is && words <= numbers && !(cut && cells < csv->columns);
}

bool darc_csv_has_ended(darc_csv *csv)
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
        if (!darc_csv_is_comment(csv, s) && !darc_csv_is_bare(csv, s) &&
            darc_csv_may_be_row(csv, s, l->cut && at == whole)) {
            csv->sure = number;
            return false;
        }
    }
    return l->ended;
}

bool darc_csv_leads_to_names(const darc_csv *csv)
{
    const darc_lines *l = &csv->lines;
    for (size_t at = l->next; at < l->whole;) {
        const char *s = l->buffer + at;
        at += (size_t)((const char *)memchr(s, '\n', l->whole - at) + 1 - s);
        if (darc_csv_is_header(csv, s))
            return true;
        if (!darc_csv_is_comment(csv, s) && darc_csv_may_be_row(csv, s, true))
            return false;
    }
    return false;
}

/* How many digits end the line behind a decimal mark or the sign of a power. */
static size_t last_digits(const char *s, const darc_csv *csv)
{
    const char *end = darc_csv_line_end(s, csv), *d = end;
    while (d > s && strchr("0123456789", d[-1]) != NULL)
        d--;
    bool power = d - s > 1 && (d[-2] | 0x20) == 'e';
    bool mark = d > s && strchr(".,", d[-1]) && d[-1] != csv->separator;
    return mark || power ? (size_t)(end - d) : 0;
}

bool darc_csv_is_cut(const darc_csv *csv)
{
    enum { ROWS = 4 };
    const darc_lines *l = &csv->lines;
    const char *b = l->buffer, *s = b + l->begin;
    size_t digits = 0;
    bool same = true;
    if (!l->cut || l->next < l->whole || !csv->begun)
        return false;
    for (int row = 0; row < ROWS; row++) {
        if (s - b < 2)
            return false;
        for (s--; s > b && s[-1] != '\n';)
            s--;
        size_t n = last_digits(s, csv);
        if (n == 0)
            return false;
        same = same && (row == 0 || n == digits);
        digits = n;
    }
    size_t last = last_digits(b + l->begin, csv);
    return same ? last < digits : last == 0;
}
