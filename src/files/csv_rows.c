/* csv_rows.c - which lines of a text are rows: those of one shape of which
 * there are most. */
#include "base/limits.h"
#include "base/mem.h"
#include "files/csv_finder.h"
#include "files/thresholds.h"

#include <string.h>

enum { SHAPES = 8 };

/* "5s  15s  20d": how wide columns are, below their names (RDB of the USGS). */
static bool are_widths(const char *s, const char *end)
{
    return end > s && strchr("sdn", end[-1]) != NULL && *s >= '0' &&
           *s <= '9' && memchr(s, '\t', (size_t)(end - s)) &&
           s + strspn(s, "0123456789sdn\t") == end;
}

/* Leave out of the line from *begin to *end of the bytes b a bracket before the
 * first number of a matrix, what ends its rows, and the sign of a comment;
 * return whether it is one. */
static bool trim_line(size_t *begin, size_t *end, bool *bracketed,
                      const char *b)
{
    size_t i = *begin, n = *end;
    while (i < n && b[i] == ' ')
        i++;
    bool quoted = n - i > 3 && b[i] == '"' && b[i + 1] == '#' &&
                  b[i + 2] >= 'A' && b[i + 2] <= 'Z'; /* "#NAMES" */
    bool lone = n - i > 2 && ((b[i] == ';' && b[i + 1] == ' ' &&
                               memchr(b + i + 1, ';', n - i - 1) == NULL) ||
                              memcmp(b + i, "//", 2) == 0);
    bool comment = darc_csv_is_hash(b[i]) || quoted || lone;
    while (i < n && darc_csv_is_blank(b[i]))
        i++;
    size_t open = i + strspn(b + i, "[ ");
    const char *close = memchr(b + i, ']', n - i);
    *bracketed =
        b[i] == '[' &&
        (close == NULL || (strchr("0123456789.-", b[open]) != NULL &&
                           close + strspn(close, "], \t\r") >= b + n &&
                           memchr(b + open, ' ', (size_t)(close - b) - open)));
    while (comment && i < n &&
           (darc_csv_is_hash(b[i]) || darc_csv_is_blank(b[i]) ||
            (lone && strchr(";/", b[i]) != NULL)))
        i++;
    if (comment || *bracketed || i == n)
        *begin = i + *bracketed;
    while (n > *begin && (darc_csv_is_blank(b[n - 1]) || b[n - 1] == ']'))
        n--;
    if (n > *begin && b[n - 1] == ';' &&
        memchr(b + *begin, ';', n - 1 - *begin) == NULL)
        *end = n - 1;
    return comment;
}

/* Take the lines that are in memory, up to as many as are looked at. */
void darc_finder_take(darc_finder *x)
{
    darc_lines *l = &x->csv->lines;
    bool types = false; /* stand in the line, of Ignition */
    while (x->seen < l->whole && x->count < DARC_LAYOUT_LINES) {
        char *s = l->buffer + x->seen;
        const char *end = darc_csv_line_end(s, x->csv);
        if (s[0] == '(' && s[1] == '"' && end[-1] == ')') /* of Fluent */
            s[0] = s[end - s - 1] = ' ';
        darc_line new = {
            .from = x->seen, .begin = x->seen, .number = ++x->number};
        new.end = (size_t)(end - l->buffer);
        x->seen = new.end + 1 + (*end == '\r');
        new.comment =
            trim_line(&new.begin, &new.end, &new.bracketed, l->buffer) || types;
        if (new.bracketed)
            darc_csv_unbracket(s, end);
        const char *plus = memchr(s, '+', (size_t)(end - s));
        x->csv->signs =
            x->csv->signs || (plus != NULL && !new.comment &&
                              (plus == s || darc_csv_is_blank(plus[-1])) &&
                              darc_csv_sign(plus, end) > 0);
        types = end - s == 8 && memcmp(s, "\"#TYPES\"", 8) == 0;
        size_t drawn = strspn(l->buffer + new.begin, "-=_+|: \t");
        if (new.begin >= new.end ||
            darc_csv_is_bare(l->buffer + new.begin, l->buffer + new.end) ||
            *s == 0x1a || are_widths(s, end) ||
            (drawn >= new.end - new.begin &&drawn > 2))
            continue;
        DARC_APPEND(x->at, x->count, new);
    }
}

