/* csv_layout.c - where a table stands in a text: its rows are the lines of one
 * shape of which there are most, names, units and settings above, beside. */
#include "base/limits.h"
#include "base/mem.h"
#include "files/csv_finder.h"
#include "files/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether column c is one of values of a kind, a word here and there aside. */
static bool has_most(const darc_shape *g, int c, darc_cell_kind k)
{
    return g->at[c].count[k] >
               g->at[c].count[DARC_CELL_NUMBER + DARC_CELL_STAMP - k] &&
           g->at[c].count[k] >= g->at[c].count[DARC_CELL_WORD];
}

/* Whether line i is a row that went wrong: it has values where rows do. */
static bool is_odd_row(darc_finder *x, size_t i, const darc_csv_layout *to,
                       const darc_shape *g)
{
    int n = darc_finder_classify(x, i, to->separator), same = 0, of = 0;
    if (x->at[i].comment || n > g->cells + 1)
        return false;
    for (int c = 0; c < g->cells; c++) {
        bool value =
            has_most(g, c, DARC_CELL_NUMBER) || has_most(g, c, DARC_CELL_STAMP);
        of += value;
        same +=
            value && c < n &&
            (x->kind[c] == DARC_CELL_NUMBER || x->kind[c] == DARC_CELL_STAMP);
    }
    return 2 * same >= of && same > 0;
}

/* Where the lines stand in the buffer. */
static void set_layout(darc_csv_layout *to, const darc_finder *x)
{
    bool rows = to->first < x->count;
    const darc_line *d = rows ? x->at + to->first : NULL;
    to->data = rows ? d->from : x->csv->lines.whole;
    to->data_line = rows ? d->number : x->number + 1;
    to->bracketed = rows && d->bracketed;
    to->names = to->units = to->data;
    to->names_line = to->data_line;
    if (to->name != DARC_NO_LINE) {
        to->names = x->at[to->name].begin;
        to->names_line = x->at[to->name].number;
    }
    if (to->unit != DARC_NO_LINE)
        to->units = x->at[to->unit].begin;
    to->between = to->aside != DARC_NO_LINE ? x->at[to->aside].begin : to->data;
}

/* Settings beside the rows: keys in the first column, then values, an empty
 * column, and numbers alone. */
static int settings_beside(const darc_shape *g)
{
    int last = g->cells - 1 - (g->gaps_last == g->rows), c = last;
    while (c >= 0 && g->at[c].count[DARC_CELL_NUMBER] == g->rows)
        c--;
    return c > 1 && c < last && g->at[c].count[DARC_CELL_GAP] == g->rows &&
                   g->at[0].count[DARC_CELL_WORD] > 1
               ? c + 1
               : 0;
}

static darc_csv_layout no_table(const darc_finder *x, char separator)
{
    return (darc_csv_layout){.separator = separator,
                             .names_separator = separator,
                             .name = DARC_NO_LINE,
                             .unit = DARC_NO_LINE,
                             .aside = DARC_NO_LINE,
                             .first = x->count};
}

/* Whether the first row tells how many follow, or did once: one whole number in
 * each of several columns, of fractions below. */
static bool tells_rows(darc_finder *x, const darc_csv_layout *to)
{
    const char *b = x->csv->lines.buffer;
    const darc_line *line = x->at + to->first;
    const char *s = b + line->begin;
    size_t n = line->end - line->begin, cells = 1;
    n -= n > 0 && s[n - 1] == to->separator;
    double rows = (double)(x->count - to->first - 1);
    size_t digits = strspn(s, "0123456789");
    for (size_t i = digits; digits > 0 && i < n; i += digits + 1, cells++)
        if (s[i] != to->separator || n - i <= digits ||
            memcmp(s + i + 1, s, digits) != 0)
            return false;
    return cells > 1 && digits > 0 && rows > 0 && 2 * atof(s) >= rows &&
           memchr(b + line[1].begin, '.', line[1].end - line[1].begin) != NULL;
}

/* The rate, where the first two rows of a file without names are no samples:
 * the s since 1970 of its begin in each cell, then the rate (Empatica); 0: they
 * are such. */
