/* csv_vertical.c - names of columns that stand one below the other, above rows:
 * "Sig1 Time (min)", "Channel : Speed", or a name a line. */
#include "base/mem.h"
#include "base/text.h"
#include "files/csv_finder.h"
#include "files/scan.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 400, MOST_KEY = 24 };

/* A line: what it says, and the name that it gives. */
typedef struct {
    darc_cell key, name;
    int number; /* behind the key; -1: none */
} entry;

/* Read "KEY 12: NAME", or "KEY: NAME" where it is not numbered. */
static bool read_entry(entry *e, const darc_cell *line, bool numbered)
{
    const char *s = line->s, *end = s + line->n, *q;
    while (s < end && !is_letter(*s) && (*s < '0' || *s > '9'))
        s++;
    for (q = s; q < end && q - s < MOST_KEY && strchr(":=", *q) == NULL; q++)
        if (numbered && !is_letter(*q) && strchr(" _", *q) == NULL)
            break;
    e->key = darc_cell_of(s, (size_t)(q - s));
    size_t digits = strspn(q, "0123456789");
    if (numbered ? digits == 0 || digits > 3 : q == s || q == end)
        return false;
    e->number = numbered ? atoi(q) : -1;
    q += numbered ? digits : 0;
    if (q >= end || strchr(" \t:=.)", *q) == NULL)
        return false;
    q += strspn(q, " \t:=.)");
    const char *open = q < end ? memchr(q, '"', (size_t)(end - q)) : NULL;
    const char *close = open != NULL ? strchr(open + 1, '"') : NULL;
    if (close != NULL && close < end) {
        q = open + 1;
        end = close;
    }
    e->name = darc_cell_of(q, q < end ? (size_t)(end - q) : 0);
    return e->name.n > 0 && (is_letter(*q) || strchr("[<(", *q) != NULL);
}

