/* csv_layout.c - where a table stands in a text: its rows are the lines of one
 * shape of which there are most, names, units and settings above, beside. */
#include "base/limits.h"
#include "base/mem.h"
#include "files/csv.h"
#include "files/thresholds.h"

#include <string.h>

/* A line that is not blank. */
typedef struct {
    size_t from, number; /* of the line */
    size_t begin, end;   /* of what is in it, without brackets of a matrix */
    bool comment, bracketed;
} line;

/* What cells are. */
typedef enum { GAP, NUMBER, STAMP, WORD, KINDS } kind;

/* How often a column holds which. */
typedef struct {
    unsigned count[KINDS];
} column;

/* Lines of one shape, by one separator. */
typedef struct {
    size_t first, last, rows;
    unsigned gaps_last; /* of its lines end in a separator */
    int cells;          /* at most */
    column *at;         /* owned */
} shape;

typedef struct {
    darc_csv *csv;
    darc_err *err;
    size_t seen, number; /* bytes and lines that were looked at */
    size_t count, sure;  /* lines; rows that are enough */
    size_t words;        /* the last line of several cells without values */
    line *at;            /* owned */
    unsigned char *kind; /* of the cells of a line; owned */
} finder;

enum { SHAPES = 8 };
static const size_t none = SIZE_MAX;

/* Take the lines that are in memory, up to as many as are looked at. */
static void take_lines(finder *x)
{
    const darc_lines *l = &x->csv->lines;
    while (x->seen < l->whole && x->count < DARC_LAYOUT_LINES) {
        const char *s = l->buffer + x->seen;
        const char *end = darc_csv_line_end(s, x->csv);
        line new = {.from = x->seen, .begin = x->seen, .number = ++x->number};
        new.end = (size_t)(end - l->buffer);
        x->seen = new.end + 1 + (*end == '\r');
        new.comment =
            darc_csv_trim(&new.begin, &new.end, &new.bracketed, l->buffer);
        size_t drawn = strspn(l->buffer + new.begin, "-=_+|: \t");
        if (new.begin >= new.end || *s == 0x1a ||
            (drawn >= new.end - new.begin &&drawn > 2))
            continue;
        DARC_ROOM(x->at, x->count);
        x->at[x->count++] = new;
    }
}

static kind kind_of(const darc_cell *cell, darc_csv *csv)
{
    double value;
    darc_stamp stamp;
    csv->point = '.';
    csv->point_sure = false;
    if (darc_csv_is_gap(cell))
        return GAP;
    if (darc_csv_number(&value, cell, csv) || darc_csv_is_infinite(cell))
        return NUMBER;
    return darc_stamp_read(&stamp, cell->s, cell->n, (darc_stamp_form){0, 0})
               ? STAMP
               : WORD;
}

/* Set x->kind to what the cells of line i are; return how many there are. */
static int classify(finder *x, size_t i, char separator)
{
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    const char *end = x->csv->lines.buffer + x->at[i].end;
    int n = 0;
    x->csv->separator = separator;
    for (bool good = true; s != NULL && good && n < DARC_MAX_COLUMNS + 2; n++) {
        darc_cell cell = {s, 0, false};
        good = darc_csv_head_cell(&cell, &s, end, x->csv, NULL) == DARC_OK;
        size_t length = cell.n;
        if (length > 1)
            darc_csv_uncomment(&cell);
        s = cell.n < length ? NULL : s;
        x->kind[n] = (unsigned char)(good ? kind_of(&cell, x->csv) : WORD);
    }
    return n;
}

static bool has_values(const finder *x, int n)
{
    for (int c = 0; c < n; c++)
        if (x->kind[c] == NUMBER || x->kind[c] == STAMP)
            return true;
    return false;
}

/* Whether column c is one of values of a kind, a word here and there aside. */
static bool has_most(const shape *g, int c, kind k)
{
    return g->at[c].count[k] > g->at[c].count[NUMBER + STAMP - k] &&
           g->at[c].count[k] >= g->at[c].count[WORD];
}

/* Whether the line of n cells has the shape: where the others have values it
 * has such, but for a column or so, and no name in front of them. */
static bool fits(const finder *x, int n, const shape *g)
{
    int agree = 0, differ = 0;
    bool lead = true;
    if (n > g->cells + 1 || n < g->cells - 1 ||
        (n > g->cells && x->kind[n - 1] != GAP && x->kind[n - 1] != WORD))
        return false;
    if (n < g->cells && g->at[n].count[GAP] + g->at[n].count[WORD] < g->rows)
        return false;
    if (x->words > g->last && (g->rows <= 2 || g->at[0].count[x->kind[0]] == 0))
        return false; /* settings, then names: this is a table of its own */
    for (int c = 0; c < n && c < g->cells; c++) {
        kind k = (kind)x->kind[c];
        const unsigned *count = g->at[c].count;
        if (k == GAP || count[GAP] == g->rows)
            continue;
        bool same = k == WORD ? count[WORD] > 0
                              : count[k] > 0 || count[STAMP + NUMBER - k] > 0;
        if (lead && !same)
            return false;
        lead = false;
        agree += same && k != WORD;
        differ += !same;
    }
    return agree > 0 && 2 * differ <= agree;
}

