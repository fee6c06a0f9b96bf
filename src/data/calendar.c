#include "data/calendar.h"

#include "base/mem.h"
#include "base/text.h"
#include "data/reader.h"
#include "data/thresholds.h"
#include "data/timename.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, PARTS };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void darc_pace_measure(darc_pace *p, const double *x)
{
    size_t steps = 0;
    p->still = p->back = 0;
    double *step = darc_calloc(p->n + 1, sizeof *step);
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
    darc_free(step);
}

darc_status darc_pace_read(darc_pace *p, double *x, const darc_columns *columns,
                           int c, darc_err *err)
{
    *p = (darc_pace){0};
    DARC_NEED(columns->look(&p->look, columns->user, c, err));
    DARC_NEED(columns->first(x, &p->rows, columns->user, c, p->look.form, err));
    for (size_t i = 0; i < p->rows; i++)
        if (isfinite(x[i]))
            x[p->n++] = x[i];
    darc_pace_measure(p, x);
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
    static const struct {
        const char *word;
        int part;
    } known[] = {DARC_WORDS_CALENDAR};
    if (strcasecmp(name, "mm") == 0)
        return hours ? MINUTE : MONTH;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcasecmp(name, known[k].word) == 0)
            return known[k].part;
    return -1;
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

static const range ranges[PARTS] = {{1, 2200, 0, 0}, {1, 13, 0, 0},
                                    {1, 32, 0, 0},   {0, 24.5, 3600, 0},
                                    {0, 60, 60, 0},  {0, 61, 1, 0}};

static range range_of(int i, const int part[PARTS])
{
    range of = ranges[i];
    of.column = part[i];
    return of;
}

static void append(darc_clock *k, int column, double seconds)
{
    k->part[k->parts++] = (darc_time_part){column, seconds};
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
    double *y = darc_calloc(DARC_CLOCK_ROWS, sizeof *y);
    darc_status status = has_range(&is, y, p->n, of, columns, err);
    for (size_t i = 0; i < p->n && is && status == DARC_OK; i++)
        x[i] += y[i] * of.seconds;
    if (status == DARC_OK && is)
        append(k, of.column, of.seconds);
    darc_free(y);
    return status;
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
    for (int i = HOUR; i < PARTS; i++) /* within days */
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
    darc_pace_measure(p, x);
    return DARC_OK;
}

double darc_clock_time(const darc_clock *clock, double x, const double *part)
{
    int i = 0;
    if (clock->code == DARC_TIME_CALENDAR) {
        double year = x + (x < 69 ? 2000 : x < 100 ? 1900 : 0);
        if (!(year >= 0 && year < 1e4 && part[0] >= 1 && part[0] < 13 &&
              part[1] >= 1 && part[1] < 32))
            return NAN;
        x = 86400. *
            (double)darc_stamp_days((int)year, (int)part[0], (int)part[1]);
        i = 2;
    }
    for (; i < clock->parts; i++)
        x += part[i] * clock->part[i].seconds;
    return x;
}

/* A year, a month and a day: their columns count in turn. */
static darc_status try_date(darc_clock *k, const int part[PARTS],
                            const darc_columns *columns, darc_err *err)
{
    darc_status status = DARC_OK;
    double *x = darc_calloc(PARTS * DARC_CLOCK_ROWS, sizeof *x);
    darc_pace p;
    int last = PARTS;
    DARC_TRY(darc_pace_read(&p, x, columns, part[YEAR], err));
    for (int i = 0; i < last; i++) {
        bool is = part[i] >= 0;
        if (is)
            DARC_TRY(has_range(&is, x + i * DARC_CLOCK_ROWS, p.n,
                               range_of(i, part), columns, err));
        last = is ? last : i;
    }
    if (last <= DAY)
        goto done;
    k->code = DARC_TIME_CALENDAR;
    for (int i = MONTH; i < last; i++)
        append(k, part[i], ranges[i].seconds);
    for (size_t i = 0; i < p.n; i++) {
        double with[DARC_TIME_PARTS];
        for (int j = 0; j < k->parts; j++)
            with[j] = x[(j + 1) * DARC_CLOCK_ROWS + (int)i];
        x[i] = darc_clock_time(k, x[i], with);
    }
    darc_pace_measure(&p, x);
    if ((double)(p.still + p.back) <= DARC_STILL_SHARE * (double)p.n)
        k->column = part[YEAR];
done:
    darc_free(x);
    return status;
}

/* A day by its digits, or as a point in time, and an hour. */
static darc_status try_hours(darc_clock *k, const int part[PARTS],
                             const darc_columns *columns, darc_err *err)
{
    darc_status status = DARC_OK;
    double *x = darc_calloc(DARC_CLOCK_ROWS, sizeof *x);
    for (int c = 0; c < columns->count && k->column < 0; c++) {
        darc_pace p;
        DARC_TRY(darc_pace_read(&p, x, columns, c, err));
        bool digits = p.look.kind == DARC_COLUMN_NUMBERS && p.n > 2 &&
                      p.first > 1.9e7 && p.last < 2.2e7 && p.back == 0 &&
                      fmod(p.first, 1e4) > 100 && fmod(p.first, 1e4) < 1232;
        bool days = p.look.kind == DARC_COLUMN_DAYS && p.back == 0;
        if (p.still > 0 && (digits || days) && c != part[HOUR]) {
            k->column = c;
            k->code = digits ? DARC_TIME_DIGITS : DARC_TIME_COUNTS;
            k->scale = digits ? 1e6 : 1;
        }
    }
done:
    darc_free(x);
    return status;
}

/* Whole seconds that stand still, and what goes on within them. */
static darc_status try_seconds(darc_clock *k, const darc_columns *columns,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    double *x = darc_calloc(DARC_CLOCK_ROWS, sizeof *x);
    for (int c = 0; c < columns->count && k->column < 0; c++) {
        darc_pace p;
        int unit = darc_time_unit(last_word(columns->name[c]));
        if (unit <= 0 || darc_time_unit_seconds(unit) != 1)
            continue;
        DARC_TRY(darc_pace_read(&p, x, columns, c, err));
        bool whole = p.look.kind == DARC_COLUMN_NUMBERS && p.still > 0;
        for (size_t i = 0; i < p.n; i++)
            whole = whole && x[i] == floor(x[i]);
        if (!whole || p.back > 0)
            continue;
        DARC_TRY(darc_calendar_add(k, &p, x, columns, err));
        if (k->parts > 0 && p.still == 0)
            k->column = c;
        k->parts = 0;
    }
done:
    darc_free(x);
    return status;
}

darc_status darc_calendar_find(darc_clock *k, const darc_columns *columns,
                               darc_err *err)
{
    int part[PARTS];
    name_parts(part, columns);
    if (part[YEAR] >= 0 && part[MONTH] >= 0 && part[DAY] >= 0)
        return try_date(k, part, columns, err);
    if (part[HOUR] >= 0)
        DARC_NEED(try_hours(k, part, columns, err));
    return k->column < 0 ? try_seconds(k, columns, err) : DARC_OK;
}

bool darc_clock_uses(const darc_clock *k, int c)
{
    bool is = c == k->column || c == k->day;
    for (int i = 0; i < k->parts; i++)
        is = is || k->part[i].column == c;
    return is;
}
