/* back.c - times that are not later than that of the row before. */
#include "base/mem.h"
#include "base/text.h"
#include "data/reader_state.h"
#include "data/thresholds.h"

#include <math.h>

/* Set *next to the number in the time column of the row that follows; return
 * whether there is one. */
static bool peek_time(double *next, darc_reader *r)
{
    int c = r->take.time_column;
    darc_lines *l = &r->csv.lines;
    if (r->arrays) {
        const double *value;
        size_t at = r->rows + r->skipped + 1, have;
        r->left = 0; /* the window may move */
        if (r->pick >= 0 || at >= r->source.rows ||
            darc_arrayfile_values(&value, &have, &r->source, c, at, NULL) !=
                DARC_OK)
            return false;
        *next = *value;
        return !isnan(*next);
    }
    if (l->next == l->whole && darc_lines_more(l, NULL) != DARC_OK)
        return false;
    size_t begin = l->begin;
    l->begin = l->next;
    size_t n = darc_csv_first(next, 1, &r->csv, c, &r->csv.clock[0].form);
    l->begin = begin;
    return n > 0 && !isnan(*next);
}

/* Return whether a time that goes back begins another recording: it is that of
 * the first row, or names stand above it, and the next row goes on from it. */
static bool begins_anew(darc_reader *r, double t)
{
    double next;
    bool back = r->csv.again || t <= r->first + r->step / 2;
    if (!(r->step > 0) || !back || r->rows < 3 || !peek_time(&next, r))
        return false;
    if (!r->arrays && r->csv.clock[0].any)
        return true;
    next = darc_clock_seconds(&r->clock, next) * r->take.time_scale + r->shift;
    /* behind a time far too late the steps would be lost */
    return next > t && next - t < DARC_APART * r->step &&
           next + r->last > t + r->last;
}

/* Whether Europe or America sets its clocks at a point in time: on a Sunday, on
 * in March, back in October or November. */
static bool is_set_day(int64_t ns, bool on)
{
    const int64_t hour = 3600000000000, day = ns / (24 * hour);
    int64_t h = ns / hour - 24 * day;
    int year = 1970 + (int)((double)day / 365.2425);
    int64_t first = day - darc_stamp_days(year, on ? 3 : 10, 1);
    bool last_week = first >= 24 && first < 31;
    return ns > 0 && (day + 4) % 7 == 0 && h >= 1 && h <= 4 &&
           (last_week ||
            (on ? first >= 7 && first < 14 : first >= 31 && first < 38));
}

void darc_reader_set_clock(darc_reader *r, double *t)
{
    const darc_csv_clock *c = r->csv.clock;
    double by = *t - r->last - r->step;
    if (r->step > 0 && r->step <= 3600 &&
        fabs(fabs(by) - 3600) < DARC_GRID_USUAL * r->step &&
        is_set_day(c[0].last + (c[1].any ? c[1].last : 0), by > 0)) {
        r->set_line = r->set++ == 0 ? r->csv.lines.number : r->set_line;
        r->shift -= by;
        *t -= by;
    }
}

darc_status darc_reader_check_time(const darc_reader *r, double t,
                                   darc_err *err)
{
    int c = r->take.time_column;
    if (fabs(t) < DARC_TIME_MOST)
        return DARC_OK;
    return r->arrays
               ? darc_fail_file(err, r->source.file,
                                "row %zu: time %.12g s is too large",
                                r->rows + r->skipped + 1, t)
               : darc_lines_fail(&r->csv.lines, darc_csv_place(&r->csv, c), err,
                                 "time %.12g s is too large", t);
}

darc_status darc_reader_step_back(darc_reader *r, double *t, bool *known,
                                  darc_err *err)
{
    int c = r->take.time_column;
    if (r->late < r->live) {
        *known = false;
        r->late++;
        return DARC_OK;
    }
    size_t place = r->arrays ? r->rows + r->skipped + 1 : r->csv.lines.number;
    if (*t == r->last && r->clock.may_stand &&
        (double)r->still < DARC_STILL_SHARE * (double)r->rows + 1) {
        r->still_line = r->still++ == 0 ? place : r->still_line;
        *known = false;
        r->again = true;
        return DARC_OK;
    }
    double on = *t - (r->last - r->step); /* from the row before the last */
    bool late = on > 0 && r->last - *t > DARC_APART * on; /* that one alone */
    if (r->anew == 0 && !late)
        r->parted_by =
            darc_reader_propose(r, c, r->clock.form, r->row + r->slot_of[c]);
    if (*t < r->last && !late && begins_anew(r, *t)) {
        r->back_line = r->anew++ == 0 ? place : r->back_line;
        r->shift += r->last - *t + DARC_APART * r->step;
        r->first = r->last + DARC_APART * r->step;
        *t = r->first;
        r->apart = true;
        return DARC_OK;
    }
    char *each =
        r->parted_by != NULL
            ? darc_text_of("; --each %s makes a recording of each value there, "
                           "FILE[COLUMN=VALUE] takes one",
                           r->parted_by)
        : r->arrays ? darc_strdup("")
        : r->rows == 1 && place > 2
            ? darc_text_of("; if the last row stands first, (head -n %zu FILE; "
                           "tail -n +%zu FILE | tac) >run.csv turns it",
                           place - 2, place - 1)
            : darc_strdup(r->csv.clock[0].any
                              ? "; where a clock was set back (summer time?), "
                                "FILE[0:T] takes what is before"
                              : "");
    darc_status status =
        r->arrays
            ? darc_fail_file(err, r->source.file,
                             "row %zu: time %.12g s does not increase (%.12g s "
                             "in the row before)%s",
                             place, *t, r->last, each)
            : darc_lines_fail(&r->csv.lines, darc_csv_place(&r->csv, c), err,
                              "time %.12g s does not increase (%.12g s in the "
                              "row before)%s",
                              *t - r->shift, r->last - r->shift, each);
    darc_free(each);
    return status;
}