static void join(shape *g, const finder *x, size_t i, int n)
{
    g->last = i;
    if (n > g->cells) {
        g->at = darc_realloc(g->at, (size_t)n, sizeof *g->at);
        for (int c = g->cells; c < n; c++) {
            g->at[c] = (column){{0}};
            g->at[c].count[GAP] = (unsigned)g->rows;
        }
        g->cells = n;
    }
    for (int c = 0; c < g->cells; c++)
        g->at[c].count[c < n ? x->kind[c] : GAP]++;
    g->gaps_last += n == g->cells && x->kind[n - 1] == GAP;
    g->rows++;
}

/* How much of the shape is values, of settings (keys that differ) less. */
static double worth(const shape *g)
{
    double values = 0, words = 0;
    for (int c = 0; c < g->cells; c++) {
        values += g->at[c].count[NUMBER] + g->at[c].count[STAMP];
        words += g->at[c].count[WORD];
    }
    double share = values / (values + words);
    bool keys = g->at[0].count[WORD] == g->rows && g->cells < 4;
    return (double)g->rows * share * share * (keys ? .25 : 1);
}

static void clear_shapes(shape *g, int n)
{
    for (int i = 0; i < n; i++)
        darc_free(g[i].at);
}

/* Set *best to the shape of the rows, by one separator; rows 0: there are none.
 */
static void find_shape(shape *best, finder *x, char separator)
{
    shape g[SHAPES] = {{0}};
    int shapes = 0, top = 0;
    x->words = 0;
    for (size_t i = 0; i < x->count; i++) {
        if (x->at[i].comment)
            continue;
        int n = classify(x, i, separator), k = 0;
        if (!has_values(x, n)) {
            x->words = n > 1 ? i : x->words;
            continue;
        }
        while (k < shapes && !fits(x, n, g + k))
            k++;
        if (k == shapes && shapes == SHAPES) { /* the least gives way */
            for (int j = k = 0; j < SHAPES; j++)
                k = worth(g + j) < worth(g + k) ? j : k;
            clear_shapes(g + k, 1);
            g[k] = (shape){.first = i};
        } else if (k == shapes) {
            g[shapes++] = (shape){.first = i};
        }
        join(g + k, x, i, n);
        top = worth(g + k) > worth(g + top) ? k : top;
        if (g[top].rows >= x->sure)
            break;
    }
    *best = g[top];
    g[top].at = NULL;
    clear_shapes(g, shapes);
}

/* Whether line i is a row that went wrong: it has values where rows do. */
static bool is_odd_row(finder *x, size_t i, const darc_csv_layout *to,
                       const shape *g)
{
    int n = classify(x, i, to->separator), same = 0, of = 0;
    if (x->at[i].comment || n > g->cells + 1)
        return false;
    for (int c = 0; c < g->cells; c++) {
        bool value = has_most(g, c, NUMBER) || has_most(g, c, STAMP);
        of += value;
        same += value && c < n && (x->kind[c] == NUMBER || x->kind[c] == STAMP);
    }
    return 2 * same >= of && same > 0;
}

/* Whether the n cells of line i beyond those of the rows are settings: their
 * names, or numbers below names. */
static bool is_beside(finder *x, size_t i, int from)
{
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    const char *end = x->csv->lines.buffer + x->at[i].end;
    for (int c = 0; s != NULL; c++) {
        darc_cell cell;
        if (darc_csv_head_cell(&cell, &s, end, x->csv, NULL) != DARC_OK)
            return false;
        if (c >= from && cell.n > 0 && x->kind[c] != NUMBER &&
            !darc_csv_is_word(&cell, "comment") &&
            darc_csv_setting(&cell) == DARC_SETTING_NONE)
            return false;
    }
    return true;
}

/* Whether line i can hold names or units of the columns; set its separator and
 * how many columns it says there are. */
