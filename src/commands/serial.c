#include "commands/serial.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* What a format shows: letters outside of quotes and brackets tell. */
darc_serial darc_serial_look(const char *code)
{
    bool day = false, clock = false;
    for (const char *s = code; *s != '\0' && *s != ';'; s++) {
        const char *end = *s == '"' ? strchr(s + 1, '"') : NULL;
        int c = tolower((unsigned char)*s);
        if (*s == '[' && strchr("hms", tolower((unsigned char)s[1])) != NULL &&
            s[1] != '\0')
            return DARC_SERIAL_LASTING;
        end = *s == '[' ? strchr(s, ']') : end;
        if (end != NULL)
            s = end;
        else if ((*s == '\\' || *s == '_') && s[1] != '\0')
            s++;
        day = day || c == 'y' || c == 'd';
        clock = clock || c == 'h' || c == 's';
    }
    return day     ? DARC_SERIAL_DATE
           : clock ? DARC_SERIAL_CLOCK
                   : DARC_SERIAL_NONE;
}

darc_serial darc_serial_builtin(int id)
{
    bool day = (id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 31) ||
               id == 36 || (id >= 50 && id <= 58);
    bool clock = (id >= 18 && id <= 21) || (id >= 32 && id <= 35);
    return day                    ? DARC_SERIAL_DATE
           : clock                ? DARC_SERIAL_CLOCK
           : id >= 45 && id <= 47 ? DARC_SERIAL_LASTING
                                  : DARC_SERIAL_NONE;
}

static void put_clock(darc_text_t out, int64_t us)
{
    long long second = us / 1000000;
    darc_text_printf(out, "%02lld:%02lld:%02lld", second / 3600,
                     second / 60 % 60, second % 60);
    if (us % 1000000 != 0)
        darc_text_printf(out, ".%06lld", (long long)(us % 1000000));
}

/* Append a serial day as a date with a clock. */
static void put_date(darc_text_t out, int64_t days, int64_t us)
{
    /* days since 0000-03-01, of which 400 years have 146097 */
    int64_t era = days / 146097, d = days % 146097;
    int64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365;
    int64_t of = d - (365 * y + y / 4 - y / 100), m = (5 * of + 2) / 153;
    darc_text_printf(out, "%04d-%02d-%02d", (int)(y + 400 * era + (m >= 10)),
                     (int)(m < 10 ? m + 3 : m - 9),
                     (int)(of - (153 * m + 2) / 5 + 1));
    if (us != 0)
        darc_text_putc(out, ' ');
    if (us != 0)
        put_clock(out, us);
}

bool darc_serial_put(darc_text_t out, darc_serial as, double x, bool from_1904)
{
    enum { MARCH_0 = 693899 /* days from 0000-03-01 to 1899-12-30 */ };
    static const int64_t midnight = INT64_C(86400000000);
    if (as == DARC_SERIAL_NONE || x < 0 || x > 2958466)
        return false;
    int64_t days = (int64_t)floor(x);
    int64_t us = (int64_t)round((x - floor(x)) * 86400e6);
    days += us / midnight;
    us %= midnight;
    if (as == DARC_SERIAL_LASTING)
        darc_text_printf(out, "%.15g", x * 86400);
    else if (as == DARC_SERIAL_CLOCK && days < 1000)
        put_clock(out, us + days * midnight);
    else /* Excel counts a day that 1900 did not have */
        put_date(out,
                 days + MARCH_0 +
                     (from_1904   ? 1462
                      : days < 60 ? 1
                                  : 0),
                 us);
    return true;
}
