#include "data/timename.h"
#include "files/scan.h"
#include "formats/unitword.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const darc_word time_units[] = {{"", 1}, DARC_WORDS_TIME_UNITS};

enum { UNITS = sizeof time_units / sizeof time_units[0] };

int darc_time_unit(const char *unit)
{
    int n = UNITS;
    size_t m = strlen(unit);
    m -= m > 0 && unit[m - 1] == '.';
    while (--n >= 0 && (strlen(time_units[n].word) != m ||
                        (m > 2 ? strncasecmp(unit, time_units[n].word, m)
                               : strncmp(unit, time_units[n].word, m)) != 0))
        ;
    return n;
}

int darc_time_unit_written(const char *unit)
{
    char small[8] = "";
    int k = darc_time_unit(unit);
    for (size_t i = 0; k < 0 && i < 7 && unit[i] != '\0'; i++)
        small[i] = (char)(unit[i] == 'S' ? 's' : unit[i]);
    return k < 0 ? darc_time_unit(small) : k;
}

int darc_time_unit_of(const char *name)
{
    static const char *const short_unit[] = {"us", "ms", "ns"};
    const char *end = strrchr(name, '_'), *blank = strrchr(name, ' ');
    size_t n = strlen(name);
    end = end != NULL && (blank == NULL || end > blank) ? end : blank;
    if (end != NULL && end[1] != '\0' && darc_time_unit(end + 1) > 0)
        return darc_time_unit(end + 1);
    if (n > 1 && darc_time_unit(name) > 0)
        return darc_time_unit(name);
    for (int k = 0; k < 3 && n > 5; k++)
        if (strcasecmp(name + n - 2, short_unit[k]) == 0 &&
            (strncasecmp(name + n - 6, "time", 4) == 0 ||
             (n > 6 && strncasecmp(name + n - 7, "stamp", 5) == 0)))
            return darc_time_unit(short_unit[k]);
    return 0;
}

/* Whether a word of the name means time: what is not English is looked for as
 * a whole word. */
static bool has_word(const char *s)
{
    static const darc_word known[] = {DARC_WORDS_TIME_NAMES};
    while (*s != '\0') {
        size_t n = 0;
        while (is_letter(s[n]))
            n++;
        if (n > 1 && !isnan(DARC_WORD(known, s, n)))
            return true;
        s += n > 0 ? n : 1;
    }
    return false;
}

/* "Time Step", "time_index", "TimeZone": what is counted is no time. */
static bool counts_steps(const char *behind)
{
    static const char *const word[] = {"step",     "index", "zone",
                                       "constant", "iter",  "count"};
    behind += *behind == ' ' || *behind == '_' || *behind == '-';
    for (int k = 0; k < 6; k++)
        if (strncasecmp(behind, word[k], strlen(word[k])) == 0)
            return true;
    return false;
}

/* HELD, of "Step Time" less, of "Total Time" more: time of steps, which begins
 * anew, stands beside that of all. */
static int rank_held(const char *name)
{
    static const char *const total[] = {"total", "cumulative", "test",
                                        "总时间"};
    if (strncasecmp(name, "step", 4) == 0)
        return DARC_TIME_BY_WORD;
    for (int k = 0; k < 4; k++)
        if (strncasecmp(name, total[k], strlen(total[k])) == 0)
            return DARC_TIME_TOTAL;
    return DARC_TIME_HELD;
}

int darc_time_rank(const char *s, const char *unit)
{
    static const char *const word[] = {"time", "zeit"};
    if (strcmp(s, "t") == 0)
        return DARC_TIME_T;
    for (int k = 0; k < 2; k++)
        if (strncasecmp(s, word[k], 4) == 0 && counts_steps(s + 4))
            return DARC_TIME_BY_KIND;
        else if (strncasecmp(s, word[k], 4) == 0)
            return s[4] == '\0' ? DARC_TIME_NAMED : DARC_TIME_BEGUN;
    if (s[0] == 't' && s[1] == '_' && s[2] != '\0' && darc_time_unit(s + 2) > 0)
        return DARC_TIME_BEGUN;
    for (const char *in = s; *in != '\0'; in++)
        if (strncasecmp(in, "time", 4) == 0 || strncasecmp(in, "zeit", 4) == 0)
            return rank_held(s);
    if (strcmp(s, "X_Value") == 0 || strcmp(s, "总时间") == 0)
        return rank_held(s);
    if (has_word(s))
        return DARC_TIME_BY_WORD;
    bool named = s[0] != '\0' && s[1] != '\0' && unit[0] == '\0' &&
                 darc_time_unit(s) > 0;
    return (unit[0] != '\0' && darc_time_unit(unit) > 0) || named ||
                   strcmp(s, "s") == 0
               ? DARC_TIME_BY_UNIT
               : DARC_TIME_BY_KIND;
}

double darc_time_unit_seconds(int unit)
{
    return time_units[unit].value;
}