static bool can_name(char *separator, int *columns, finder *x, size_t i,
                     const darc_csv_layout *to, const shape *g)
{
    const char tries[] = {to->separator, ',',           ';', '\t',
                          '|',           DARC_CSV_WIDE, ' '};
    int least = g->cells - (g->gaps_last == g->rows);
    for (size_t k = 0; k < sizeof tries; k++) {
        int n = classify(x, i, tries[k]), words = 0, numbers = 0;
        for (int c = 0; c < n && c < g->cells; c++) {
            words += x->kind[c] == WORD;
            numbers += x->kind[c] == NUMBER || x->kind[c] == STAMP;
        }
        if (words == 0 || n < least || x->kind[0] == STAMP ||
            x->kind[0] == NUMBER || numbers > words)
            continue;
        bool empty_last = n > 1 && x->kind[n - 1] == GAP;
        if (n > g->cells && !(n == g->cells + 1 && empty_last) &&
            !is_beside(x, i, g->cells))
            continue;
        *separator = tries[k];
        *columns = n > g->cells ? g->cells : n;
        if (n > least && n == g->cells && empty_last && g->gaps_last == g->rows)
            *columns = least;
        return true;
    }
    return false;
}

/* Whether the cells of the line are units, or words for what a column holds:
 * all, of several most, or that of time; the first may be empty. */
static bool are_units(finder *x, size_t i, char separator)
{
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    const char *end = x->csv->lines.buffer + x->at[i].end;
    int units = 0, others = 0;
    bool first = true, apart = false;
    x->csv->separator = separator;
    for (; s != NULL; first = false) {
        darc_cell cell;
        if (darc_csv_cell(&cell, &s, end, x->csv, NULL) != DARC_OK)
            return false;
        apart =
            apart || (first && (cell.n == 0 || darc_csv_is_word(&cell, "s") ||
                                darc_csv_is_word(&cell, "unix time")));
        bool unit = darc_csv_is_framed(&cell) ||
                    darc_csv_is_unit(cell.s, cell.n) ||
                    darc_unitword_is_type(cell.s, cell.n) ||
                    kind_of(&cell, x->csv) == NUMBER;
        units += unit && cell.n > 0;
        others += !unit;
    }
    return (units > 0 && units >= 3 * others) || (apart && i > 0);
}

/* Whether the line is no part of a table: a title, "[data]". */
static bool is_aside(finder *x, size_t i, const shape *g)
{
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    const char *end = x->csv->lines.buffer + x->at[i].end;
    size_t n = (size_t)(end - s);
    return darc_csv_is_framed(&(darc_cell){s, n, false}) ||
           (g->cells > 1 && classify(x, i, DARC_CSV_WIDE) == 1 &&
            classify(x, i, ',') == 1 && classify(x, i, ';') == 1 &&
            memchr(s, ' ', n) == NULL);
}

/* Look for names above the rows, units between; in comments, or not. */
static bool look_up(darc_csv_layout *to, finder *x, const shape *g,
                    bool comments)
{
    size_t name = none, unit = none;
    for (size_t k = to->first, aside = 0; k-- > 0;) {
        char separator = to->names_separator;
        int columns = to->columns;
        if (x->at[k].comment != comments) {
            if (comments)
                break;
            continue;
        }
        bool above = name == k + 1 && to->are_units && /* x-axis,1,2 */
                     classify(x, k, separator) == columns && x->kind[0] == WORD;
        if (!above && !can_name(&separator, &columns, x, k, to, g)) {
            if (name == none && aside++ < 3 && (comments || is_aside(x, k, g)))
                continue;
            break;
        }
        bool units = are_units(x, k, separator);
        if (name != none && !to->are_units)
            break;
        if (name != none && (unit == none || unit > name))
            unit = name;
        name = k;
        to->are_units = units;
        to->names_separator = separator;
        to->columns = columns;
    }
    to->name = name;
    to->unit = unit;
    return name != none;
}

/* Where the lines stand in the buffer. */
static void set_layout(darc_csv_layout *to, const finder *x)
{
    bool rows = to->first < x->count;
    const line *d = rows ? x->at + to->first : NULL;
    to->data = rows ? d->from : x->csv->lines.whole;
    to->data_line = rows ? d->number : x->number + 1;
    to->bracketed = rows && d->bracketed;
    to->names = to->units = to->data;
    to->names_line = to->data_line;
    if (to->name != none) {
        to->names = x->at[to->name].begin;
        to->names_line = x->at[to->name].number;
    }
    if (to->unit != none)
        to->units = x->at[to->unit].begin;
}

/* Settings beside the rows: keys in the first column, then values, an empty
 * column, and numbers alone. */
static int settings_beside(const shape *g)
{
    int last = g->cells - 1 - (g->gaps_last == g->rows), c = last;
    while (c >= 0 && g->at[c].count[NUMBER] == g->rows)
        c--;
    return c > 1 && c < last && g->at[c].count[GAP] == g->rows &&
                   g->at[0].count[WORD] > 1 &&
                   g->at[0].count[WORD] + g->at[0].count[GAP] == g->rows
               ? c + 1
               : 0;
}