/* The same, whichever mark of decimals others have. */
static darc_cell_kind kind_of(const darc_cell *cell, darc_csv *csv)
{
    darc_stamp stamp;
    csv->point = '.';
    csv->point_sure = false;
    return darc_csv_kind(&stamp, cell, csv);
}

/* What stands behind the key of cell c, "u=2.1", and before a unit, "2.1V"; a
 * word: it has none. */
static darc_cell_kind affixed_kind(const darc_finder *x, int c, bool *keyed)
{
    darc_cell cell = x->cell[c];
    size_t key = darc_csv_key(&cell);
    cell.s += key;
    cell.n -= key;
    *keyed = x->kind[c] == DARC_CELL_WORD && key > 0;
    if (x->kind[c] != DARC_CELL_WORD)
        return (darc_cell_kind)x->kind[c];
    darc_cell_kind k = kind_of(&cell, x->csv);
    return k == DARC_CELL_WORD && darc_csv_behind_number(&cell) > 0
               ? DARC_CELL_NUMBER
               : k;
}

/* Let cells be values less keys, if several have any, and less units, if there
 * is no word among them. */
static void take_affixes(darc_finder *x, int n)
{
    int keys = 0, words = 0;
    bool keyed;
    for (int c = 0; c < n; c++) {
        words += affixed_kind(x, c, &keyed) == DARC_CELL_WORD;
        keys += keyed && affixed_kind(x, c, &keyed) != DARC_CELL_WORD;
    }
    for (int c = 0; c < n && (keys > 1 || words == 0); c++) {
        unsigned char kind = (unsigned char)affixed_kind(x, c, &keyed);
        if (keyed ? keys > 1 : words == 0 && n > 1)
            x->kind[c] = kind;
    }
}

/* Set x->kind to what the cells of line i are; return how many there are. */
int darc_finder_classify(darc_finder *x, size_t i, char separator)
{
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    const char *end = x->csv->lines.buffer + x->at[i].end;
    int n = 0;
    x->csv->separator = separator;
    for (bool good = true; s != NULL && good && n < DARC_MAX_COLUMNS + 2; n++) {
        darc_cell cell = darc_cell_of(s, 0);
        good = darc_csv_head_cell(&cell, &s, end, x->csv, NULL) == DARC_OK;
        size_t length = cell.n;
        const char *hash = memchr(cell.s, '#', length);
        bool number = hash != NULL && strchr("0123456789", hash[1]) != NULL;
        if (length > 1 && !number) /* Run #1 is a name */
            darc_csv_uncomment(&cell);
        s = cell.n < length ? NULL : s;
        x->cell[n] = cell;
        x->kind[n] =
            (unsigned char)(good ? kind_of(&cell, x->csv) : DARC_CELL_WORD);
    }
    take_affixes(x, n);
    return n;
}

bool darc_finder_has_values(const darc_finder *x, int n)
{
    for (int c = 0; c < n; c++)
        if (x->kind[c] == DARC_CELL_NUMBER || x->kind[c] == DARC_CELL_STAMP)
            return true;
    return false;
}

/* Whether the last line of words stands above the rows, too: a logger has begun
 * anew. */
static bool stands_again(const darc_finder *x, const darc_shape *g)
{
    const char *b = x->csv->lines.buffer;
    const darc_line *a = x->at + x->words, *k = x->at;
    while (k < x->at + g->first &&
           (a->end - a->begin != k->end - k->begin ||
            memcmp(b + a->begin, b + k->begin, a->end - a->begin) != 0))
        k++;
    return k < x->at + g->first;
}

/* Whether the line of n cells has the shape: where the others have values it
 * has such, but for a column or so, and no name in front of them. */
