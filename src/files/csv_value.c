/* csv_value.c - what stands in a cell: a number, a gap, a word. */
#include "base/mem.h"
#include "base/text.h"
#include "files/csv.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <string.h>

bool darc_csv_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void darc_csv_trim(darc_cell *cell, const char *marks)
{
    for (; cell->n > 0 && strchr(marks, *cell->s) != NULL; cell->n--)
        cell->s++;
    while (cell->n > 0 && strchr(marks, cell->s[cell->n - 1]) != NULL)
        cell->n--;
}

bool darc_csv_is_word(const darc_cell *cell, const char *word)
{
    const darc_word one[] = {{word, 1}};
    return !isnan(DARC_WORD(one, cell->s, cell->n));
}

bool darc_csv_is_framed(const darc_cell *cell)
{
    return cell->n > 1 && strchr("[(", cell->s[0]) != NULL &&
           strchr("])", cell->s[cell->n - 1]) != NULL;
}

/* Empty, or what loggers and programs write for a missing sample: nan(...),
 * -nan(ind), -1.#IND of Microsoft's library, ... */
bool darc_csv_is_gap(const darc_cell *cell)
{
    const char *s = cell->s;
    size_t n = cell->n;
    static const darc_word gap[] = {DARC_WORDS_GAPS};
    bool sign = n > 3 && (*s == '-' || *s == '+') && s[1] != '-';
    s += sign;
    n -= sign;
    if (n > 4 && s[3] == '(' && s[n - 1] == ')')
        n = 3;
    while (n > 3 && s[2] == '#' && s[n - 1] == '0')
        n--; /* 1.#QNAN00 */
    return strspn(s, " \t") >= n || !isnan(DARC_WORD(gap, s, n));
}

bool darc_csv_is_infinite(const darc_cell *cell, bool failed)
{
    static const darc_word infinite[] = {DARC_WORDS_INFINITE},
                           failure[] = {DARC_WORDS_FAILURES};
    static const char marks[] = "+-<>*#=";
    const char *s = cell->s;
    size_t n = cell->n;
    while (n > 0 && strchr(marks, *s) != NULL)
        s++, n--;
    while (n > 0 && strchr(marks, s[n - 1]) != NULL)
        n--;
    if (n == 0) /* ****, >>>> */
        return cell->n > 1 && strchr("+<>*#", *cell->s) != NULL;
    return !isnan(DARC_WORD(infinite, s, n)) ||
           ((failed || n < cell->n) &&
            (!isnan(DARC_WORD(failure, s, n)) ||
             !isnan(DARC_WORD(failure, cell->s, cell->n))));
}

void darc_csv_uncomment(darc_cell *cell)
{
    const char *hash = cell->quoted ? NULL : memchr(cell->s, '#', cell->n);
    if (hash == NULL || (hash > cell->s && !darc_csv_is_blank(hash[-1])))
        return;
    cell->n = (size_t)(hash - cell->s);
    darc_csv_trim(cell, " \t");
}

/* A number whose thousands are parted: 1,202.5 or 1.202,5 or 1'202 or
 * 1,202,000; by blanks that do not break, too. */
static bool read_grouped(double *x, const darc_cell *cell)
{
    char text[48] = "";
    size_t n = 0, groups = 0, wide = 1, sign = 0;
    const char *s = cell->s, *end = s + cell->n;
    if (cell->n + 8 >= sizeof text)
        return false;
    if (s < end && (*s == '-' || *s == '+'))
        text[n++] = s[sign++];
    size_t digits = strspn(s += sign, "0123456789");
    const char *mark = s + digits;
    bool blank = memcmp(mark, "\xc2\xa0", 2) == 0;
    bool thin = memcmp(mark, "\xe2\x80\xaf", 3) == 0 ||
                memcmp(mark, "\xe2\x80\x99", 3) == 0;
    wide = thin ? 3 : blank ? 2 : 1;
    if (digits == 0 || digits > 4 || mark >= end ||
        (wide == 1 && (*mark == '\0' || strchr(",.' ", *mark) == NULL)))
        return false;
    memcpy(text + n, s, digits);
    n += digits;
    for (s = mark; s + wide + 3 <= end && memcmp(s, mark, wide) == 0;
         groups++) {
        if (strspn(s + wide, "0123456789") < 3)
            return false;
        memcpy(text + n, s + wide, 3);
        n += 3;
        s += wide + 3;
    }
    bool comma = *mark == '.' || ((wide > 1 || *mark == ' ') && *s == ',');
    bool decimals = s < end && *s == (comma ? ',' : '.');
    if (groups == 0 || (s < end && !decimals) ||
        (groups == 1 && !decimals && strchr(",.", *mark) != NULL))
        return false;
    memcpy(text + n, s, (size_t)(end - s));
    n += (size_t)(end - s);
    return darc_number_read(x, text, comma ? ',' : '.') == text + n;
}

