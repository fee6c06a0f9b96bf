/* csv_settings.c - what a file says of time beside its columns. */
#include "base/mem.h"
#include "base/text.h"
#include "files/csv.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <string.h>
#include <strings.h>

darc_setting darc_csv_setting(const darc_cell *cell)
{
    static const darc_word known[] = {DARC_WORDS_SETTINGS};
    darc_cell key = *cell;
    const char *equals = memchr(key.s, '=', key.n);
    key.n = equals != NULL ? (size_t)(equals - key.s) : key.n;
    while (key.n > 0 && strchr(" :", key.s[key.n - 1]) != NULL)
        key.n--;
    key.n = darc_unitword_split(key.s, key.n).name;
    double what = DARC_WORD(known, key.s, key.n);
    return isnan(what) ? DARC_SETTING_NONE : (darc_setting)what;
}

int darc_csv_label(const darc_cell *cell)
{
    static const darc_word known[] = {DARC_WORDS_LABELS};
    double names = DARC_WORD(known, cell->s, cell->n);
    return isnan(names) ? -1 : (int)names;
}

int darc_csv_untag(darc_cell *cell)
{
    static const darc_word aside[] = {DARC_WORDS_ASIDES};
    const char *colon = memchr(cell->s, ':', cell->n);
    darc_cell key =
        darc_cell_of(cell->s, colon != NULL ? (size_t)(colon - cell->s) : 0);
    if (!isnan(DARC_WORD(aside, key.s, key.n)))
        return 1;
    if (darc_csv_label(&key) != 0)
        return -1;
    cell->s += key.n + 1;
    cell->n -= key.n + 1;
    darc_csv_trim(cell, " ");
    return 0;
}

/* Bring *x to s or Hz, as its unit says: a rate in s is a step. */
static bool scale(double *x, darc_setting *what, const char *s, size_t n)
{
    static const darc_word times[] = {DARC_WORDS_TIME_UNITS},
                           rates[] = {DARC_WORDS_SETTING_RATES};
    if (n == 0)
        return true;
    double factor = *what == DARC_SETTING_RATE ? DARC_WORD(rates, s, n) : NAN;
    if (isnan(factor) && !isnan(factor = DARC_WORD(times, s, n)) &&
        *what == DARC_SETTING_RATE)
        *what = DARC_SETTING_STEP;
    *x *= isnan(factor) ? 1 : factor;
    return !isnan(factor);
}

/* A number with a unit perhaps. */
static bool read_value(double *x, darc_setting *what, const char *s,
                       const char *end)
{
    darc_cell cell = darc_cell_of(s, (size_t)(end - s));
    darc_csv_trim(&cell, " \t\"\r");
    char text[64];
    if (cell.n == 0 || cell.n >= sizeof text)
        return false;
    memcpy(text, cell.s, cell.n);
    memset(text + cell.n, 0, sizeof text - cell.n);
    const char *stop = darc_number_read_exact(x, text, '.');
    if (*stop == ',')
        stop = darc_number_read_exact(x, text, ',');
    darc_stamp clock;
    if (darc_stamp_read(&clock, text, cell.n, (darc_stamp_form){0}) &&
        !clock.day && !clock.pair) { /* 00:05:00 */
        *x = (double)clock.ns * 1e-9;
        return scale(x, what, "s", 1);
    }
    if (stop == text)
        return false;
    while (*stop == ' ')
        stop++;
    return scale(x, what, stop, strlen(stop));
}

static void keep_setting(darc_csv *csv, darc_setting what, double x,
                         size_t number, const darc_cell *name)
{
    if (what == DARC_SETTING_START) {
        csv->start = isnan(csv->start) ? x : csv->start;
        return;
    }
    if (what == DARC_SETTING_COUNT)
        csv->count = x;
    x = what == DARC_SETTING_RATE     ? 1 / x
        : what == DARC_SETTING_COUNT  ? 0
        : what == DARC_SETTING_MICROS ? 1e-6 * x
                                      : x;
    if (csv->step > 0 || !(x > 0) || !isfinite(x))
        return;
    csv->step = x;
    csv->step_line = number;
    csv->step_name = darc_text_name(name->s, name->n);
}

/* Whether a unit may stand behind the value x in column c: to be one, if any.
 */
