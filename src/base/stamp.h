/* stamp.h - points in time as loggers write them. */
#ifndef DARC_BASE_STAMP_H
#define DARC_BASE_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t ns; /* since 1970-01-01, or since midnight; zones are taken off */
    bool day;   /* whether it names the day */
} darc_stamp;

/* Read [day][T][time][zone]; day: 2026-01-31, 2026/01/31,
 * 20260131T, 31.01.2026, 31-Jan-2026, 31/01/2026, or 01/31/2026 before a clock
 * of 12 hours or where no month is so high; time: 23:59[:59[.999]] or 11:59:59
 * PM, 235959, the mark may be a comma or colon; zone: Z, UTC, +01:00, +0100.
 * Return false when the n characters at s are none, or of a day before 1824 or
 * behind 2115. */
bool darc_stamp_read(darc_stamp *stamp, const char *s, size_t n);

#endif
