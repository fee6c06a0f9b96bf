#include "formats/unitword.h"

#include "base/units.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <string.h>

static bool same_word(const char *s, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (word[i] == '\0' ||
            (s[i] != word[i] && (s[i] < 'A' || (s[i] | 0x20) != word[i]) &&
             (s[i] != '_' || word[i] != ' ')))
            return false;
    return word[n] == '\0';
}

double darc_word_value(const darc_word *list, size_t words, const char *s,
                       size_t n)
{
    while (words > 0 && !same_word(s, n, list[words - 1].word))
        words--;
    return words > 0 ? list[words - 1].value : NAN;
}

/* Bytes of a sign that stands between units: a blank, a power, a dot; 0: none.
 */
static size_t between(const char *s, size_t n)
{
    if (strchr("*/^.-+0123456789 ()", s[0]) != NULL)
        return 1;
    if (n > 1 && s[0] == '\xc2' && strchr("\xb2\xb3\xb9\xb7", s[1]) != NULL)
        return 2;
    bool minus = n > 2 && memcmp(s, "\xe2\x81\xbb", 3) == 0;
    return minus || (n > 2 && memcmp(s, "\xe2\x8b\x85", 3) == 0) ? 3 : 0;
}

/* One of the prefixes that sensors and loggers use, then a unit; or nothing. */
static bool is_symbol(const char *s, size_t n)
{
    static const darc_word known[] = {DARC_WORDS_UNIT_SYMBOLS};
    n -= n > 4 && s[n - 1] == 's'; /* kOhms */
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        size_t m = strlen(known[k].word);
        bool end = n >= m && memcmp(s + n - m, known[k].word, m) == 0;
        if (end && (n == m || (n == m + 1 && strchr("munkMGpchd", s[0]))))
            return true;
    }
    /* signs beyond ASCII: a degree, a mu, an omega */
    return n == 0 || strchr("\xc2\xce\xe2", s[0]) != NULL;
}

/* A unit in words. */
static bool is_word(const char *s, size_t n)
{
    static const darc_word known[] = {DARC_WORDS_UNIT_WORDS};
    n -= n > 3 && (s[n - 1] | 0x20) == 's';
    return !isnan(DARC_WORD(known, s, n)) ||
           (n > 1 && (s[n - 1] | 0x20) == 'n' &&
            !isnan(DARC_WORD(known, s, n - 1)));
}

bool darc_csv_is_unit(const char *s, size_t n)
{
    size_t word = 0;
    for (size_t i = 1; i + 2 < n; i++) /* V vs. Ref. */
        if (memcmp(s + i, " vs", 3) == 0)
            n = i;
    for (size_t i = 0, m = 1; i <= n; i += m) {
        m = i < n ? between(s + i, n - i) : 1;
        if (m == 0) {
            m = 1;
            continue;
        }
        if (!is_symbol(s + word, i - word) && !is_word(s + word, i - word) &&
            !(i == 1 && s[0] == '1'))
            return false;
        word = i + m;
    }
    return true;
}

/* How a point in time is written: h:m:s, dd.mm.yyyy, HHMMSS. */
static bool is_format(const char *s, size_t n)
{
    size_t marks = 0;
    for (size_t i = 0; i < n; i++) {
        bool mark = strchr(":./- ", s[i]) != NULL;
        if (!mark && strchr("hHmMsSdDyYjJtT", s[i]) == NULL)
            return false;
        marks += mark;
    }
    return marks > 1 || n == 6 || n == 8;
}

bool darc_unitword_is_type(const char *s, size_t n)
{
    static const darc_word known[] = {DARC_WORDS_TYPES};
    return is_format(s, n) || !isnan(DARC_WORD(known, s, n));
}

/* The same, or what UDUNITS knows: where something says that it may be one. */
static bool may_be_unit(const char *s, size_t n)
{
    char text[24];
    darc_unit unit;
    if (n == 0)
        return false;
    if (darc_csv_is_unit(s, n))
        return true;
    bool plain = n >= 2 && n < sizeof text && memchr(s, ' ', n) == NULL;
    bool power = memchr(s, '^', n) != NULL || memchr(s, '/', n) != NULL;
    for (size_t i = 0; i < n && plain && !power; i++)
        plain = s[i] < '0' || s[i] > '9'; /* I(R1) is a current */
    if (!plain)
        return false;
    memcpy(text, s, n);
    text[n] = '\0';
    return darc_unit_read(&unit, text);
}

static size_t trimmed(const char *s, size_t n)
{
    while (n > 0 && s[n - 1] == ' ')
        n--;
    return n;
}

/* "DSC/" of DSC/(mW/mg). */
static size_t without_slash(const char *s, size_t n)
{
    return n > 1 && s[n - 1] == '/' ? trimmed(s, n - 1) : n;
}

/* Where the bracket that the last character closes opens; n: nowhere. */
static size_t opening(const char *s, size_t n)
{
    int depth = 0;
    for (size_t i = n; i-- > 0;) {
        depth += (s[i] == ')') - (s[i] == '(');
        if (depth == 0)
            return s[n - 1] == ')' ? i : n;
    }
    return n;
}

