#include "files/stamp.h"
#include "files/scan.h"
#include "formats/unitword.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <string.h>

/* 2^62 ns, less what hours and a zone are: from 1823 to 2116. */
enum { MOST_DAYS = 53375 - 6 };

static const int64_t second = 1000000000;

/* Read a month by the first letters of its name; -1. */
static int read_month(text *t)
{
    static const darc_word known[] = {DARC_WORDS_MONTHS};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (!mark_word(t, known[k].word))
            continue;
        while (t->s < t->end && is_letter(*t->s))
            t->s++;
        mark(t, '.');
        return (int)known[k].value;
    }
    return -1;
}

/* Step over a word, and what parts it from what follows; false: there is none.
 */
static bool skip_word(text *t)
{
    const char *from = t->s;
    while (t->s < t->end && is_letter(*t->s))
        t->s++;
    const char *word = t->s;
    while (mark(t, '.') || mark(t, ',') || mark(t, ' '))
        ;
    return word > from && t->s > word;
}

/* What is read, and what of it was found so far. */
typedef struct {
    darc_stamp *stamp;
    darc_stamp_form form;
    bool half;            /* the clock has 12 hours, as English writes it */
    char between;         /* the numbers of the day */
    int year, month, day; /* year 0: it is to come */
} reading;

static int full_year(int year, int length)
{
    return length <= 2   ? year + (year < 69 ? 2000 : 1900)
           : year > 2366 ? year - 543 /* as Thailand counts */
                         : year;
}

/* a/b of a day whose year stands last: which of them is the month? */
static bool set_order(reading *r, int a, int b)
{
    bool month_first = r->between == '/' && r->half;
    if (r->form.order != 0)
        month_first = r->form.order == 'm';
    else if (r->between == '.')
        month_first = false;
    else if (a > 12 || b > 12)
        month_first = b > 12;
    r->stamp->dots = r->between == '.';
    r->stamp->ordered = true;
    r->day = month_first ? b : a;
    r->month = month_first ? a : b;
    return r->form.order != 'y';
}

/* W06-2 of a year: day 2 of the week, of which the first has January 4; a day
 * of January, as it were. */
static bool read_week(reading *r, text *t, int year)
{
    mark(t, 'W');
    int week = digits(t, 2, 2), day = mark(t, '-') ? digits(t, 1, 1) : -1;
    int from = (int)((darc_stamp_days(year, 1, 4) + 7 * 106000 + 3) % 7 + 4);
    int64_t next =
        darc_stamp_days(year + 1, 1, 1) - darc_stamp_days(year, 1, 1);
    r->year = year;
    r->month = 1;
    r->day = 7 * week + day - from;
    return week >= 1 && 7 * week + 4 - from <= next && day >= 1 && day <= 7;
}

/* Whether a clock stands there, or no number. */
static bool is_clock_next(text t)
{
    blanks(&t);
    int n = run(&t);
    return n == 0 || (t.s + n < t.end && t.s[n] == ':');
}

/* 2026-01-31, 2026-031, 2026-W05-6, 31.01.26, 01/31, 31 January 2026 from the
 * first number on. */
static bool read_numeric(reading *r, text *t)
{
    int n = run(t), a = digits(t, 1, 4);
    if (a < 0 || n == 3)
        return false;
    bool glued = n <= 2 && t->s < t->end && is_letter(*t->s); /* 31JAN2026 */
    r->between = glued ? ' ' : t->s < t->end ? *t->s : '\0';
    bool dotted = r->between == '.';
    if (strchr(n == 4 ? "-/. _" : "-/. ", r->between) == NULL)
        return false;
    t->s += !glued;
    if (n == 4 && r->between == '-' && t->s < t->end && *t->s == 'W')
        return read_week(r, t, a);
    blanks(t);
    int m = run(t);
    int b = n == 4 && m == 3 ? digits(t, 3, 3) : digits(t, 1, 2);
    bool named = b < 0;
    b = named ? read_month(t) : b;
    if (b < 0 || (r->between == ' ' && !named && m != 3))
        return false;
    r->month = b;
    r->day = a;
    if (m == 3) { /* day of the year */
        r->year = a;
        r->month = 1;
        r->day = b;
        return b <= 366;
    }
    char next = t->s < t->end ? *t->s : '\0';
    bool third = next == r->between || (named && next != '\0');
    if (!third || (dotted && is_clock_next((text){t->s + 1, t->end}))) {
        if (dotted && !mark(t, '.'))
            return false;
        r->stamp->yearless = true;
        r->year = 2001;
        if (named || n > 2 || r->between == '-')
            return named && n <= 2;
        r->half = r->half || !dotted; /* 08/01 is August the first */
        return t->s < t->end && set_order(r, a, b);
    }
    t->s += !is_digit(next);
    blanks(t);
    int l = run(t), c = digits(t, 1, 4);
    if (c < 0 || l == 3)
        return false;
    if (n == 4 || (n == 2 && l <= 2 && (a > 31 || r->form.order == 'y'))) {
        r->stamp->ordered = n == 2;
        r->year = full_year(a, n);
        r->day = c;
        return true;
    }
    r->year = full_year(c, l);
    return l != 1 && n <= 2 && (named || set_order(r, a, b));
}

