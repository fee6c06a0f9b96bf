#include "data/calendar.h"

#include "base/text.h"
#include "data/reader.h"
#include "data/thresholds.h"
#include "data/timename.h"
#include "formats/unitword.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, YEARDAY, HHMM, PARTS };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_pace(darc_pace *p, const double *x)
{
    size_t steps = 0;
    p->still = p->back = 0;
    double step[DARC_CLOCK_ROWS];
    for (size_t i = 1; i < p->n; i++) {
        p->still += x[i] == x[i - 1];
        p->back += x[i] < x[i - 1];
        if (x[i] > x[i - 1])
            step[steps++] = x[i] - x[i - 1];
    }
    qsort(step, steps, sizeof *step, by_size);
    p->step = steps > 0 ? step[steps / 2] : 0;
    p->first = p->n > 0 ? x[0] : NAN;
    p->last = p->n > 0 ? x[p->n - 1] : NAN;
}

darc_status darc_pace_read(darc_pace *p, double *x, const darc_columns *columns,
                           int c, darc_err *err)
{
    double own[DARC_CLOCK_ROWS];
    x = x != NULL ? x : own;
    *p = (darc_pace){0};
    DARC_NEED(columns->look(&p->look, columns->user, c, err));
    DARC_NEED(columns->first(x, &p->rows, columns->user, c, p->look.form, err));
    for (size_t i = 0; i < p->rows; i++)
        if (isfinite(x[i]))
            x[p->n++] = x[i];
    measure_pace(p, x);
    return DARC_OK;
}

bool darc_column_is_stamped(const darc_column_look *look)
{
    return look->kind == DARC_COLUMN_STAMPS || look->kind == DARC_COLUMN_DAYS ||
           look->kind == DARC_COLUMN_CLOCK;
}

/* Which part of a point in time has that name; `hours`: one of hours stands in
 * front, so that mm are minutes. */
static int part_of(const char *name, bool hours)
{
    static const darc_word known[] = {DARC_WORDS_CALENDAR};
    double part = DARC_WORD(known, name, strlen(name));
    if (strcasecmp(name, "mm") == 0)
        return hours ? MINUTE : MONTH;
    return isnan(part) ? -1 : (int)part;
}

/* Set part to the columns that have such a name, -1 where none has. */
static void name_parts(int part[PARTS], const darc_columns *columns)
{
    for (int k = 0; k < PARTS; k++)
        part[k] = -1;
    for (int c = 0; c < columns->count; c++) {
        int k = part_of(columns->name[c], part[HOUR] >= 0);
        if (k >= 0 && part[k] < 0)
            part[k] = c;
    }
}

/* From where to where the numbers of a part go, and s of one. */
typedef struct {
    double low, high, seconds;
    int column;
} range;

static const range ranges[PARTS] = {
    {1, 2200, 0, 0}, {1, 13, 0, 0}, {1, 32, 0, 0},  {0, 24.5, 3600, 0},
    {0, 60, 60, 0},  {0, 61, 1, 0}, {1, 367, 0, 0}, {0, 2401, -1, 0}};

/* s of what a column counts in that unit. */
static double part_seconds(double x, double seconds)
{
    return seconds < 0 ? 3600 * floor(x / 100) + 60 * fmod(x, 100)
                       : x * seconds;
}

static range range_of(int i, const int part[PARTS])
{
    range of = ranges[i];
    of.column = part[i];
    return of;
}

/* Set *is to whether column c has numbers of the range in its first rows, n of
 * them; x to these. */
static darc_status has_range(bool *is, double *x, size_t n, range of,
                             const darc_columns *columns, darc_err *err)
{
    darc_pace p;
    DARC_NEED(darc_pace_read(&p, x, columns, of.column, err));
    *is = p.look.kind == DARC_COLUMN_NUMBERS && p.n == n && n > 0;
    for (size_t i = 0; i < p.n; i++)
        *is = *is && x[i] >= of.low && x[i] < of.high;
    return DARC_OK;
}

/* Try what a column counts within the points in time. */
static darc_status add_one(darc_clock *k, darc_pace *p, double *x, range of,
                           const darc_columns *columns, darc_err *err)
{
    bool is;
    double y[DARC_CLOCK_ROWS];
    DARC_NEED(has_range(&is, y, p->n, of, columns, err));
    for (size_t i = 0; i < p->n && is; i++)
        x[i] += part_seconds(y[i], of.seconds);
    if (is)
        k->part[k->parts++] = (darc_time_part){of.column, of.seconds};
    return DARC_OK;
}

/* The last word of a name. */
static const char *last_word(const char *name)
{
    const char *s = name + strlen(name);
    while (s > name && strchr(" ._", s[-1]) == NULL)
        s--;
    return s;
}