static bool goes_with(double *x, darc_setting *what, const darc_csv *csv,
                      const char *s, int c)
{
    darc_cell unit;
    if (darc_csv_find(&unit, csv, s, c + 1) <= c + 1)
        return true;
    darc_csv_trim(&unit, "[]()");
    return scale(x, what, unit.s, unit.n) ||
           (unit.n > 0 && *unit.s >= '0' && *unit.s <= '9') ||
           !darc_csv_is_unit(unit.s, unit.n);
}

/* Whether what stands below the value x in column c is none, or the same: a
 * column of other values is no setting. */
static bool stands_alone(const darc_csv *csv, const char *s, const char *limit,
                         int c, double x)
{
    const char *below = memchr(s, '\n', (size_t)(limit - s));
    darc_cell cell;
    darc_setting what = DARC_SETTING_RATE;
    double y;
    return below == NULL || below + 1 >= limit ||
           darc_csv_find(&cell, csv, below + 1, c) <= c ||
           !read_value(&y, &what, cell.s, cell.s + cell.n) || y == x;
}

void darc_csv_read_told(darc_csv *csv, const char *s, const char *end,
                        size_t number)
{
    static const darc_word rates[] = {DARC_WORDS_SETTING_RATES};
    const char *begin = s;
    for (bool inside = false; s < end && csv->told == 0; s++) {
        size_t digits = strspn(s, "0123456789.");
        const char *unit = s + digits + (s[digits] == ' ');
        size_t n = strcspn(unit, " ,;:\t\r\n)]\"");
        double factor = DARC_WORD(rates, unit, n), x;
        const char *word = s; /* "sampling rate": 1000 */
        while (word > begin && strchr("\" :=", word[-1]) != NULL)
            word--;
        if (isnan(factor) && word - begin > 3 && word < s &&
            strncasecmp(word - 4, "rate", 4) == 0)
            factor = 1;
        if (digits > 0 && !inside && unit + n <= end && !isnan(factor) &&
            darc_number_read(&x, s, '.') > s && x > 0) {
            csv->told = x * factor;
            csv->told_line = number;
        }
        inside = digits > 0;
        s += digits > 0 ? digits - 1 : 0;
    }
}

void darc_csv_read_settings(darc_csv *csv, const char *s, const char *limit,
                            size_t number)
{
    const char *end = darc_csv_line_end(s, csv), *at = s;
    for (int c = 0; at != NULL && c < 64; c++) {
        darc_cell cell, value;
        double x;
        if (darc_csv_cell(&cell, &at, end, csv, NULL) != DARC_OK)
            return;
        while (cell.n > 0 && strchr("#%;/ ", *cell.s) != NULL) {
            cell.s++;
            cell.n--;
        }
        const char *stop = cell.s + cell.n;
        const char *colon = memchr(cell.s, ':', cell.n);
        darc_cell key = cell;
        darc_setting what = DARC_SETTING_STEP;
        if (cell.n > 7 && memcmp(stop - 7, "/sample", 7) == 0 &&
            read_value(&x, &what, cell.s, stop - 7)) /* 0.5 msec/sample */
            keep_setting(csv, what, x, number, &cell);
        if (colon != NULL)
            key.n = (size_t)(colon - key.s);
        what = darc_csv_setting(&key);
        if (what == DARC_SETTING_NONE)
            continue;
        const char *equals = memchr(cell.s, '=', cell.n);
        const char *in = equals != NULL ? equals : colon;
        bool has = in != NULL && read_value(&x, &what, in + 1, stop);
        if (!has && (in == NULL || in + 1 == stop))
            has = darc_csv_find(&value, csv, s, c + 1) > c + 1 &&
                  (value.n > 0 || darc_csv_find(&value, csv, s, c + 2) > 0) &&
                  read_value(&x, &what, value.s, value.s + value.n) &&
                  goes_with(&x, &what, csv, s, c + 1);
        const char *below = memchr(end, '\n', (size_t)(limit - end));
        has = has || (below != NULL && below + 1 < limit &&
                      (in == NULL || in + 1 == stop) &&
                      darc_csv_find(&value, csv, below + 1, c) > c &&
                      read_value(&x, &what, value.s, value.s + value.n) &&
                      stands_alone(csv, below + 1, limit, c, x));
        darc_named named = darc_unitword_split(key.s, key.n);
        if (has && scale(&x, &what, key.s + named.unit, named.length))
            keep_setting(csv, what, x, number, &key);
    }
}