/* A weekday, and a day of a year as above; Feb 3, 2026; Tue Feb 03 (the year is
 * to come behind the clock). */
static bool read_named(reading *r, text *t)
{
    text number = *t;
    if (skip_word(&number) && run(&number) > 0 && read_numeric(r, &number) &&
        !r->stamp->yearless) {
        *t = number;
        return true;
    }
    r->stamp->yearless = r->stamp->ordered = r->stamp->dots = false;
    r->year = 0;
    r->month = read_month(t);
    if (r->month < 0 && skip_word(t))
        r->month = read_month(t);
    blanks(t);
    r->day = digits(t, 1, 2);
    text behind = *t;
    while (mark(&behind, ',') || mark(&behind, ' '))
        ;
    if (run(&behind) == 4) {
        r->year = digits(&behind, 4, 4);
        *t = behind;
    }
    return r->month > 0 && r->day > 0;
}

static bool read_day(reading *r, text *t)
{
    text from = *t;
    r->year = 0;
    bool is = false;
    if (run(t) == 8) {
        int x = digits(t, 8, 8);
        r->year = x / 10000;
        r->month = x / 100 % 100;
        r->day = x % 100;
        is = t->s == t->end || strchr("T _-:", *t->s) != NULL;
    } else {
        is = is_letter(*t->s) ? read_named(r, t) : read_numeric(r, t);
    }
    bool counted = r->month == 1 && r->between != '.' && r->day <= 370;
    if (is && r->month >= 1 && r->month <= 12 &&
        (counted || (r->day >= 1 && r->day <= 31)))
        return true;
    *t = from;
    r->stamp->yearless = r->stamp->ordered = r->stamp->dots = false;
    return false;
}

/* Digits of a second, of which there may be some less than there should. */
static int64_t read_fraction(text *t, int zeros)
{
    int64_t ns = 0, place = second / 10;
    while (zeros-- > 0)
        place /= 10;
    for (; t->s < t->end && is_digit(*t->s); t->s++, place /= 10)
        ns += place * (*t->s - '0');
    return ns;
}

/* AM or PM; 0: neither. */
static char read_half(text *t)
{
    static const darc_word known[] = {DARC_WORDS_HALVES};
    text from = *t;
    if (t->end - t->s == 1 && ((*t->s | 0x20) == 'a' || (*t->s | 0x20) == 'p'))
        return (char)(*t->s++ | 0x20); /* 11:30p */
    blanks(t);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (mark_word(t, known[k].word))
            return (char)known[k].value;
    *t = from;
    return 0;
}

/* Whether `c` parts the numbers of the clock: it is a colon where there are not
 * three. */
static bool has_three(const text *t, char c)
{
    text x = *t;
    return digits(&x, 1, 2) >= 0 && mark(&x, c) && digits(&x, 2, 2) >= 0 &&
           mark(&x, c) && digits(&x, 2, 2) >= 0;
}

static bool read_clock(reading *r, text *t)
{
    darc_stamp *x = r->stamp;
    int hour, minute = -1, seconds = 0, n = run(t);
    char half = read_half(t);
    blanks(t);
    const char *mark_of = "._-:";
    while (*mark_of != ':' && !has_three(t, *mark_of))
        mark_of++;
    char c = *mark_of;
    if ((n == 6 || n == 4) && x->day && t->s[n] != ':') { /* 235959 */
        int all = digits(t, 4, 6) * (n == 4 ? 100 : 1);
        hour = all / 10000;
        minute = all / 100 % 100;
        seconds = all % 100;
    } else {
        hour = digits(t, 1, x->day ? 2 : 4);
        bool letters = x->day && t->s < t->end && *t->s == 'h'; /* 23h59m59s */
        if (hour < 0 || !mark(t, letters ? 'h' : c) ||
            (minute = digits(t, 1, 2)) < 0)
            return false;
        x->pair = !mark(t, letters ? 'm' : c) || (letters && run(t) == 0);
        if (!x->pair && (seconds = digits(t, 1, 2)) < 0)
            return false;
        if (letters)
            mark(t, 's');
    }
    int64_t ns = 0;
    if (t->end - t->s > 1 && is_digit(t->s[1]) &&
        (mark(t, '.') || mark(t, ',') ||
         (!x->pair && t->end - t->s > 3 && is_digit(t->s[3]) &&
          (mark(t, ':') || mark(t, ';'))))) {
        x->fraction = (unsigned char)run(t);
        ns = read_fraction(t, r->form.digits - x->fraction);
        x->ends_in_0 = t->s[-1] == '0';
    }
    if (x->pair && !x->day && (x->fraction > 0 || r->form.clock == 'm')) {
        x->minutes = true;
        seconds = minute;
        minute = hour % 60;
        hour /= 60;
    }
    half = half != 0 ? half : read_half(t);
    if (minute > 59 || seconds > 60 || (x->day && hour > 24) ||
        (half != 0 && (hour < 1 || hour > 12)))
        return false;
    if (half != 0)
        hour = hour % 12 + (half == 'p' ? 12 : 0);
    x->pair = x->pair && half == 0;
    x->ns = (((int64_t)hour * 60 + minute) * 60 + seconds) * second + ns;
    return true;
}