darc_status darc_calendar_add(darc_clock *k, darc_pace *p, double *x,
                              const darc_columns *columns, darc_err *err)
{
    int part[PARTS];
    bool days = p->look.kind == DARC_COLUMN_DAYS || k->scale == 1e6;
    name_parts(part, columns);
    for (int i = HOUR; i <= SECOND; i++) /* within days */
        if (days && part[i] >= 0 && part[i] != k->column &&
            (i == HOUR || part[i - 1] >= 0) && k->parts < DARC_TIME_PARTS)
            DARC_NEED(add_one(k, p, x, range_of(i, part), columns, err));
    for (int c = 0; c < columns->count && k->parts == 0 && !days; c++) {
        const char *name = columns->name[c];
        int unit = darc_time_unit(last_word(name));
        double seconds = unit > 0 ? darc_time_unit_seconds(unit) : 0;
        if (strncasecmp(name, "fraction", 8) == 0)
            seconds = 1;
        else if (seconds >= 1)
            continue;
        if (c != k->column && seconds > 0)
            DARC_NEED(add_one(k, p, x, (range){0, 1 / seconds, seconds, c},
                              columns, err));
    }
    measure_pace(p, x);
    return DARC_OK;
}

double darc_clock_time(const darc_clock *clock, double x, const double *part)
{
    int i = 0;
    if (clock->code == DARC_TIME_YEARDAY) {
        if (!(x >= 0 && x < 1e4 && part[0] >= 1 && part[0] < 367))
            return NAN;
        x = 86400. * ((double)darc_stamp_days((int)x, 1, 1) + part[0] - 1);
        i = 1;
    } else if (clock->code == DARC_TIME_CALENDAR) {
        double year = x + (x < 69 ? 2000 : x < 100 ? 1900 : 0);
        if (!(year >= 0 && year < 1e4 && part[0] >= 1 && part[0] < 13 &&
              part[1] >= 1 && part[1] < 32))
            return NAN;
        x = 86400. *
            (double)darc_stamp_days((int)year, (int)part[0], (int)part[1]);
        i = 2;
    }
    for (; i < clock->parts; i++)
        x += part_seconds(part[i], clock->part[i].seconds);
    return x;
}

double darc_clock_seconds(const darc_clock *clock, double x)
{
    if (clock->code == DARC_TIME_COUNTS || clock->code >= DARC_TIME_CALENDAR)
        return x * clock->scale;
    x *= clock->scale;
    double day = floor(x / 1e6), of_day = x - day * 1e6;
    double hour = floor(of_day / 1e4),
           minute = floor(of_day / 100) - 100 * hour;
    double s = of_day - 1e4 * hour - 100 * minute + 60 * minute + 3600 * hour;
    if (clock->code == DARC_TIME_HHMMSS)
        return s;
    double y = floor(day / 1e4), m = floor(day / 100) - 100 * y;
    int d = fabs(y) < 1e4 ? (int)(day - 1e4 * y - 100 * m) : 0;
    return d > 0 ? 86400. * (double)darc_stamp_days((int)y, (int)m, d) + s
                 : NAN;
}

double darc_clock_turn(darc_clock *k, double before, double x)
{
    darc_clock as = *k;
    as.code = DARC_TIME_HHMMSS;
    double from = darc_clock_seconds(&as, before);
    double step = darc_clock_seconds(&as, x) - from;
    if (!k->turning || !(x - before >= 40) || !(step > 0 && step < 20))
        return 0; /* of a minute 40 are left out */
    *k = as;
    k->turning = false;
    return before - from;
}

darc_status darc_calendar_read(darc_clock *k, darc_pace *p, double *x,
                               const darc_columns *columns, darc_err *err)
{
    size_t n;
    for (size_t i = 0; i < p->n && !k->stamps; i++)
        x[i] = darc_clock_seconds(k, x[i]);
    if (k->parts == 0)
        return darc_calendar_add(k, p, x, columns, err);
    double y[DARC_TIME_PARTS * DARC_CLOCK_ROWS] = {0};
    for (int c = 0; c < k->parts; c++)
        DARC_NEED(columns->first(y + c * DARC_CLOCK_ROWS, &n, columns->user,
                                 k->part[c].column, k->form, err));
    for (size_t i = 0; i < p->n; i++) {
        double part[DARC_TIME_PARTS];
        for (int c = 0; c < k->parts; c++)
            part[c] = y[(size_t)c * DARC_CLOCK_ROWS + i];
        x[i] = darc_clock_time(k, x[i], part);
    }
    measure_pace(p, x);
    return DARC_OK;
}

