#include "data/timename.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *unit;
    double seconds;
} time_units[] = {{"", 1},
                  {"s", 1},
                  {"sec", 1},
                  {"secs", 1},
                  {"second", 1},
                  {"seconds", 1},
                  {"sekunden", 1},
                  {"secondes", 1},
                  {"segundos", 1},
                  {"unix time", 1},
                  {"secondi", 1},
                  {"ms", 1e-3},
                  {"msec", 1e-3},
                  {"millis", 1e-3},
                  {"millitm", 1e-3},
                  {"millisecond", 1e-3},
                  {"milliseconds", 1e-3},
                  {"millisekunden", 1e-3},
                  {"us", 1e-6},
                  {"usec", 1e-6},
                  {"\xc2\xb5s", 1e-6},
                  {"\xce\xbcs", 1e-6},
                  {"microseconds", 1e-6},
                  {"ns", 1e-9},
                  {"nsec", 1e-9},
                  {"nanoseconds", 1e-9},
                  {"min", 60},
                  {"minutes", 60},
                  {"h", 3600},
                  {"hr", 3600},
                  {"hrs", 3600},
                  {"hours", 3600},
                  {"d", 86400},
                  {"days", 86400}};

enum { UNITS = sizeof time_units / sizeof time_units[0] };

int darc_time_unit(const char *unit)
{
    int n = UNITS;
    size_t m = strlen(unit);
    m -= m > 0 && unit[m - 1] == '.';
    while (--n >= 0 && (strlen(time_units[n].unit) != m ||
                        (m > 2 ? strncasecmp(unit, time_units[n].unit, m)
                               : strncmp(unit, time_units[n].unit, m)) != 0))
        ;
    return n;
}

int darc_time_unit_of(const char *name)
{
    static const char *const short_unit[] = {"us", "ms", "ns"};
    const char *end = strrchr(name, '_');
    size_t n = strlen(name);
    if (end != NULL && end[1] != '\0' && darc_time_unit(end + 1) > 0)
        return darc_time_unit(end + 1);
    for (int k = 0; k < 3 && n > 5; k++)
        if (strcasecmp(name + n - 2, short_unit[k]) == 0 &&
            (strncasecmp(name + n - 6, "time", 4) == 0 ||
             (n > 6 && strncasecmp(name + n - 7, "stamp", 5) == 0)))
            return darc_time_unit(short_unit[k]);
    return 0;
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' : (c & 0x80) != 0;
}

/* Whether a word of the name means time: what is not English is looked for as
 * a whole word. */
static bool has_word(const char *s)
{
    static const char *const word[] = {
        "temps",
        "tiempo",
        "tempo",
        "tid",
        "tiden",
        "tijd",
        "czas",
        "\304\215as",
        "cas",
        "aika",
        "vreme",
        "timp",
        "zaman",
        "id\xc5\x91",
        "laiks",
        "aeg",
        "tiks",
        "ora",
        "hora",
        "heure",
        "uhr",
        "instant",
        "date",
        "datum",
        "fecha",
        "datetime",
        "dato",
        "data",
        "uts",
        "utc",
        "datenum",
        "epoch",
        "clock",
        "stamp",
        "horodatage",
        "elapsed",
        "ts",
        "\xd0\xb2\xd1\x80\xd0\xb5\xd0\xbc\xd1\x8f",
        "\xd0\x92\xd1\x80\xd0\xb5\xd0\xbc\xd1\x8f",
        "\xe6\x99\x82\xe9\x96\x93",
        "\xe6\x97\xb6\xe9\x97\xb4",
        "\xcf\x87\xcf\x81\xcf\x8c\xce\xbd\xce\xbf\xcf\x82"};
    while (*s != '\0') {
        size_t n = 0;
        while (is_letter(s[n]))
            n++;
        for (size_t k = 0; k < sizeof word / sizeof word[0] && n > 1; k++)
            if (strlen(word[k]) == n && strncasecmp(s, word[k], n) == 0)
                return true;
        s += n > 0 ? n : 1;
    }
    return false;
}

int darc_time_rank(const char *s, const char *unit)
{
    static const char *const word[] = {"time", "zeit"};
    if (strcmp(s, "t") == 0)
        return DARC_TIME_T;
    for (int k = 0; k < 2; k++)
        if (strncasecmp(s, word[k], 4) == 0)
            return s[4] == '\0' ? DARC_TIME_NAMED : DARC_TIME_BEGUN;
    if (s[0] == 't' && s[1] == '_' && s[2] != '\0' && darc_time_unit(s + 2) > 0)
        return DARC_TIME_BEGUN;
    for (const char *in = s; *in != '\0'; in++)
        if (strncasecmp(in, "time", 4) == 0 || strncasecmp(in, "zeit", 4) == 0)
            return DARC_TIME_HELD;
    if (strcmp(s, "X_Value") == 0)
        return DARC_TIME_HELD;
    if (has_word(s))
        return DARC_TIME_BY_WORD;
    bool named = s[0] != '\0' && s[1] != '\0' && darc_time_unit(s) > 0;
    return (unit[0] != '\0' && darc_time_unit(unit) > 0) || named ||
                   strcmp(s, "s") == 0
               ? DARC_TIME_BY_UNIT
               : DARC_TIME_BY_KIND;
}

double darc_time_unit_seconds(int unit)
{
    return time_units[unit].seconds;
}
