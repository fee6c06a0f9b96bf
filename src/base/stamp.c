#include "base/stamp.h"

/* 2^62 ns, so that differences have 64 bits, less what hours and a zone are:
 * from 1823 to 2116. */
enum { MOST_DAYS = 53375 - 6 };

typedef struct {
    const char *s, *end;
} text;

/* Read a number of `least` to `most` digits; -1 if there is none. */
static int digits(text *t, int least, int most)
{
    int x = 0, n = 0;
    const char *s = t->s;
    for (; s < t->end && n < most && *s >= '0' && *s <= '9'; s++, n++)
        x = 10 * x + (*s - '0');
    if (n < least || (s < t->end && *s >= '0' && *s <= '9'))
        return -1;
    t->s = s;
    return x;
}

static bool mark(text *t, char c)
{
    bool is = t->s < t->end && *t->s == c;
    t->s += is;
    return is;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar: years begin in
 * March, so that the leap day is their last. */
static int64_t days(int year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t in_era = year - era * 400;
    int64_t in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year -
           719468;
}

/* year-month-day, year/month/day or day.month.year */
static bool read_day(int64_t *day, text *t)
{
    text from = *t;
    int a = digits(t, 4, 4), b = -1, c = -1;
    bool german = a < 0;
    if (german)
        a = digits(t, 1, 2);
    char between = german ? '.' : t->s < t->end && *t->s == '/' ? '/' : '-';
    if (a >= 0 && mark(t, between))
        b = digits(t, 1, 2);
    if (b >= 1 && b <= 12 && mark(t, between))
        c = german ? digits(t, 4, 4) : digits(t, 1, 2);
    int of_month = german ? a : c;
    if (c < 0 || of_month < 1 || of_month > 31) {
        *t = from;
        return false;
    }
    *day = days(german ? c : a, b, of_month);
    return *day > -MOST_DAYS && *day < MOST_DAYS;
}

/* Behind the seconds: a part of one, in ns. */
static int64_t read_fraction(text *t)
{
    int64_t ns = 0, place = 100000000;
    for (; t->s < t->end && *t->s >= '0' && *t->s <= '9'; t->s++, place /= 10)
        ns += place * (*t->s - '0');
    return ns;
}

static bool read_time(int64_t *ns, text *t)
{
    text from = *t;
    int hour = digits(t, 1, 2), minute = -1, second = 0;
    if (hour >= 0 && hour <= 24 && mark(t, ':'))
        minute = digits(t, 2, 2);
    if (minute >= 0 && mark(t, ':'))
        second = digits(t, 2, 2);
    if (minute < 0 || minute > 59 || second < 0 || second > 60) {
        *t = from;
        return false;
    }
    *ns = (hour * 60 + minute) * 60 + second;
    *ns *= 1000000000;
    if (mark(t, '.') || mark(t, ','))
        *ns += read_fraction(t);
    return true;
}

/* Take the zone off; true also where there is none. */
static bool read_zone(int64_t *ns, text *t)
{
    if (t->s == t->end || mark(t, 'Z'))
        return true;
    int sign = mark(t, '-') ? -1 : mark(t, '+') ? 1 : 0;
    if (sign == 0 || t->end - t->s < 4)
        return false;
    text hours = {t->s, t->s + 2};
    int h = digits(&hours, 2, 2);
    t->s += 2;
    mark(t, ':');
    int m = digits(t, 2, 2);
    *ns -= sign * ((int64_t)h * 60 + m) * 60000000000;
    return h >= 0 && m >= 0;
}

bool darc_stamp_read(darc_stamp *stamp, const char *s, size_t n)
{
    text t = {s, s + n};
    int64_t day = 0, ns = 0;
    stamp->day = read_day(&day, &t);
    bool timed = true;
    if (!stamp->day) {
        timed = read_time(&ns, &t);
    } else if (t.s < t.end) {
        timed = mark(&t, 'T') || mark(&t, ' ') || mark(&t, '_');
        while (mark(&t, ' '))
            ;
        timed = timed && read_time(&ns, &t);
    }
    if (!timed || !read_zone(&ns, &t) || t.s != t.end)
        return false;
    stamp->ns = day * 86400000000000 + ns;
    return true;
}