static darc_csv_layout no_table(const finder *x, char separator)
{
    return (darc_csv_layout){.separator = separator,
                             .names_separator = separator,
                             .name = none,
                             .unit = none,
                             .first = x->count};
}

/* Lay out what stands there by one separator; return how good that is. */
static double try_separator(darc_csv_layout *to, finder *x, char separator)
{
    shape g;
    *to = no_table(x, separator);
    find_shape(&g, x, separator);
    if (g.rows == 0)
        return 0;
    double score = worth(&g);
    size_t first = to->first = g.first;
    while (to->first > 0 && is_odd_row(x, to->first - 1, to, &g))
        to->first--;
    bool named = look_up(to, x, &g, false);
    if (!named && to->first < first) { /* what has a word is no row then */
        to->first = first;
        named = look_up(to, x, &g, false);
    }
    named = named || look_up(to, x, &g, true);
    to->beside = named ? 0 : settings_beside(&g);
    if (!named && to->first > 0 && !x->at[to->first - 1].comment) {
        int n = classify(x, to->first - 1, separator);
        bool by_blanks = separator == ' ' || separator == DARC_CSV_WIDE;
        if (n > 1 && (n < g.cells || !by_blanks) && !has_values(x, n) &&
            x->csv->lines.buffer[x->at[to->first - 1].end - 1] != ')')
            to->name = to->first - 1; /* told when rows are read */
    }
    if (to->columns == 0)
        to->columns = to->name != none ? 0 : g.cells - (g.gaps_last == g.rows);
    clear_shapes(&g, 1);
    return score * (named ? 1.5 : 1);
}

/* The separators that stand in the lines, likely ones first. */
static void choose(darc_csv_layout *to, finder *x)
{
    static const char tries[] = {';', '\t', ',', '|', ' ', DARC_CSV_WIDE};
    double best = 0;
    const char *b = x->csv->lines.buffer;
    *to = no_table(x, ',');
    for (size_t k = 0; k < sizeof tries; k++) {
        bool there = false;
        char c = tries[k] == DARC_CSV_WIDE ? ' ' : tries[k];
        for (size_t i = 0; i < x->count && !there; i++)
            there = memchr(b + x->at[i].begin, c,
                           x->at[i].end - x->at[i].begin) != NULL;
        darc_csv_layout one;
        double score = there || c == ',' ? try_separator(&one, x, tries[k]) : 0;
        if (score > best) {
            best = score;
            *to = one;
        }
    }
    size_t i = 0;
    while (best == 0 && i < x->count && x->at[i].comment)
        i++;
    if (best == 0) { /* a header alone: names of no rows */
        to->name = i < x->count ? i : none;
        for (size_t k = 0; k < 5 && i < x->count; k++)
            if (memchr(b + x->at[i].begin, tries[k],
                       x->at[i].end - x->at[i].begin) != NULL) {
                to->separator = to->names_separator = tries[k];
                break;
            }
    }
}

/* Read on until the table is known: a stream by two rows, else by what a file
 * of some size has at the beginning. */
static darc_status look_around(darc_csv_layout *to, finder *x)
{
    darc_lines *l = &x->csv->lines;
    bool live = x->csv->live, known = false;
    for (size_t most = DARC_LAYOUT_FIRST; !known; most = DARC_LAYOUT_BYTES) {
        for (size_t whole = 0; !live && l->end < most && whole != l->whole;) {
            whole = l->whole;
            DARC_NEED(darc_lines_more(l, x->err));
        }
        take_lines(x);
        choose(to, x);
        known = x->count >= to->first + x->sure || l->ended ||
                x->count == DARC_LAYOUT_LINES || l->end >= DARC_LAYOUT_BYTES;
        if (live && !known)
            DARC_NEED(darc_lines_more(l, x->err));
    }
    return DARC_OK;
}

darc_status darc_csv_lay_out(darc_csv_layout *to, darc_csv *csv, darc_err *err)
{
    darc_status status;
    finder x = {.csv = csv,
                .err = err,
                .seen = csv->lines.begin,
                .number = csv->lines.number - 1,
                .sure = csv->live ? 2 : DARC_SURE_ROWS,
                .kind = darc_malloc(DARC_MAX_COLUMNS + 2)};
    DARC_TRY(look_around(to, &x));
    if (to->first == x.count && to->name == none) {
        csv->lines.number = x.number + 1;
        DARC_TRY(darc_lines_fail(&csv->lines, 1, err, "the file has no data"));
    }
    set_layout(to, &x);
done:
    DARC_FREE(x.at, x.kind);
    return status;
}
