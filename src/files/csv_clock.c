/* csv_clock.c - columns of points in time. */
#include "files/csv.h"

#include "base/each.h"

/* Read the day in that order. */
static bool read_as(darc_stamp *stamp, const darc_cell *cell,
                    const darc_csv_clock *c, char order)
{
    darc_stamp_form form = c->form;
    form.order = order;
    return darc_stamp_read(stamp, cell->s, cell->n, form);
}

/* Days are written with numbers that may be day and month or month and day:
 * let *ns be the point in time that goes on from the last, or prove it. Until
 * then all rows are of one day, whichever it is. */
static void settle_order(int64_t *ns, darc_csv_clock *c, const darc_cell *cell)
{
    darc_stamp d, m, y;
    bool is_d = read_as(&d, cell, c, 'd'),
         is_m = read_as(&m, cell, c, 'm') && !m.dots,
         is_y = read_as(&y, cell, c, 'y'), was_y = c->by_year;
    int64_t on = *ns - c->last, on_y = is_y ? y.ns - c->third : 0;
    c->by_year = is_y && (was_y || !c->any);
    c->third = is_y ? y.ns : 0;
    if (c->by_year && c->any && on != on_y && on_y >= 0 &&
        (on < 0 || on / 300 > on_y)) { /* a year on, where a day is */
        c->first += c->third - on_y - c->last;
        *ns = y.ns;
        c->form.order = 'y';
        c->chosen = true;
        return;
    }
    bool both = is_d && is_m, by_month = is_m && (!is_d || m.ns == *ns);
    int64_t other = both ? (by_month ? d.ns : m.ns) : *ns;
    if (both && c->any && by_month != c->by_month) { /* as the last was read */
        DARC_SWAP(int64_t, other, *ns);
        by_month = c->by_month;
    }
    int64_t one = *ns - c->last, two = other - c->other;
    bool turn =
        both ? two >= 0 && (one < 0 || two < one) : by_month != c->by_month;
    bool same = c->by_year && on == on_y; /* nothing tells so far */
    if (c->any && !same && (!both || one != two)) {
        c->first += turn ? c->other - c->last : 0;
        *ns = turn ? other : *ns;
        c->form.order = (both && turn) != by_month ? 'm' : 'd';
        c->chosen = both;
    } else if (!both && !c->by_year) {
        c->form.order = by_month ? 'm' : 'd';
    }
    c->by_month = by_month;
    c->other = other;
}

bool darc_csv_stamp(double *x, const darc_cell *cell, darc_csv_clock *c)
{
    const int64_t hour = 3600000000000, day = 24 * hour;
    darc_stamp stamp;
    if (!darc_stamp_read(&stamp, cell->s, cell->n, c->form) ||
        (c->any && (stamp.day ? c->days == 0 : c->days > 1)))
        return false;
    c->days += stamp.day && c->days < 2;
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
    c->counted |= stamp.counted;
    c->pair |= stamp.pair && !stamp.day && !stamp.fraction;
    c->last = ns;
    *x = (double)(ns - c->first) * 1e-9;
    return true;
}
