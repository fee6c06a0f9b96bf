#define _GNU_SOURCE /* strcasestr */

#include "data/clock.h"

#include "base/mem.h"
#include "base/text.h"
#include "data/calendar.h"
#include "data/reader.h"
#include "data/thresholds.h"
#include "data/timename.h"
#include "formats/unitword.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a column of that rank is a time axis: no time_constant, nothing that
 * the model asks for. */
static bool may_be_time(const darc_pace *p, int rank,
                        const darc_columns *columns, int c,
                        const darc_load_options *o)
{
    const char *unit = columns->unit[c];
    int written = darc_time_unit(unit);
    double step = p->step * (written > 0 ? darc_time_unit_seconds(written) : 1);
    /* it goes as the settings say, but for a few rows */
    bool paced = columns->step > 0 &&
                 fabs(step / columns->step - 1) < DARC_CLOCKS_AGREE,
         stamped = darc_column_is_stamped(&p->look),
         rises = p->still + p->back <= (paced ? p->n / 8 : 0);
    bool counts = p->look.kind == DARC_COLUMN_NUMBERS && p->n > 0;
    if (p->rows > 2 && 2 * p->n < p->rows)
        return false; /* a setting beside the rows */
    if (rank == DARC_TIME_NAMED || rank == DARC_TIME_T)
        return p->look.kind != DARC_COLUMN_EMPTY;
    for (int i = 0; i < o->wanted; i++)
        if (darc_column_called(columns, c, darc_mapped(o->want[i], o)))
            return false;
    if (p->look.kind == DARC_COLUMN_DAYS && !rises)
        return false;
    if (stamped) /* names may not stand above their columns */
        return p->n > 0 && (rank > DARC_TIME_BY_KIND || unit[0] == '\0' ||
                            darc_time_rank(unit, "") > DARC_TIME_BY_UNIT);
    /* seconds since 1970, of this century, in a column without a name */
    if (rank == DARC_TIME_BY_KIND && paced && counts && rises)
        return true;
    if (rank == DARC_TIME_BY_KIND)
        return counts && rises && p->n > 2 && columns->name[c][0] == '\0' &&
               p->first > 9.5e8 && p->last < 4.1e9;
    if (rank == DARC_TIME_BY_WORD && unit[0] != '\0' && written < 0)
        return false;
    return counts && rises;
}

/* The column of days that goes with a clock: the nearest. */
static darc_status find_day(darc_clock *k, const darc_columns *columns,
                            darc_err *err)
{
    for (int c = 0; c < columns->count; c++) {
        darc_column_look look;
        DARC_NEED(columns->look(&look, columns->user, c, err));
        if (look.kind == DARC_COLUMN_DAYS && c != k->column &&
            (k->day < 0 || abs(c - k->column) < abs(k->day - k->column)))
            k->day = c;
    }
    return DARC_OK;
}

/* A step of few digits: what somebody set. */
static bool is_round(double x)
{
    double tens = pow(10, floor(log10(x)) - 1);
    return x > 0 && fabs(x / tens - round(x / tens)) < 0.02;
}

/* Whether the digits are those of a clock; of a day and a clock. */
static bool is_clock(double hhmmss)
{
    return fmod(hhmmss, 100) < 60 && fmod(floor(hhmmss / 100), 100) < 60 &&
           hhmmss < 240000;
}

static bool is_date(double digits)
{
    double day = floor(digits / 1e6), month = fmod(floor(day / 100), 100);
    return is_clock(fmod(digits, 1e6)) && month >= 1 && month <= 12 &&
           fmod(day, 100) >= 1 && fmod(day, 100) <= 31;
}

/* Let numbers be taken as that; a note says which scale means another. */
static void take_as(darc_clock *k, double scale, const char *name,
                    const char *what, double other, const char *unit)
{
    k->scale = scale;
    k->note = darc_text_of("time '%s' is taken as %s (--scale \"%s=%g\": %s)",
                           name, what, name, other, unit);
}