/* Digits that count, or tell where: [3], [2 m]. */
static bool is_index(const char *s, size_t n)
{
    size_t i = strspn(s, "0123456789,: ");
    if (i < n && i > 1 && s[i - 1] == ' ')
        while (i < n && (s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z')
            i++;
    return i >= n;
}

/* "a [m]", also "a [m](mean)"; "a <m>", "a {m}". */
static bool split_bracket(darc_named *x, const char *s, size_t n)
{
    size_t tail = opening(s, n), all = tail < n && tail > 0 ? tail : n;
    all = trimmed(s, all);
    char last = all > 0 ? s[all - 1] : '\0';
    if (all == 0 || strchr("]>}", last) == NULL)
        return false;
    const char *open = memchr(s,
                              last == ']'   ? '['
                              : last == '>' ? '<'
                                            : '{',
                              all);
    if (open == NULL || (last != ']' && (open == s || all < n)))
        return false;
    size_t at = (size_t)(open - s);
    if (last == ']' && is_index(open + 1, all - at - 2))
        return false;
    *x = (darc_named){trimmed(s, at), at + 1, all - at - 2};
    return true;
}

/* What "1" may stand over: a time, a length, a temperature. */
static bool is_per(const char *s, size_t n)
{
    return (n == 1 && strchr("shmKd", *s) != NULL) ||
           (n == 2 && memcmp(s, "ms", 2) == 0) ||
           (n == 3 && memcmp(s, "min", 3) == 0);
}

/* Whether "kB_read/s" is a rate: what stands before the slash is no time. */
static bool is_rate(const char *s, size_t slash, const char *unit, size_t n)
{
    static const darc_word known[] = {DARC_WORDS_TIME_NAMES};
    bool time = !isnan(DARC_WORD(known, s, slash)) ||
                (slash == 1 && (*s | 0x20) == 't') || (*s & 0x80) != 0;
    for (size_t i = 0; i + 4 <= slash && !time; i++)
        time = same_word(s + i, 4, "time") || same_word(s + i, 4, "zeit");
    return !time && ((n == 1 && strchr("sh", *unit) != NULL) ||
                     (n == 3 && memcmp(unit, "min", 3) == 0));
}

/* "a / m", "a/m", "a in m", "a, m"; of "a m/s" the slash is the unit's. */
static bool split_sign(darc_named *x, const char *s, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        bool in = i + 4 < n && memcmp(s + i, " in ", 4) == 0;
        bool lone = i == 0 && n > 3 && memcmp(s, "in ", 3) == 0;
        bool comma = s[i] == ',' && memchr(s + i + 1, ',', n - i - 1) == NULL &&
                     (memchr(s + i, ')', n - i) == NULL ||
                      memchr(s + i, '(', n - i) != NULL);
        if (!in && !lone && !comma && (s[i] != '/' || i == 0))
            continue;
        size_t at = i + (in ? 4 : lone ? 3 : 1), word = i;
        while (s[at] == ' ' && at + 1 < n)
            at++;
        bool wide = s[i] != '/' || s[i - 1] == ' ';
        while (!wide && word > 0 && s[word - 1] != ' ')
            word--;
        /* n 1/min, but Channel 1/degC */
        bool number =
            strspn(s + word, "0123456789") == i - word &&
            (s[word] != '1' || i - word > 1 || !is_per(s + at, n - at));
        if (word > 0 && !wide && !number && i - word <= 4) { /* a m/s */
            if (!darc_csv_is_unit(s + word, n - word))
                return false;
            *x = (darc_named){trimmed(s, word), word, n - word};
            return true;
        }
        if (!darc_csv_is_unit(s + at, n - at) ||
            (!wide && is_rate(s, i, s + at, n - at)))
            continue;
        *x = (darc_named){trimmed(s, i), at, n - at};
        return true;
    }
    return false;
}

/* Whether a degree or a percent begins there. */
static bool begins_degree(const char *s, size_t n)
{
    return n > 0 && (*s == '%' || (n > 1 && memcmp(s, "\xc2\xb0", 2) == 0) ||
                     (n > 2 && memcmp(s, "\xe2\x84", 2) == 0));
}

darc_named darc_unitword_split(const char *s, size_t n)
{
    darc_named x = {n = trimmed(s, n), 0, 0};
    if (n == 0 || split_bracket(&x, s, n))
        return x;
    size_t open = opening(s, n);
    if (open == 3 && memcmp(s, "der", 3) == 0)
        return x;
    if (open < n && open > 0 && !is_index(s + open + 1, n - open - 2)) {
        if (may_be_unit(s + open + 1, n - open - 2))
            return (darc_named){without_slash(s, trimmed(s, open)), open + 1,
                                n - open - 2};
        size_t rest = trimmed(s, open);
        const char *comma = memchr(s, ',', rest);
        if (comma != NULL && split_sign(&x, s, rest))
            return x;
        return x;
    }
    size_t word = n;
    while (word > 0 && s[word - 1] != ' ' && !begins_degree(s + word, n - word))
        word--;
    bool degree = word > 0 && n - word < 5 &&
                  begins_degree(s + word, n - word) &&
                  darc_csv_is_unit(s + word, n - word);
    if (!split_sign(&x, s, n) && degree) /* Ta °C, Humidity%RH */
        x = (darc_named){trimmed(s, word), word, n - word};
    const char *in = x.length == 0 ? memchr(s, '(', n) : NULL;
    const char *out = in != NULL ? memchr(in, ')', (size_t)(s + n - in)) : NULL;
    if (out != NULL && in > s && in[-1] == ' ' && out + 1 < s + n &&
        (out[1] == ',' || strncmp(out + 1, " Run", 4) == 0) &&
        may_be_unit(in + 1, (size_t)(out - in) - 1))
        x = (darc_named){n, (size_t)(in + 1 - s), /* T (K), Point: 1 */
                         (size_t)(out - in) - 1};
    return x;
}