void darc_csv_see_group(darc_csv *csv, const darc_cell *cell)
{
    size_t sign = *cell->s == '-' || *cell->s == '+';
    size_t whole = strspn(cell->s + sign, "0123456789");
    char mark = cell->s[sign + whole];
    if (sign + whole >= cell->n || strchr(".,", mark) == NULL ||
        (csv->separator == ',' && !cell->quoted) ||
        (mark == '.' && csv->separator != ';'))
        return;
    bool like =
        cell->s[sign] != '0' && whole <= 3 && sign + whole + 4 == cell->n;
    csv->decimals = csv->decimals || !like;
    csv->grouped = csv->grouped || like;
}

size_t darc_csv_sign(const char *s, const char *end)
{
    bool wide = end - s > 3 && memcmp(s, "\xe2\x88\x92", 3) == 0; /* − */
    const char *digit = s + (wide ? 3 : 1);
    if (s >= end || (*s != '+' && *s != '-' && !wide))
        return 0;
    while (digit < end && darc_csv_is_blank(*digit))
        digit++;
    return digit < end && digit > s + 1 && *digit >= '0' && *digit <= '9'
               ? (size_t)(digit - s)
               : 0;
}

double darc_csv_prefix(const char *s, size_t n)
{
    static const darc_word known[] = {DARC_WORDS_PREFIXES};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strlen(known[k].word) == n && memcmp(s, known[k].word, n) == 0)
            return known[k].value;
    return 0;
}

/* Set *x to the number of cell c, of which a prefix is the end. */
static bool read_scaled(double *x, const darc_cell *c, char point)
{
    const char *s = darc_number_read(x, c->s, point), *end = c->s + c->n;
    bool some = c->scaled && s > c->s;
    while (some && s < end && *s == ' ')
        s++;
    size_t n = some && s < end ? (size_t)(end - s) : 0;
    double factor = some && s == end ? 1 : darc_csv_prefix(s, n);
    bool mega = c->bare && n == 1 && *s == 'M'; /* or SPICE's milli */
    *x *= factor;
    return factor > 0 && !mega;
}

bool darc_csv_number(double *x, const darc_cell *cell, darc_csv *csv)
{
    *x = NAN;
    size_t sign = darc_csv_sign(cell->s, cell->s + cell->n);
    if (sign > 0) {
        bool is = darc_csv_number(x,
                                  &(darc_cell){.s = cell->s + sign,
                                               .n = cell->n - sign,
                                               .quoted = cell->quoted,
                                               .scaled = cell->scaled,
                                               .bare = cell->bare},
                                  csv);
        *x = *cell->s != '+' ? -*x : *x;
        return is;
    }
    if (darc_csv_is_gap(cell))
        return true;
    const char *end = cell->s + cell->n;
    if (end[-1] == ',')
        return false; /* of another cell */
    /* where commas part cells those in quotes alone can hold one */
    bool bare = !cell->quoted && csv->point == csv->separator;
    char point = bare ? '.' : csv->point;
    if (darc_number_read(x, cell->s, point) != end) {
        point = point == '.' ? ',' : '.';
        if (bare || csv->point_sure ||
            darc_number_read(x, cell->s, point) != end)
            return read_grouped(x, cell) || read_scaled(x, cell, csv->point) ||
                   (!bare && !csv->point_sure && read_scaled(x, cell, point));
    }
    if (!bare && memchr(cell->s, point, cell->n) != NULL) {
        csv->point = point;
        csv->point_sure = true;
    }
    return true;
}