/* Whether numbers are points in time by their digits; k says so then. */
static bool guess_digits(darc_clock *k, const darc_pace *p, const char *name,
                         const double *x)
{
    static const char *const form[] = {
        "yyyymmddhhmmss, by its digits", "yyyymmddhhmm, by its digits",
        "yyyymmddhh, by its digits",     "yyyymmdd, by its digits",
        "hhmmss, by its digits",         "hhmm, by its digits"};
    double day = 1; /* 2026, 202601, ... are filled up to yyyymmddhhmmss */
    int pairs = 0;
    for (; p->first * day > 0 && p->first * day < 1.9e13 && day < 1e6; pairs++)
        day *= 100;
    bool digits = p->n > 1 && p->first * day >= 1.9e13 &&
                  p->last * day < 2.2e13 && (day == 1 || x[0] == floor(x[0]));
    darc_clock as = {.scale = p->last < 2400 ? 100 : 1,
                     .code = DARC_TIME_HHMMSS};
    bool clock = p->n > 2 && p->first >= 0 && p->last * as.scale < 240000 &&
                 p->last * as.scale >= 10000;
    for (size_t i = 0; i < p->n; i++) {
        digits = digits && is_date(x[i] * day);
        clock = clock && is_clock(x[i] * as.scale) &&
                (as.scale == 1 || i == 0 ||
                 darc_clock_seconds(&as, x[i]) -
                         darc_clock_seconds(&as, x[i - 1]) ==
                     60 * p->step);
    }
    double span =
        darc_clock_seconds(&as, p->last) - darc_clock_seconds(&as, p->first);
    bool turned = p->last - p->first != p->step * (double)(p->n - 1) &&
                  (p->last - p->first) * as.scale - span > 1;
    bool days = p->first > 2e4 && p->last < 8e4 && p->step < 1 &&
                (p->step < 1e-3 ||
                 !is_round(p->step)); /* of Excel, as guess_unit says */
    k->turning =
        !digits && clock && !turned && p->step < 40 && as.scale == 1 && !days;
    if (k->turning)
        take_as(k, 1, name, "s, or hhmmss from where a minute ends on", 1,
                "s throughout");
    if (!digits && !(clock && turned))
        return k->turning;
    k->code = digits ? DARC_TIME_DIGITS : DARC_TIME_HHMMSS;
    take_as(k, digits ? day : as.scale, name,
            form[digits          ? pairs
                 : as.scale == 1 ? 4
                                 : 5],
            1, "it counts s");
    return true;
}

/* Whole numbers in long steps: as the settings tell; us or ms, as computers
 * count them from their start on, where steps differ, the first is no multiple
 * of them, or the name is that of a stamp. */
static void guess_ticks(darc_clock *k, const darc_pace *p, const char *name,
                        const double *x, double step)
{
    static const char *const unit[] = {"s", "ms", "us", "ns"};
    static const double seconds[] = {1, 1e-3, 1e-6, 1e-9};
    bool far = p->first > 4.1e9; /* s would end in another century */
    bool odd = p->first > p->step && fmod(p->first, p->step) != 0;
    bool stamp = strcasestr(name, "stamp") != NULL;
    for (size_t i = 0; i < p->n; i++)
        odd = odd || fmod(x[i] - x[0], p->step) != 0;
    double tens = log10(step / p->step);
    for (int u = 1; u < 4 && step > 0 && fabs(tens - round(tens)) > 1e-3; u++) {
        double times = p->step * seconds[u] / step; /* every 8th is written */
        if (times > .5 && times < 100 && fabs(times - round(times)) < 1e-3)
            tens = log10(seconds[u]);
    }
    if (step > 0 && tens <= -1 && fabs(tens - round(tens)) < 1e-3) {
        k->scale = pow(10, round(tens));
        k->note = darc_text_of("time '%s' counts %g s, by the step of %g s "
                               "above (--scale \"%s=1\": s)",
                               name, k->scale, step, name);
        return;
    }
    if (p->step < 2 && !stamp && !far)
        return;
    int u = far && p->step >= 1e5                                       ? 3
            : p->step >= 1000 && p->step < 1e7 && (odd || stamp || far) ? 2
            : p->step < 1000 && (stamp || far)                          ? 1
                                                                        : 0;
    int one = u == 0 ? 2 : 0, other = u == 1 ? 2 : 1;
    k->scale = seconds[u];
    k->note = darc_text_of("time '%s' is taken as %s, in steps of %g; --scale "
                           "\"%s=%g\": %s, =%g: %s",
                           name, unit[u], p->step, name, seconds[one],
                           unit[one], seconds[other], unit[other]);
}