/* Take the zone off; true also where there is none. */
static bool read_zone(int64_t *ns, text *t)
{
    static const darc_word zone[] = {DARC_WORDS_ZONES};
    blanks(t);
    for (size_t k = 0; k < sizeof zone / sizeof zone[0]; k++)
        if (mark_word(t, zone[k].word)) {
            *ns -= (int)zone[k].value * 3600 * second;
            break;
        }
    int sign = mark(t, '-') ? -1 : mark(t, '+') ? 1 : 0;
    if (sign == 0)
        return true;
    int n = run(t), h = digits(t, 2, 4), m = 0;
    if (n == 4) {
        m = h % 100;
        h /= 100;
    } else if (mark(t, ':')) {
        m = digits(t, 2, 2);
    }
    *ns -= sign * ((int64_t)h * 60 + m) * 60 * second;
    return h >= 0 && m >= 0 && n != 3;
}

/* PT0H0M07S, 0h 0m07s, 1d 02:03:07, 1 day, 02:03:07: the time since a begin. */
static bool read_duration(reading *r, text *t)
{
    static const darc_word unit[] = {DARC_WORDS_DURATIONS};
    enum { UNITS = sizeof unit / sizeof unit[0] };
    int64_t sum = 0, last = INT64_MAX;
    bool iso = mark_word(t, "p");
    while (t->s < t->end) {
        while (mark(t, ' ') || mark(t, ',') || (iso && mark_word(t, "t")))
            ;
        text from = *t;
        int x = digits(t, 1, 6);
        int64_t ns = mark(t, '.') ? read_fraction(t, 0) : 0;
        size_t k = 0;
        blanks(t);
        while (k < UNITS && !mark_word(t, unit[k].word))
            k++;
        if (x < 0 || (k == UNITS && last != 86400))
            return false;
        if (k == UNITS) {
            *t = from;
            if (!read_clock(r, t))
                return false;
            sum += r->stamp->ns;
            break;
        }
        int64_t seconds = (int64_t)unit[k].value;
        if (seconds >= last || (ns > 0 && seconds > 1))
            return false;
        last = seconds;
        sum += x * last * second + ns;
    }
    r->stamp->ns = sum;
    r->stamp->elapsed = true;
    return last != INT64_MAX && t->s == t->end &&
           sum < 86400 * second * MOST_DAYS;
}

/* 1:02:03:07, 1.02:03:07, 1-02:03:07: days, and a clock of pairs of digits. */
static bool read_days(reading *r, text t)
{
    int days = digits(&t, 1, 4);
    bool colon = days >= 0 && r->form.clock != 'f' && mark(&t, ':');
    *r->stamp = (darc_stamp){.counted = colon, .elapsed = true};
    bool is = days >= 0 && (colon || mark(&t, '.') || mark(&t, '-')) &&
              has_three(&t, ':') && t.s[5] == ':' && memcmp(t.s, "24", 2) < 0 &&
              read_clock(r, &t) && t.s == t.end;
    r->stamp->ns += days * 86400 * second;
    return is;
}

/* "12.345678", which stood in brackets: s since a computer was started. */
static bool read_uptime(darc_stamp *stamp, text *t)
{
    text from = *t;
    int64_t x = digits(t, 1, 8);
    stamp->elapsed =
        x >= 0 && mark(t, '.') && run(t) > (from.s[-1] == ' ' ? 2 : 5);
    stamp->ns = stamp->elapsed ? x * second + read_fraction(t, 0) : 0;
    stamp->elapsed = stamp->elapsed && t->s == t->end;
    *t = stamp->elapsed ? *t : from;
    return stamp->elapsed;
}

/* Whether AM or PM ends it, by which English tells month/day. */
static bool ends_english(const text *t)
{
    return t->end - t->s > 2 && (t->end[-1] | 0x20) == 'm' &&
           ((t->end[-2] | 0x20) == 'a' || (t->end[-2] | 0x20) == 'p');
}