darc_cell_kind darc_csv_kind(darc_stamp *stamp, const darc_cell *cell,
                             darc_csv *csv)
{
    double value;
    if (darc_csv_is_gap(cell))
        return DARC_CELL_GAP;
    if (darc_csv_number(&value, cell, csv) || darc_csv_is_infinite(cell, false))
        return DARC_CELL_NUMBER;
    return darc_stamp_read(stamp, cell->s, cell->n, (darc_stamp_form){0})
               ? DARC_CELL_STAMP
               : DARC_CELL_WORD;
}

size_t darc_csv_behind_number(const darc_cell *cell)
{
    double x;
    const char *s = cell->s + darc_csv_sign(cell->s, cell->s + cell->n);
    size_t n = (size_t)(darc_number_read(&x, s, '.') - cell->s);
    if (n < cell->n && cell->s[n] == ',')
        n = (size_t)(darc_number_read(&x, s, ',') - cell->s);
    if (n == 0 || n >= cell->n || cell->n - n > 12 ||
        (strchr(" %\xc2\xce", cell->s[n]) == NULL &&
         darc_csv_prefix(cell->s + n, cell->n - n) == 0 &&
         !darc_csv_is_unit(cell->s + n, cell->n - n)))
        return 0;
    for (size_t i = n; i < cell->n; i++)
        if (strchr("0123456789:+-,", cell->s[i]) != NULL)
            return 0;
    return n;
}

void darc_csv_name(darc_csv *csv, int c, const darc_cell *cell)
{
    const char *s = cell->s, *unit = cell->s + 1;
    darc_named x = darc_unitword_split(s, cell->n);
    const char *close = x.length == 0 && cell->n > 0 && *s == '['
                            ? memchr(s, ']', cell->n)
                            : NULL;
    if (close != NULL && close + 2 < s + cell->n && close[1] == ' ') {
        x = (darc_named){cell->n, 0, (size_t)(close - unit)}; /* [m] a */
        s = close + 2;
        x.name -= (size_t)(s - cell->s);
    } else {
        unit = s + x.unit;
    }
    DARC_FREE(csv->name[c], csv->unit[c]);
    csv->name[c] = darc_text_name(s, x.name);
    for (char *q = csv->name[c]; (q = strstr(q, "\"\"")) != NULL; q++)
        memmove(q, q + 1, strlen(q));
    csv->unit[c] = x.length > 0          ? darc_text_name(unit, x.length)
                   : csv->prefix != NULL ? darc_strdup("")
                                         : NULL;
}

size_t darc_csv_key(const darc_cell *cell)
{
    const char *s = cell->s;
    size_t n = 0;
    while (n < cell->n && strchr(" \t\"=:", s[n]) == NULL)
        n++;
    bool letter = (s[0] | 0x20) >= 'a' || (s[0] & 0x80) != 0;
    return !cell->quoted && n > 0 && n + 1 < cell->n &&
                   (s[n] == '=' || (letter && s[n] == ':')) && s[n + 1] != s[n]
               ? n + 1
               : 0;
}

void darc_csv_strip(darc_cell *cell, const darc_csv *csv, int c)
{
    const char *prefix = csv->prefix != NULL ? csv->prefix[c] : NULL;
    const char *suffix = csv->suffix != NULL ? csv->suffix[c] : NULL;
    size_t n = suffix != NULL ? strlen(suffix) : 0;
    size_t m = prefix != NULL ? strlen(prefix) : 0;
    if (cell->n >= m && memcmp(cell->s, prefix != NULL ? prefix : "", m) == 0) {
        cell->s += m;
        cell->n -= m;
    }
    cell->bare = suffix != NULL && n == 0;
    cell->scaled = suffix != NULL && cell->n > n &&
                   memcmp(cell->s + cell->n - n, suffix, n) == 0;
    cell->lacks = n > 0 && !cell->scaled && darc_csv_prefix(suffix, n) > 0;
    cell->n -= cell->scaled ? n : 0;
}
