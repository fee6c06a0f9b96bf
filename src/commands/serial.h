/* serial.h - the numbers that spreadsheets show as points in time. */
#pragma once

#include "base/text.h"

/* What a number counts: nothing of that sort, days since 1900, days since
 * midnight, days that something lasts. */
typedef enum {
    DARC_SERIAL_NONE,
    DARC_SERIAL_DATE,
    DARC_SERIAL_CLOCK,
    DARC_SERIAL_LASTING
} darc_serial;

/* Return what a format shows: "yyyy-mm-dd", "hh:mm:ss", "[h]:mm"; one of
 * Excel's own by its number. */
darc_serial darc_serial_look(const char *code);
darc_serial darc_serial_builtin(int id);

/* Append x days as "2026-01-31 10:00:00.25", "10:00:00.25", or a number of
 * seconds; from_1904: as Excel for Macs counted.  Return false, and append
 * nothing, for what is no such number. */
bool darc_serial_put(darc_text_t out, darc_serial as, double x, bool from_1904);