/* Tell what numbers without a unit count, by their size and their step. */
static void guess_unit(darc_clock *k, const darc_pace *p, const char *name,
                       const double *x, double step)
{
    static const struct {
        double from, to, seconds;
        const char *what;
    } since[] = {
        {9.4e11, 4.1e12, 1e-3, "ms since 1970, by its size"},
        {9.4e14, 4.1e15, 1e-6, "us since 1970, by its size"},
        {9.4e17, 4.1e18, 1e-9, "ns since 1970, by its size"},
        {1.16e17, 1.7e17, 1e-7, "100 ns since 1601, by its size"},
        {6.2e17, 6.8e17, 1e-7, "100 ns since the year 1, by its size"}};
    for (int i = 0; i < 5; i++)
        if (p->first >= since[i].from && p->first <= since[i].to &&
            p->last <= since[i].to &&
            p->step < 1e11 / (since[i].seconds * 1e3) / 1e3) {
            take_as(k, since[i].seconds, name, since[i].what, 1, "s");
            return;
        }
    if (guess_digits(k, p, name, x))
        return;
    bool years = p->first > 1600 && p->last < 2500 && p->step <= 1;
    bool named = strstr(name, "date") != NULL || strstr(name, "year") != NULL;
    bool months = fabs(p->step * 12 - 1) < .02;
    double ticks = p->step * 86400; /* s, if it counts days */
    bool even = ticks > .5 && fabs(ticks - round(ticks)) < 1e-3 * ticks;
    bool parts = p->n > 2 && even &&
                 ((p->first > .01 && p->last < 1) ||
                  (p->first >= 1 && p->last < 367 && !is_round(p->step) &&
                   ticks < 301 && fmod(600, round(ticks)) == 0));
    bool serial = (p->first > 2e4 && p->last < 8e4) ||
                  (p->first > 7.2e5 && p->last < 7.8e5) ||
                  (p->first > 2.43e6 && p->last < 2.5e6);
    if (years && named)
        take_as(k, 31557600, name, "years", 1, "s");
    else if (years && months)
        take_as(k, 1, name, "s; it may be years", 31557600, "years");
    else if (parts ||
             (serial && p->step > 0 && p->step < 1 && is_round(p->step)))
        take_as(k, 1, name, "s; it may be days, as Excel and MATLAB count them",
                86400, "days");
    else if (serial && p->step > 0 && p->step < 1)
        take_as(k, 86400, name,
                "days, as Excel and MATLAB count them, by its step", 1, "s");
    else if (p->n > 2 && p->step == floor(p->step) &&
             (p->first > 4.1e9 ||
              (p->step >= 2 && p->first < 9.4e8 && fmod(p->step, 60) != 0)))
        guess_ticks(k, p, name, x, step);
}

/* Whether rows are missing can only be told from even times: try the first. */
static double usual_of(const darc_pace *p, const double *x, const darc_clock *k)
{
    bool seconds = k->stamps || k->parts > 0;
    darc_grid grid;
    size_t i = 0;
    double last = NAN, usual = 0;
    darc_grid_init(&grid);
    if (p->n < 3 || !(p->step > 0))
        return 0;
    grid.usual = p->step * (seconds ? 1 : k->scale);
    if (k->code != DARC_TIME_COUNTS && !seconds)
        grid.usual = 0;
    if (k->scale > 1 && k->code == DARC_TIME_COUNTS)
        grid.digit = k->scale;
    for (; i < p->n; i++) {
        double t = seconds ? x[i] : darc_clock_seconds(k, x[i]);
        if (!(fabs(t) < DARC_TIME_MOST) || t <= last)
            break; /* what comes is another recording */
        darc_grid_add(&grid, t, p->n);
        last = t;
    }
    usual = darc_grid_step(&grid);
    return usual > 0 ? usual : -1;
}

/* Say which column counts, where its name does not. */
static void note_column(darc_clock *k, const darc_columns *columns, int rank)
{
    const char *name = columns->name[k->column];
    if (k->note == NULL && rank > 0 && rank <= DARC_TIME_BY_WORD)
        k->note =
            darc_text_of("time is column %d, '%s'%s (--time names another)",
                         k->column + 1, name,
                         k->stamps ? ", by the points in time in it"
                         : rank == DARC_TIME_BY_UNIT ? ", by its unit"
                                                     : "");
}

/* Many rows have the time of the row before: say what may be meant. */
static darc_status fail_standing(const darc_clock *k, const darc_pace *p,
                                 const darc_columns *columns, darc_err *err)
{
    char *by = columns->propose(columns->user, k->column, k->form, NULL);
    darc_status status = darc_fail(
        err, DARC_DATA,
        "%s: error: time '%s' stands still in %zu of %zu rows: %s%s%s",
        columns->place, columns->name[k->column], p->still, p->n,
        by != NULL ? "rows of several recordings stand together; --each "
                   : "it is too coarse (--rate HZ), or samples repeat (--each)",
        by != NULL ? by : "",
        by != NULL ? " makes a recording of each value there, "
                     "FILE[COLUMN=VALUE] takes one"
                   : "");
    darc_free(by);
    return status;
}