/* Whether the rest is "/" or " - " and the end of the interval that begins
 * there. */
static bool ends_interval(const text *t, darc_stamp_form form)
{
    darc_stamp end;
    text x = *t;
    blanks(&x);
    return x.end - x.s > 8 &&
           (mark(&x, '/') || (mark(&x, '-') && mark(&x, ' '))) &&
           darc_stamp_read(&end, x.s, (size_t)(x.end - x.s), form) && end.day &&
           end.clock;
}

/* Step over what parts a clock from the day before it. */
static void go_to_clock(text *t)
{
    mark(t, '.'); /* 2026. 01. 31. */
    blanks(t);
    for (const char *c = "T_/:-,"; *c != '\0' && !mark(t, *c); c++)
        ;
    blanks(t);
    text from = *t; /* klo 10.00, kl. 10.00, at 10:00 */
    if (read_half(&from) == 0 && skip_word(&from) && run(&from) > 0)
        *t = from;
}

/* Return the text of n bytes at s; where it is short and not ASCII in plain,
 * with marks in place of the words that part numbers in East Asia,
 * 2026年1月31日 23时59分, and of wide signs. */
static text text_of(char plain[64], const char *s, size_t n)
{
    static const darc_word known[] = {DARC_WORDS_PARTS};
    enum { PARTS = sizeof known / sizeof known[0] };
    char *to = plain;
    text t = {s, s + n};
    size_t ascii = 0;
    while (ascii < n && (s[ascii] & 0x80) == 0)
        ascii++;
    if (ascii == n || n >= 64)
        return t;
    while (t.s < t.end) {
        size_t k = 0;
        bool wide = t.end - t.s > 2 && memcmp(t.s, "\xef\xbc", 2) == 0;
        while (k < PARTS && !mark_word(&t, known[k].word))
            k++;
        *to++ = (char)(k < PARTS ? (int)known[k].value
                       : wide    ? t.s[2] - '\x80' + ' '
                                 : *t.s);
        t.s += k == PARTS ? 1 + 2 * wide : 0;
    }
    while (to > plain && to[-1] == ':')
        to--;
    return (text){plain, to};
}

bool darc_stamp_read(darc_stamp *stamp, const char *s, size_t n,
                     darc_stamp_form form)
{
    char plain[64];
    text t = text_of(plain, s, n), from;
    *stamp = (darc_stamp){0};
    reading r = {.stamp = stamp, .form = form};
    blanks(&t);
    mark(&t, '\''); /* that it is text for Excel */
    while (t.end > t.s && t.end[-1] == ' ')
        t.end--;
    if (t.end - t.s > 2 && t.end[-1] == ']' && mark(&t, '[')) {
        t.end--;
        blanks(&t);
        if (read_uptime(stamp, &t))
            return true;
    }
    if (t.s == t.end)
        return false;
    r.half = ends_english(&t);
    from = t;
    if (read_duration(&r, &t) || read_days(&r, from))
        return true;
    t = from;
    *stamp = (darc_stamp){0};
    stamp->dotted = t.end - t.s <= 8 && has_three(&t, '.') &&
                    (run(&t) < 2 || memcmp(t.s, "24", 2) <= 0);
    stamp->day = !(stamp->dotted && form.clock == '.') && read_day(&r, &t);
    if (stamp->day && t.s < t.end)
        go_to_clock(&t);
    if (!stamp->day && t.end - t.s > 1 && strchr("+-", t.s[1]) != NULL)
        mark(&t, 'T');
    bool before = !stamp->day && mark(&t, '-'); /* a begin: T-00:00:10 */
    if (!stamp->day)
        mark(&t, '+');
    stamp->clock = t.s < t.end;
    if (stamp->clock && !read_clock(&r, &t))
        return false;
    stamp->ns = before ? -stamp->ns : stamp->ns;
    if (stamp->day && stamp->clock && ends_interval(&t, form))
        t.s = t.end;
    if (stamp->clock && !read_zone(&stamp->ns, &t))
        return false;
    blanks(&t);
    if (!stamp->day && t.s < t.end && !stamp->minutes)
        stamp->day = read_day(&r, &t); /* 10:00:00 03/02/2026 */
    if (stamp->day && r.year == 0)
        r.year = digits(&t, 4, 4);
    if (t.s != t.end || (!stamp->day && !stamp->clock) || r.year < 0)
        return false;
    int64_t day = stamp->day ? darc_stamp_days(r.year, r.month, r.day) : 0;
    if (stamp->day && r.day > 0 && r.day <= 31 &&
        day >= darc_stamp_days(r.year + r.month / 12, r.month % 12 + 1, 1))
        return false;
    if (day <= -MOST_DAYS || day >= MOST_DAYS)
        return false;
    stamp->ns += day * 86400 * second;
    return true;
}
