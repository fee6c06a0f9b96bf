/* csv_look.c - columns of points in time; what the first rows hold. */
#include "files/csv.h"
#include "files/thresholds.h"

#include <math.h>
#include <string.h>

void darc_csv_clock_init(darc_csv_clock *clock, int column)
{
    *clock = (darc_csv_clock){.column = column};
}

/* Days are written with numbers that may be day and month or month and day:
 * let *ns be the point in time that goes on from the last, or prove it. Until
 * then all rows are of one day, whichever it is. */
static void settle_order(int64_t *ns, darc_csv_clock *c, const darc_cell *cell)
{
    darc_stamp d, m;
    bool is_d = darc_stamp_read(&d, cell->s, cell->n,
                                (darc_stamp_form){'d', c->form.clock});
    bool is_m = darc_stamp_read(&m, cell->s, cell->n,
                                (darc_stamp_form){'m', c->form.clock});
    bool both = is_d && is_m, by_month = is_m && (!is_d || m.ns == *ns);
    int64_t other = both ? (by_month ? d.ns : m.ns) : *ns;
    int64_t one = *ns - c->last, two = other - c->other;
    bool turn =
        both ? two >= 0 && (one < 0 || two < one) : by_month != c->by_month;
    if (c->any && (!both || one != two)) {
        c->first += turn ? c->other - c->last : 0;
        *ns = turn ? other : *ns;
        c->form.order = (both && turn) != by_month ? 'm' : 'd';
        c->chosen = both;
    } else if (!both) {
        c->form.order = by_month ? 'm' : 'd';
    }
    c->by_month = by_month;
    c->other = other;
}

bool darc_csv_stamp(double *x, const darc_cell *cell, darc_csv_clock *c)
{
    const int64_t hour = 3600000000000, day = 24 * hour;
    darc_stamp stamp;
    if (!darc_stamp_read(&stamp, cell->s, cell->n, c->form))
        return false;
    int64_t ns = stamp.ns, period = 0;
    if (c->form.order == 0 && stamp.ordered)
        settle_order(&ns, c, cell);
    if (!c->any)
        c->first = c->last = ns;
    if (!stamp.elapsed && !c->whole)
        period = stamp.yearless  ? 365 * day
                 : stamp.minutes ? hour
                 : stamp.day     ? 0
                                 : day;
    int64_t back = c->last - period / 2 - ns;
    if (period > 0 && back > 0)
        ns += (back + period - 1) / period * period;
    c->any = true;
    c->yearless |= stamp.yearless;
    c->pair |= stamp.pair && !stamp.day && !stamp.fraction;
    c->last = ns;
    *x = (double)(ns - c->first) * 1e-9;
    return true;
}

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