static bool fits(const darc_finder *x, size_t i, int n, const darc_shape *g)
{
    int agree = 0, differ = 0;
    bool lead = true;
    if (n > g->cells + 1 || n < g->cells - 1 ||
        (n > g->cells && x->kind[n - 1] != DARC_CELL_GAP &&
         x->kind[n - 1] != DARC_CELL_WORD))
        return false;
    if (n < g->cells &&
        g->at[n].count[DARC_CELL_GAP] + g->at[n].count[DARC_CELL_WORD] <
            g->rows)
        return false;
    if (x->words > g->last &&
        ((g->rows <= 2 && (x->names == 0 || x->names + 1 >= g->cells)) ||
         g->at[0].count[x->kind[0]] == 0 ||
         (x->names == g->cells && g->first > 0)) &&
        !stands_again(x, g))
        return false; /* settings, then names: this is a table of its own */
    bool blank = i > 0 && x->at[i].number > x->at[i - 1].number + 1;
    if (blank && x->kind[0] == DARC_CELL_GAP &&
        g->at[0].count[DARC_CELL_WORD] == g->rows)
        return false; /* keys and values, then rows */
    for (int c = 0; c < n && c < g->cells; c++) {
        darc_cell_kind k = (darc_cell_kind)x->kind[c];
        const unsigned *count = g->at[c].count;
        if (k == DARC_CELL_GAP || count[DARC_CELL_GAP] == g->rows)
            continue;
        bool same = k == DARC_CELL_WORD
                        ? count[DARC_CELL_WORD] > 0
                        : count[k] > 0 ||
                              count[DARC_CELL_STAMP + DARC_CELL_NUMBER - k] > 0;
        if (lead && !same)
            return false;
        lead = false;
        agree += same && k != DARC_CELL_WORD;
        differ += !same;
    }
    return agree > 0 && 2 * differ <= agree;
}

void darc_shape_join(darc_shape *g, const darc_finder *x, size_t i, int n)
{
    g->last = i;
    if (n > g->cells) {
        g->at = darc_realloc(g->at, (size_t)n, sizeof *g->at);
        for (int c = g->cells; c < n; c++) {
            g->at[c] = (darc_counts){{0}};
            g->at[c].count[DARC_CELL_GAP] = (unsigned)g->rows;
        }
        g->cells = n;
        g->full = 0;
    }
    g->full += n == g->cells;
    for (int c = 0; c < g->cells; c++)
        g->at[c].count[c < n ? x->kind[c] : DARC_CELL_GAP]++;
    g->gaps_last += n == g->cells && x->kind[n - 1] == DARC_CELL_GAP;
    g->rows++;
}

/* How much of the shape is values, of settings (keys that differ) less. */
double darc_shape_worth(const darc_shape *g)
{
    double values = 0, words = 0;
    for (int c = 0; c < g->cells; c++) {
        values +=
            g->at[c].count[DARC_CELL_NUMBER] + g->at[c].count[DARC_CELL_STAMP];
        words += g->at[c].count[DARC_CELL_WORD];
    }
    double share = values / (values + words);
    bool keys = g->at[0].count[DARC_CELL_WORD] == g->rows && g->cells < 4;
    return (double)g->rows * share * share * (keys ? .25 : 1);
}

void darc_shapes_clear(darc_shape *g, int n)
{
    for (int i = 0; i < n; i++)
        darc_free(g[i].at);
}

/* Set *best to the shape of the rows by one separator; rows 0: it has none. */
void darc_finder_shape(darc_shape *best, darc_finder *x, char separator)
{
    darc_shape g[SHAPES] = {{0}};
    int shapes = 0, top = 0;
    x->words = 0;
    for (size_t i = 0; i < x->count; i++) {
        if (x->at[i].comment)
            continue;
        int n = darc_finder_classify(x, i, separator), k = 0;
        if (!darc_finder_has_values(x, n)) {
            bool label = n == 1 && x->cell[0].n > 0 &&
                         x->cell[0].s[x->cell[0].n - 1] == ':';
            int names = 0;
            while (names < n && x->kind[names] == DARC_CELL_WORD)
                names++;
            if (n > 1 || label) {
                x->words = i;
                x->names = names == n ? n : 0;
            }
            continue;
        }
        for (int j = k = shapes; j-- > 0;) /* the one whose row is the last */
            if (fits(x, i, n, g + j) && (k == shapes || g[j].last > g[k].last))
                k = j;
        if (k == shapes && shapes == SHAPES) { /* the least gives way */
            for (int j = k = 0; j < SHAPES; j++)
                k = darc_shape_worth(g + j) < darc_shape_worth(g + k) ? j : k;
            darc_shapes_clear(g + k, 1);
            g[k] = (darc_shape){.first = i};
        } else if (k == shapes) {
            g[shapes++] = (darc_shape){.first = i};
        }
        darc_shape_join(g + k, x, i, n);
        top = darc_shape_worth(g + k) > darc_shape_worth(g + top) ? k : top;
        if (g[top].rows >= x->sure)
            break;
    }
    *best = g[top];
    g[top].at = NULL;
    darc_shapes_clear(g, shapes);
}