/* Let column c, with what k has, be the time if it goes on then. */
static darc_status try_column(darc_clock *k, darc_clock with, int c,
                              const darc_columns *columns, darc_err *err)
{
    double x[DARC_CLOCK_ROWS];
    darc_pace p;
    with.column = c;
    DARC_NEED(darc_pace_read(&p, x, columns, c, err));
    with.stamps = darc_column_is_stamped(&p.look);
    with.form = p.look.form;
    DARC_NEED(darc_calendar_read(&with, &p, x, columns, err));
    if (with.parts > 0 &&
        (double)(p.still + p.back) <= DARC_STILL_SHARE * (double)p.n)
        *k = with;
    return DARC_OK;
}

/* A year, a month and a day, or the day of the year: their columns count in
 * turn. */
static darc_status try_date(darc_clock *k, const int part[PARTS],
                            const darc_columns *columns, darc_err *err)
{
    static const int of_months[] = {MONTH, DAY, HOUR, MINUTE, SECOND},
                     of_year[] = {YEARDAY, HOUR, MINUTE, SECOND};
    bool months = part[MONTH] >= 0;
    const int *next = months ? of_months : of_year;
    darc_clock with = *k;
    with.code = months ? DARC_TIME_CALENDAR : DARC_TIME_YEARDAY;
    double x[DARC_CLOCK_ROWS];
    darc_pace p;
    bool is = true;
    DARC_NEED(darc_pace_read(&p, x, columns, part[YEAR], err));
    DARC_NEED(has_range(&is, x, p.n, range_of(YEAR, part), columns, err));
    for (int i = 0; i < 4 + months && is; i++) {
        int at = next[i] == HOUR && part[HHMM] >= 0 ? HHMM : next[i];
        is = part[at] >= 0;
        if (is)
            DARC_NEED(has_range(&is, x, p.n, range_of(at, part), columns, err));
        if (is)
            with.part[with.parts++] =
                (darc_time_part){part[at], ranges[at].seconds};
        is = is && at != HHMM;
    }
    if (with.parts >= 1 + months)
        DARC_NEED(try_column(k, with, part[YEAR], columns, err));
    return DARC_OK;
}

/* What stands still, and what goes on within it: a day by its digits, as a
 * point in time, or as Excel counts it, with parts of a day in a column (-1:
 * none); whole seconds. */
static darc_status try_still(darc_clock *k, const int part[PARTS], int of_day,
                             const darc_columns *columns, darc_err *err)
{
    double x[DARC_CLOCK_ROWS];
    for (int c = 0; c < columns->count && k->column < 0; c++) {
        darc_pace p;
        darc_clock with = *k;
        int unit = darc_time_unit(last_word(columns->name[c]));
        DARC_NEED(darc_pace_read(&p, x, columns, c, err));
        bool counts = p.look.kind == DARC_COLUMN_NUMBERS;
        bool digits = counts && p.first > 1.9e7 && p.last < 2.2e7 &&
                      fmod(p.first, 1e4) > 100 && fmod(p.first, 1e4) < 1232;
        bool days = digits || p.look.kind == DARC_COLUMN_DAYS;
        bool whole = counts;
        for (size_t i = 0; i < p.n && whole; i++)
            whole = x[i] == floor(x[i]);
        bool seconds = whole && unit > 0 && darc_time_unit_seconds(unit) == 1;
        bool serial = whole && of_day >= 0 && p.first > 2e4 && p.last < 8e4 &&
                      darc_time_rank(columns->name[c], "") >= DARC_TIME_BY_WORD;
        if (serial) {
            with.scale = 86400;
            with.part[with.parts++] = (darc_time_part){of_day, 86400};
        }
        if (digits) {
            with.code = DARC_TIME_DIGITS;
            with.scale = 1e6;
        }
        if (p.still > 0 && p.back == 0 &&
            (seconds || serial || (days && part[HOUR] >= 0)))
            DARC_NEED(try_column(k, with, c, columns, err));
    }
    return DARC_OK;
}

darc_status darc_calendar_find(darc_clock *k, int of_day,
                               const darc_columns *columns, darc_err *err)
{
    int part[PARTS];
    name_parts(part, columns);
    if (of_day < 0 && part[YEAR] >= 0 &&
        ((part[MONTH] >= 0 && part[DAY] >= 0) || part[YEARDAY] >= 0))
        return try_date(k, part, columns, err);
    return try_still(k, part, of_day, columns, err);
}

bool darc_clock_uses(const darc_clock *k, int c)
{
    bool is = c == k->column || c == k->day;
    for (int i = 0; i < k->parts; i++)
        is = is || k->part[i].column == c;
    return is;
}
