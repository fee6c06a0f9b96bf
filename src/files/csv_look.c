/* csv_look.c - what lines and the first rows hold. */
#include "files/csv.h"
#include "files/thresholds.h"

#include <math.h>
#include <string.h>

/* Step from line to line that is in memory: set *s to the next row. */
static bool next_line(const char **s, size_t *at, const darc_csv *csv)
{
    const darc_lines *l = &csv->lines;
    while (*at < l->whole) {
        *s = l->buffer + *at;
        *at +=
            (size_t)((const char *)memchr(*s, '\n', l->whole - *at) + 1 - *s);
        if (!darc_csv_is_comment(csv, *s))
            return true;
    }
    return false;
}

static void look_at_cell(darc_csv_look *to, const darc_cell *cell,
                         darc_csv *csv)
{
    double x;
    darc_stamp stamp;
    darc_stamp_form form = {0, 0};
    if (darc_csv_is_gap(cell)) {
        to->gaps++;
    } else if (darc_csv_number(&x, cell, csv) || darc_csv_is_infinite(cell)) {
        to->numbers++;
    } else if (darc_stamp_read(&stamp, cell->s, cell->n, form)) {
        bool pair = stamp.pair && !stamp.day;
        to->stamps++;
        to->dates += stamp.day && !stamp.clock;
        to->clocks += !stamp.day && !stamp.elapsed;
        to->pairs += pair;
        to->minutes |=
            pair && (stamp.minutes || stamp.ns >= 25 * (int64_t)3600000000000);
    } else {
        to->words++;
    }
}

void darc_csv_look_at(darc_csv_look *look, darc_csv *csv)
{
    char point = csv->point;
    bool sure = csv->point_sure;
    size_t at = csv->lines.begin;
    const char *s;
    memset(look, 0, (size_t)csv->columns * sizeof *look);
    for (int row = 0; row < DARC_LOOK_ROWS && next_line(&s, &at, csv); row++) {
        const char *end = darc_csv_line_end(s, csv);
        darc_cell cell;
        if (darc_csv_is_header(csv, s))
            continue;
        for (int c = 0; c < csv->columns && s != NULL; c++) {
            if (darc_csv_cell(&cell, &s, end, csv, NULL) != DARC_OK)
                break;
            if (c == csv->columns - 1)
                darc_csv_uncomment(&cell);
            look_at_cell(look + c, &cell, csv);
        }
    }
    csv->point = point;
    csv->point_sure = sure;
}

size_t darc_csv_first(double *x, size_t n, darc_csv *csv, int c,
                      darc_stamp_form form)
{
    darc_csv_clock clock;
    char point = csv->point;
    bool sure = csv->point_sure;
    size_t count = 0, at = csv->lines.begin;
    const char *s;
    darc_csv_clock_init(&clock, c);
    clock.form = form;
    while (count < n && next_line(&s, &at, csv)) {
        darc_cell cell;
        darc_csv_find(&cell, csv, s, c);
        if (!darc_csv_number(x + count, &cell, csv) || clock.any)
            if (!darc_csv_stamp(x + count, &cell, &clock))
                x[count] = NAN;
        count++;
    }
    csv->point = point;
    csv->point_sure = sure;
    return count;
}

size_t darc_csv_first_texts(double *x, size_t n, darc_csv *csv, int c,
                            double (*number_of)(const darc_cell *cell))
{
    size_t count = 0, at = csv->lines.begin;
    for (const char *s; count < n && next_line(&s, &at, csv); count++) {
        darc_cell cell;
        darc_csv_find(&cell, csv, s, c);
        x[count] = number_of(&cell);
    }
    return count;
}

bool darc_csv_trim(size_t *begin, size_t *end, bool *bracketed, const char *b)
{
    size_t i = *begin, n = *end;
    while (i < n && b[i] == ' ')
        i++;
    bool comment = darc_csv_is_hash(b[i]);
    while (i < n && darc_csv_is_blank(b[i]))
        i++;
    *bracketed = b[i] == '[' && memchr(b + i, ']', n - i) == NULL;
    while (comment && i < n &&
           (darc_csv_is_hash(b[i]) || darc_csv_is_blank(b[i])))
        i++;
    if (comment || *bracketed || i == n)
        *begin = i + *bracketed;
    while (n > *begin && (darc_csv_is_blank(b[n - 1]) || b[n - 1] == ']'))
        n--;
    if (n > *begin && b[n - 1] == ';' &&
        memchr(b + *begin, ';', n - 1 - *begin) == NULL)
        *end = n - 1;
    return comment;
}