static bool same(const darc_cell *a, const darc_cell *b)
{
    return a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

/* Set name to those of the lines from the i-th on that say the same, numbers
 * one after the other; return how many there are. */
static int gather(darc_cell *name, int most, const darc_cell *line, int n,
                  int i, bool numbered)
{
    entry first, e;
    int count = 0;
    if (!read_entry(&first, line + i, numbered))
        return 0;
    for (; i < n; i++)
        if (read_entry(&e, line + i, numbered) && same(&e.key, &first.key) &&
            (!numbered || e.number == first.number + count)) {
            if (count < most)
                name[count] = e.name;
            count++;
        }
    return most > 1 && count > 1 && same(name, name + 1) ? 0 : count;
}

/* The same of the lines of a word or a few right above the rows, as many as
 * there are columns, below a blank line or none. */
static int gather_bare(darc_cell *name, int most, const darc_cell *line, int n)
{
    int first = n;
    while (first > 0 && line[first - 1].n > 0)
        first--;
    for (int i = first; i < n && n - first == most; i++) {
        name[i - first] = line[i];
        if (!is_letter(*line[i].s) || line[i].n > 2 * MOST_KEY ||
            memchr(line[i].s, ':', line[i].n) != NULL)
            return 0;
    }
    return n - first;
}

/* The label of the axis on which the first column stands (xmgrace). */
static darc_cell find_axis(const darc_cell *line, int n)
{
    for (int i = 0; i < n; i++)
        if (line[i].n > 8 && memcmp(line[i].s, "@", 1) == 0 &&
            strstr(line[i].s, "xaxis") < line[i].s + line[i].n) {
            const char *open = memchr(line[i].s, '"', line[i].n);
            const char *close = open != NULL ? strchr(open + 1, '"') : NULL;
            if (close != NULL && close < line[i].s + line[i].n)
                return darc_cell_of(open + 1, (size_t)(close - open - 1));
        }
    return darc_cell_of("", 0);
}

/* Take the last lines above the rows, less blanks; return how many. */
static int take_lines(darc_cell *line, const darc_csv *csv, const char *limit)
{
    int n = 0;
    for (const char *s = csv->lines.buffer + csv->first_byte; s < limit;) {
        const char *end = darc_csv_line_end(s, csv);
        if (n == MOST_LINES)
            memmove(line, line + 1, (size_t)--n * sizeof *line);
        line[n] = darc_cell_of(s, (size_t)(end - s));
        darc_csv_trim(line + n++, " \t");
        s = (const char *)memchr(end, '\n', 2) + 1;
    }
    while (n > 0 && line[n - 1].n == 0)
        n--;
    return n;
}

/* Name X, Y and Z of the markers of Qualisys, above which their rate stands. */
static void name_markers(darc_csv *csv, const darc_cell *marker,
                         const darc_cell *line, int n)
{
    static const char rate[] = "FREQUENCY\t";
    for (int c = 0; c < csv->columns; c++) {
        char *name = darc_text_of("%.*s %c", (int)marker[c / 3].n,
                                  marker[c / 3].s, 'X' + c % 3);
        darc_csv_name(csv, c, &(darc_cell){.s = name, .n = strlen(name)});
        darc_free(name);
    }
    for (int k = 0; k < n; k++)
        if (memcmp(line[k].s, rate, sizeof rate - 1) == 0 &&
            atof(line[k].s + sizeof rate - 1) > 0) {
            csv->step = 1 / atof(line[k].s + sizeof rate - 1);
            csv->step_line = csv->first_line + (size_t)k;
            csv->step_name = darc_strdup("FREQUENCY");
        }
}

const char *darc_csv_variables(const char *s)
{
    static const char word[] = "variables";
    for (size_t i = 0; word[i] != '\0'; i++, s++)
        if ((*s | 0x20) != word[i])
            return NULL;
    s += strspn(s, " \t");
    return *s == '=' ? s + 1 : NULL;
}

/* The words behind "VARIABLES =", "MARKER_NAMES" or below "channel names:", in
 * quotes or not, also on lines below that have quotes; return how many there
 * are. */
static int gather_words(darc_cell *name, int most, const darc_cell *line, int n)
{
    int i = n, count = 0;
    const char *s = NULL;
    while (s == NULL && i-- > 0) {
        bool below =
            i > 0 && line[i - 1].n > 5 &&
            memcmp(line[i - 1].s + line[i - 1].n - 6, "names:", 6) == 0;
        bool markers =
            line[i].n > 13 && memcmp(line[i].s, "MARKER_NAMES\t", 13) == 0;
        s = below     ? line[i].s
            : markers ? line[i].s + 13
                      : darc_csv_variables(line[i].s);
    }
    for (; s != NULL; s = ++i < n && *line[i].s == '"' ? line[i].s : NULL)
        for (const char *end = line[i].s + line[i].n; s < end;) {
            bool quoted = *s == '"';
            const char *marks = quoted ? "\"\r\n" : " ,\t\r\n";
            size_t m = strcspn(s += quoted, marks);
            if (m > 0 && count < most)
                name[count] = darc_cell_of(s, m);
            count += m > 0;
            s += m + 1;
        }
    return count;
}

void darc_csv_name_vertically(darc_csv *csv, const char *limit)
{
    darc_cell line[MOST_LINES], name[MOST_LINES];
    int n = take_lines(line, csv, limit), most = csv->columns, count = 0;
    if (most < 2 || most > MOST_LINES)
        return;
    count = gather_words(name, most, line, n);
    csv->vertical = count > 0 && 3 * count == most;
    if (csv->vertical)
        name_markers(csv, name, line, n);
    if (csv->vertical)
        return;
    count = count == most ? count : 0;
    for (int way = 0; way < 5 && count == 0; way++) {
        int want = most - way % 2;
        for (int i = 0; way < 4 && want > 1 && i < n && count != want; i++)
            count = gather(name, want, line, n, i, way < 2);
        count = way == 4 ? gather_bare(name, want, line, n) : count;
        count = count == want ? count : 0;
    }
    for (int c = 0; c < count; c++)
        darc_csv_name(csv, most - count + c, name + c);
    darc_cell axis = find_axis(line, n);
    if (count == most - 1 && axis.n > 0)
        darc_csv_name(csv, 0, &axis);
    csv->vertical = count > 0;
}