static double tells_rate(darc_finder *x, const darc_csv_layout *to)
{
    double value[3] = {0};
    if (to->first > 0 || x->count < 4)
        return 0;
    for (size_t i = 0; i < 3; i++) {
        int n = darc_finder_classify(x, i, to->separator);
        for (int c = 0; c < n; c++) {
            double v;
            if (!darc_csv_number(&v, x->cell + c, x->csv) ||
                (i < 2 && c > 0 && v != value[i]))
                return 0;
            value[i] = v;
        }
    }
    return value[0] > 9.5e8 && value[0] < 4.1e9 && value[1] > 0 &&
                   value[1] < 1e4 && fabs(value[2]) < 9.5e8
               ? value[1]
               : 0;
}

/* Whether the line above the rows, which begin with line i, is one that went
 * wrong beyond what is_odd_row knows, below one of as many words as they have
 * cells. */
static bool went_wrong(darc_finder *x, size_t i, char separator,
                       const darc_shape *g)
{
    if (i < 2 || x->at[i - 1].comment || x->at[i - 2].comment)
        return false;
    int n = darc_finder_classify(x, i - 1, separator), words = 0;
    for (int c = 0; c < n; c++)
        words += x->kind[c] == DARC_CELL_WORD;
    if (!darc_finder_has_values(x, n) || n > g->cells + 1 ||
        (separator == ' ' && 2 * words > n))
        return false;
    n = darc_finder_classify(x, i - 2, separator);
    return n == g->cells && !darc_finder_has_values(x, n);
}

/* Whether line i can name nothing: "1.2.3". */
static bool lacks_letters(const darc_finder *x, size_t i)
{
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    size_t n = strspn(s, "0123456789.,;:+-/ \t\"");
    return s + n >= x->csv->lines.buffer + x->at[i].end &&
           strpbrk(s, "0123456789") < s + n;
}

/* Return how many columns in front are empty in all rows. */
static int empty_in_front(const darc_shape *g)
{
    int n = 0;
    while (n < g->cells && g->at[n].count[DARC_CELL_GAP] == g->rows)
        n++;
    return n;
}

/* Whether the line above the first row, though it fits no columns, is meant as
 * their header. */
static bool is_header(darc_finder *x, char separator, const darc_csv_layout *to,
                      const darc_shape *g)
{
    size_t k = to->first - 1;
    if (to->first == 0 || x->at[k].comment)
        return false;
    int n = darc_finder_classify(x, k, separator);
    bool by_blanks = separator == ' ' || separator == DARC_CSV_WIDE;
    const char *b = x->csv->lines.buffer;
    return n > 1 && !darc_csv_is_word(x->cell, "marker_names") &&
           (n < g->cells || !by_blanks) && !darc_finder_has_values(x, n) &&
           (n > 2 || g->cells < 4 || /* a setting above a blank line */
            x->at[to->first].number == x->at[k].number + 1) &&
           !darc_finder_is_title(x, n) &&
           !darc_finder_has_pairs(x, k, separator) &&
           b[x->at[k].begin] != '(' && b[x->at[k].end - 1] != '[';
}

/* Whether a blank parts days from clocks below one name. */
static bool parts_clock(darc_finder *x, char separator, const darc_shape *g)
{
    size_t i = g->first;
    bool stamps = false;
    for (int c = 1; c < g->cells; c++)
        stamps = stamps || g->at[c].count[DARC_CELL_STAMP] +
                                   g->at[c - 1].count[DARC_CELL_STAMP] ==
                               2 * g->rows;
    int n = stamps && separator == ' ' && i > 0
                ? darc_finder_classify(x, i - 1, ' ')
                : 0;
    return n > 0 && n == g->cells - 1 && !darc_finder_has_values(x, n);
}