/* Say which columns make the time together. */
static void note_parts(darc_clock *k, const darc_columns *columns)
{
    darc_text_t out = DARC_TEXT;
    darc_text_printf(out, "time is made of the columns '%s'",
                     columns->name[k->column]);
    for (int i = 0; i < k->parts; i++)
        darc_text_printf(out, ", '%s'", columns->name[k->part[i].column]);
    k->note = darc_text_take(out);
    darc_text_clear(out);
}

/* Settle how column k->column is read. */
static darc_status set_up(darc_clock *k, const darc_columns *columns, int rank,
                          const darc_load_options *o, darc_err *err)
{
    int c = k->column;
    const char *name = columns->name[c], *unit = columns->unit[c];
    darc_pace p;
    double x[DARC_CLOCK_ROWS];
    DARC_NEED(darc_pace_read(&p, x, columns, c, err));
    k->stamps = darc_column_is_stamped(&p.look);
    k->form = p.look.form;
    k->numbers = p.look.kind == DARC_COLUMN_NUMBERS && p.n > 0;
    if (o->stamps.clock != 0)
        k->form.clock = o->stamps.clock;
    else if (strcasestr(name, "h") == NULL &&
             (strcasestr(name, "mm:ss") != NULL ||
              strcasestr(name, "min:s") != NULL))
        k->form.clock = 'm';
    k->form.order = o->stamps.order;
    if (k->form.order != 0 && k->form.clock == '.')
        k->form.clock = '\0';
    if (k->stamps && p.look.kind == DARC_COLUMN_CLOCK)
        DARC_NEED(find_day(k, columns, err));
    if (rank == DARC_TIME_CALENDAR_RANK)
        DARC_NEED(darc_calendar_read(k, &p, x, columns, err));
    else if (k->stamps && p.still > 0)
        DARC_NEED(darc_calendar_add(k, &p, x, columns, err));
    bool scaled = false, form = darc_time_unit_written(unit) < 0 &&
                                darc_unitword_is_type(unit, strlen(unit));
    for (int i = 0; i < o->scales; i++)
        scaled = scaled || strcmp(o->scale_name[i], name) == 0;
    if (rank == DARC_TIME_CALENDAR_RANK) {
        note_parts(k, columns);
    } else if (!k->stamps && (unit[0] == '\0' || form)) {
        k->scale = darc_time_unit_seconds(darc_time_unit_of(name));
        if (k->scale == 1 && darc_time_unit_of(name) == 0 && !scaled)
            guess_unit(k, &p, name, x, columns->step);
    } else if (!k->stamps && darc_time_unit_written(unit) < 0) {
        if (!scaled && (o->rate == 0 || o->time_column != NULL))
            DARC_NEED(darc_fail(err, DARC_DATA,
                                "%s: error: unit '%s' of the time column '%s' "
                                "is not known (s, ms, us, ns, min, h; --scale "
                                "\"%s=F\": it counts F s)",
                                columns->place, unit, name, name));
    } else if (!k->stamps) {
        k->scale = darc_time_unit_seconds(darc_time_unit_written(unit));
    }
    k->usual = usual_of(&p, x, k);
    note_column(k, columns, rank);
    bool stands = (double)p.still > DARC_STILL_SHARE * (double)p.n;
    k->may_stand = p.n > 4 && !stands;
    if (o->rate == 0 && stands && p.n > 4 && p.still + 1 < p.n)
        return fail_standing(k, &p, columns, err);
    return DARC_OK;
}

static darc_status find_clock(darc_clock *k, int *rank,
                              const darc_columns *columns,
                              const darc_load_options *o, darc_err *err)
{
    int long_table = -1, of_day = -1, near = -1, best = DARC_TIME_BY_KIND;
    bool stamped = false;
    *rank = 0;
    for (int c = 0; c < columns->count; c++) {
        int r = darc_time_rank(columns->name[c], columns->unit[c]);
        darc_pace p;
        bool bare = r == DARC_TIME_BY_UNIT && columns->unit[c][0] == '\0';
        if (r <= *rank || (bare && c > 1)) /* us, sy, id: of a processor */
            continue;
        DARC_NEED(darc_pace_read(&p, NULL, columns, c, err));
        if (!may_be_time(&p, r, columns, c, o)) {
            bool counts = p.look.kind == DARC_COLUMN_NUMBERS && p.n > 0;
            char *by = long_table < 0 && r > DARC_TIME_BY_KIND && counts
                           ? columns->propose(columns->user, c,
                                              (darc_stamp_form){0}, NULL)
                           : NULL;
            long_table = by != NULL ? c : long_table;
            if (counts && r > best && p.n > 8 && p.still + p.back == 1) {
                near = c; /* what reads it tells where it does not increase */
                best = r;
            }
            darc_free(by);
            continue;
        }
        *rank = r;
        k->column = c;
        stamped = darc_column_is_stamped(&p.look);
        bool parts = !stamped && columns->unit[c][0] == '\0' && p.first >= 0;
        of_day = parts && p.last < 1 ? c : -1;
    }
    darc_clock calendar = {.column = -1, .day = -1, .scale = 1};
    if ((*rank <= DARC_TIME_BY_WORD && !stamped) || of_day >= 0)
        DARC_NEED(darc_calendar_find(&calendar, of_day, columns, err));
    if (calendar.column >= 0) {
        *k = calendar;
        *rank = DARC_TIME_CALENDAR_RANK;
    }
    if (k->column < 0 && o->rate == 0 && columns->step == 0)
        k->column = long_table >= 0 ? long_table : near; /* proposes --each */
    return DARC_OK;
}

