#include "files/csv.h"

#include <string.h>

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

/* Read a month by its number or the first letters of its English name; -1. */
static int read_month(text *t)
{
    static const char name[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    if (t->end - t->s < 3 || (*t->s >= '0' && *t->s <= '9'))
        return digits(t, 1, 2);
    for (int k = 0; k < 12; k++) {
        const char *m = name + 3 * k;
        if ((t->s[0] | 0x20) == m[0] && (t->s[1] | 0x20) == m[1] &&
            (t->s[2] | 0x20) == m[2]) {
            t->s += 3;
            return k + 1;
        }
    }
    return -1;
}

/* 20260131, before a 'T'. */
static bool read_compact_day(int64_t *day, text *t)
{
    text of = {t->s, t->s + 8};
    int x = t->end - t->s > 8 && t->s[8] == 'T' ? digits(&of, 8, 8) : -1;
    int month = x / 100 % 100, of_month = x % 100;
    if (x < 0 || month < 1 || month > 12 || of_month < 1 || of_month > 31)
        return false;
    *day = days(x / 10000, month, of_month);
    t->s += 8;
    return *day > -MOST_DAYS && *day < MOST_DAYS;
}

/* year-month-day, year/month/day, day.month.year, day-month-year,
 * day/month/year; month/day/year where the clock has 12 hours, or it cannot be
 * otherwise. */
static bool read_day(int64_t *day, text *t)
{
    text from = *t;
    int a = digits(t, 4, 4), b = -1, c = -1;
    bool last = a < 0; /* the year */
    if (last)
        a = digits(t, 1, 2);
    char between = t->s < t->end ? *t->s : '\0';
    bool known = between == '-' || between == '/' || (last && between == '.');
    if (a >= 0 && known && mark(t, between))
        b = read_month(t);
    if (b >= 1 && mark(t, between))
        c = last ? digits(t, 4, 4) : digits(t, 1, 2);
    if (last && between == '/' && a <= 12 &&
        (b > 12 || (t->end > t->s && (t->end[-1] | 0x20) == 'm'))) {
        int month = a;
        a = b;
        b = month;
    }
    int of_month = last ? a : c;
    if (c < 0 || b < 1 || b > 12 || of_month < 1 || of_month > 31) {
        *t = from;
        return read_compact_day(day, t);
    }
    *day = days(last ? c : a, b, of_month);
    return *day > -MOST_DAYS && *day < MOST_DAYS;
}

/* AM or PM: 12 comes before 1. */
static bool read_half(int64_t *ns, int hour, text *t)
{
    const int64_t half = 12 * (int64_t)3600000000000;
    while (mark(t, ' '))
        ;
    bool late = (*t->s | 0x20) == 'p';
    if (t->end - t->s != 2 || hour < 1 || hour > 12 ||
        (!late && (*t->s | 0x20) != 'a'))
        return false;
    t->s += 2;
    *ns += (late ? half : 0) - (hour == 12 ? half : 0);
    return true;
}

static bool read_time(int64_t *ns, text *t)
{
    text from = *t;
    int hour = digits(t, 1, 2), minute = -1, second = 0;
    if (hour >= 0 && hour <= 24 && mark(t, ':'))
        minute = digits(t, 2, 2);
    if (minute >= 0 && mark(t, ':'))
        second = digits(t, 2, 2);
    int x = minute < 0 && hour < 0 ? digits(t, 6, 6) : -1;
    if (x >= 0) { /* 235959 */
        hour = x / 10000;
        minute = x / 100 % 100;
        second = x % 100;
    }
    if (minute < 0 || minute > 59 || second < 0 || second > 60) {
        *t = from;
        return false;
    }
    *ns = (hour * 60 + minute) * 60 + second;
    *ns *= 1000000000;
    int64_t place = 100000000; /* of digits of a second, ns */
    if (mark(t, '.') || mark(t, ',') || mark(t, ':'))
        for (; t->s < t->end && *t->s >= '0' && *t->s <= '9'; t->s++) {
            *ns += place * (*t->s - '0');
            place /= 10;
        }
    if (t->end - t->s >= 2 && (t->end[-1] | 0x20) == 'm')
        return read_half(ns, hour, t);
    return true;
}

/* Take the zone off; true also where there is none. */
static bool read_zone(int64_t *ns, text *t)
{
    while (mark(t, ' '))
        ;
    bool world = t->end - t->s == 3 &&
                 (memcmp(t->s, "UTC", 3) == 0 || memcmp(t->s, "GMT", 3) == 0);
    t->s = world ? t->end : t->s;
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