/* Lay out what stands there by one separator; return how good that is. */
static double try_separator(darc_csv_layout *to, darc_finder *x, char separator)
{
    darc_shape g;
    *to = no_table(x, separator);
    x->csv->joins = false;
    darc_finder_shape(&g, x, separator);
    if (g.rows == 0)
        return 0;
    if (parts_clock(x, separator, &g)) {
        darc_shapes_clear(&g, 1);
        x->csv->joins = to->joins = true;
        darc_finder_shape(&g, x, separator);
    }
    double score = darc_shape_worth(&g);
    to->levels = empty_in_front(&g);
    size_t first = to->first = g.first;
    while (to->first > 0 && is_odd_row(x, to->first - 1, to, &g))
        to->first--;
    bool named = false,
         wide = to->first < first && g.gaps_last == 0 &&
                darc_finder_classify(x, to->first, separator) == g.cells + 1;
    size_t odd = to->first;
    for (int way = 0; way < 4 && !named; way++) {
        if ((way == 1 && !wide) ||
            (way == 3 && !went_wrong(x, first, separator, &g)))
            continue;
        if (way == 1) /* a cell of the first row alone has a name, too */
            darc_shape_join(&g, x, odd, g.cells + 1);
        to->ragged = way == 1;
        to->widest = g.cells - (2 * g.full < g.rows);
        to->first = first;
        named = way < 2 && darc_finder_labels(to, x, &g);
        to->first = named || way == 2 ? first : way == 3 ? first - 1 : odd;
        /* what has a word is no row, if names are found then */
        named = named || darc_finder_look_up(to, x, &g, false);
    }
    to->first = !named ? first : to->first;
    if (named && to->unit == DARC_NO_LINE && lacks_letters(x, to->name)) {
        to->first = to->name; /* a row that went wrong */
        to->name = DARC_NO_LINE;
        named = false;
    }
    named = named || darc_finder_look_up(to, x, &g, true);
    if (named && tells_rows(x, to))
        to->first++;
    to->rate = named ? 0 : tells_rate(x, to);
    to->first += to->rate > 0 ? 2 : 0;
    to->beside = named ? 0 : settings_beside(&g);
    if (!named && to->rate == 0 && is_header(x, separator, to, &g))
        to->name = to->first - 1; /* told when rows are read */
    if (to->columns == 0)
        to->columns =
            to->name != DARC_NO_LINE ? 0 : g.cells - (g.gaps_last == g.rows);
    darc_shapes_clear(&g, 1);
    return score * (named ? 1.5 : 1);
}

/* The separators that stand in the lines, likely ones first. */
static void choose(darc_csv_layout *to, darc_finder *x)
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
        bool in_cells = tries[k] == ' ' && to->separator == '\t' &&
                        to->name != DARC_NO_LINE; /* "0d 00:01:00" */
        score /= in_cells ? 2 : 1;
        if (score > best) {
            best = score;
            *to = one;
        }
    }
    size_t i = 0;
    while (best == 0 && i < x->count && x->at[i].comment)
        i++;
    if (best == 0) { /* a header alone: names of no rows */
        to->name = i < x->count ? i : DARC_NO_LINE;
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
static darc_status look_around(darc_csv_layout *to, darc_finder *x)
{
    darc_lines *l = &x->csv->lines;
    bool live = x->csv->live, known = false;
    for (size_t most = DARC_LAYOUT_FIRST; !known; most = DARC_LAYOUT_BYTES) {
        for (size_t whole = 0; !live && l->end < most && whole != l->whole;) {
            whole = l->whole;
            DARC_NEED(darc_lines_more(l, x->err));
        }
        darc_finder_take(x);
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
    darc_finder x = {.csv = csv,
                     .err = err,
                     .seen = csv->lines.begin,
                     .number = csv->lines.number - 1,
                     .sure = csv->live ? 2 : DARC_SURE_ROWS,
                     .kind = darc_malloc(DARC_MAX_COLUMNS + 2)};
    x.cell = darc_malloc((DARC_MAX_COLUMNS + 2) * sizeof *x.cell);
    DARC_TRY(look_around(to, &x));
    if (to->first == x.count && to->name == DARC_NO_LINE) {
        csv->lines.number = x.number + 1;
        DARC_TRY(darc_lines_fail(&csv->lines, 1, err, "the file has no data"));
    }
    set_layout(to, &x);
done:
    DARC_FREE(x.at, x.kind, x.cell);
    return status;
}