/* Say which column has the name of a time and is none; "": there is none. */
static const char *unread(const darc_columns *columns)
{
    darc_column_look look;
    for (int c = 0; c < columns->count; c++)
        if (darc_time_rank(columns->name[c], "") >= DARC_TIME_HELD &&
            columns->look(&look, columns->user, c, NULL) == DARC_OK &&
            look.kind == DARC_COLUMN_TEXT)
            return columns->name[c];
    return "";
}

/* Append the columns that increase in even steps, and do not count rows. */
static void propose(darc_text_t out, const darc_columns *columns)
{
    double x[DARC_CLOCK_ROWS];
    const char *last = "";
    for (int c = 0; c < columns->count; c++) {
        darc_pace p = {.n = 0};
        bool even = darc_pace_read(&p, x, columns, c, NULL) == DARC_OK &&
                    p.n > 2 && p.still + p.back == 0 &&
                    (p.step != 1 || columns->count == 1);
        for (size_t i = 1; i < p.n && even; i++)
            even = fabs(x[i] - x[i - 1] - p.step) < 1e-3 * p.step;
        if (!even)
            continue;
        darc_text_puts(out, *last != '\0' ? ", '" : "; even: '");
        darc_text_printf(out, "%s'", last = columns->name[c]);
    }
    if (*last != '\0')
        darc_text_printf(out, " (--time \"%s\")", last);
    if (columns->nameless && strcasestr(columns->place, ".dat:1:") != NULL)
        darc_text_puts(out, "; of a COMTRADE record the .cfg beside it tells "
                            "names, times and scales: darc data FILE.cfg");
    if (columns->told > 0)
        darc_text_printf(out, "; line %zu tells %.6g Hz (--rate %.6g)",
                         columns->told_line, columns->told, columns->told);
    if (columns->told > 0 && columns->nameless && columns->count > 2)
        darc_text_printf(out,
                         "; where values go on from row to row, awk "
                         "'NR>%zu{for(i=1;i<=NF;i++)print $i}' FILE "
                         ">run.csv makes a row of each",
                         columns->first_line - 1);
}

darc_status darc_clock_init(darc_clock *k, const darc_columns *columns,
                            const darc_load_options *o, darc_err *err)
{
    int rank = 0;
    *k = (darc_clock){.column = -1, .day = -1, .scale = 1};
    if (o->time_column != NULL)
        DARC_NEED(
            darc_column_find(&k->column, o->time_column, NULL, columns, err));
    else
        DARC_NEED(find_clock(k, &rank, columns, o, err));
    if (k->column >= 0)
        return set_up(k, columns, rank, o, err);
    if (o->rate > 0 || columns->step > 0)
        return DARC_OK;
    if (columns->turned)
        return darc_fail(err, DARC_DATA,
                         "%s: error: a row is the time, not a column: python3 "
                         "-c \"import pandas; pandas.read_csv('FILE', "
                         "header=None, sep=None, engine='python').T.to_csv('"
                         "run.csv', header=False, index=False)\" turns the "
                         "table",
                         columns->place);
    darc_text_t list = DARC_TEXT;
    const char *text = unread(columns);
    darc_columns_list(list, columns);
    propose(list, columns);
    bool is = *text != '\0';
    darc_status status = darc_fail(
        err, DARC_DATA,
        "%s: error: no time column%s%s%s with --time, or give --rate; %s",
        columns->place, is ? ": '" : " ('t' or 'time')", text,
        is ? "' holds text that is none: write it as 2026-01-31 23:59:59, 1d "
             "02:03:04 or in s, name another"
           : ": name it",
        list->s);
    darc_text_clear(list);
    return status;
}

void darc_clock_clear(darc_clock *clock)
{
    darc_free(clock->note);
    clock->note = NULL;
}
