/* stamp.h - points in time as loggers write them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ns;    /* since 1970-01-01, since midnight, or since a begin; zones
                      are taken off */
    bool day;      /* whether it names the day */
    bool clock;    /* and a time of day */
    bool yearless; /* the day of no year: that of 2001 is taken */
    bool elapsed;  /* 1d 02:03:07: no time of day */
    bool counted;  /* 1:02:03:07, which is elapsed, if the last are no frames */
    bool pair;     /* the clock has two numbers, */
    bool minutes;  /* taken as minutes and seconds */
    unsigned char fraction; /* digits of a second's */
    bool ends_in_0;         /* they do */
    bool dotted;            /* 23.59.59 alone, which may be a day */
    bool ordered; /* numbers of day and month stand in one order or the other,
                   */
    bool dots;    /* parted by dots: the year alone may stand elsewhere */
} darc_stamp;

/* Return the days from 1970-01-01 to a day of the Gregorian calendar. */
int64_t darc_stamp_days(int year, int month, int day);

/* What one stamp does not tell; 0: it is guessed from that alone. */
typedef struct {
    char order; /* 'd': 31/01/2026, 'm': 01/31/2026, 'y': 26/01/31 */
    char clock; /* 'h': 23:59 is hours and minutes, 'm': minutes and seconds,
                   '.': 23.59.59 is no day, 'f': 1:02:03:04 ends in frames */
    unsigned char digits; /* 23:59:59.7 has the fraction 007; 0: 7 */
} darc_stamp_form;

/* Read [day] [time] [zone].  Day: 2026-01-31, 2026/1/31, 20260131, 2026-031,
 * 31.01.2026, 31.01.26, 31/01/2026, 01/31/2026, 01/31, 31-Jan-2026, 31 January
 * 2026, Jan 31, 2026, Sat Jan 31 TIME 2026; guessed, 01/02 is month/day
 * before AM and PM, and without a year.  Time: 23:59[:59[.999]], 11:59:59 PM,
 * 235959, 23.59.59, 59:59.9; the mark may be a comma or colon; without a day
 * hours go on behind 24.  Zone: Z, UTC, CET, +01:00, +0100.  Or a duration:
 * PT1H2M3S, 1h 2m3s, 1d 02:03:04, 1.02:03:04, 1-02:03:04, 1:02:03:04.
 * Return false when the n characters at s are none, or of a day before 1824 or
 * behind 2115. */
bool darc_stamp_read(darc_stamp *stamp, const char *s, size_t n,
                     darc_stamp_form form);
