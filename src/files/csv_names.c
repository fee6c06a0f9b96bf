/* csv_names.c - names and units of columns, above the rows. */
#include "base/limits.h"
#include "files/csv_finder.h"

#include <string.h>

/* Whether the n cells at hand beyond those of the rows are settings: their
 * names, or numbers below names. */
static bool is_beside(const darc_finder *x, int n, int from)
{
    for (int c = from; c < n; c++)
        if (x->cell[c].n > 0 && x->kind[c] != DARC_CELL_NUMBER &&
            !darc_csv_is_word(x->cell + c, "comment") &&
            darc_csv_setting(x->cell + c) == DARC_SETTING_NONE)
            return false;
    return true;
}

bool darc_finder_is_title(const darc_finder *x, int n)
{
    bool gaps = n > 1 && !darc_csv_is_word(x->cell, "time");
    for (int c = 1; c < n && gaps; c++)
        gaps = x->kind[c] == DARC_CELL_GAP;
    return gaps;
}

/* Whether the first cell of line i is that of a setting, or ends in a colon,
 * and a value follows. */
static bool is_setting(darc_finder *x, size_t i, char separator)
{
    int n = darc_finder_classify(x, i, separator);
    const darc_cell *key = x->cell;
    return n > 1 && key->n > 0 &&
           (x->kind[1] == DARC_CELL_NUMBER || x->kind[1] == DARC_CELL_STAMP) &&
           (key->s[key->n - 1] == ':' ||
            darc_csv_setting(key) != DARC_SETTING_NONE);
}

/* Whether blanks part a key from what it tells: "Version: 3", "span 0 = 1". */
static bool is_key_and_value(const darc_finder *x, int n)
{
    bool is = false;
    for (int c = 0; c < n; c++) {
        const darc_cell *cell = x->cell + c;
        char last = cell->n > 1 && c + 1 < n ? cell->s[cell->n - 1] : '\0';
        is = is || last == ':' ||
             (last == '=' && x->kind[c + 1] == DARC_CELL_NUMBER) ||
             (c > 0 && cell->n == 1 && strchr("=:", *cell->s) != NULL);
    }
    return is;
}

/* Whether line i can hold names or units of the columns; set its separator and
 * how many columns it says there are. */
static bool can_name(char *separator, int *columns, darc_finder *x, size_t i,
                     const darc_csv_layout *to, const darc_shape *g)
{
    char tries[] = {0,  DARC_CSV_WIDE, DARC_CSV_CLOSED, ',', ';', '\t', '|',
                    ' '};
    int least = g->cells - (g->gaps_last == g->rows);
    tries[0] = to->separator;
    const char *s = x->csv->lines.buffer + x->at[i].begin;
    if (is_setting(x, i, to->separator) ||
        darc_csv_variables(s + strspn(s, " ")) != NULL) /* Tecplot */
        return false;
    int cells = darc_finder_classify(x, i, to->separator);
    if (darc_finder_is_title(x, cells))
        return false;
    /* what parts rows parts names, too, if it stands there and is no blank */
    bool parted = cells > 1 && strchr(",;\t|", to->separator) != NULL;
    for (size_t k = 0; k < (parted ? 1 : sizeof tries); k++) {
        int n = darc_finder_classify(x, i, tries[k]), words = 0, numbers = 0;
        for (int c = 0; c < n && c < g->cells; c++) {
            words += x->kind[c] == DARC_CELL_WORD;
            numbers += x->kind[c] == DARC_CELL_NUMBER
                           ? 1
                           : 2 * (x->kind[c] == DARC_CELL_STAMP);
        }
        bool wide = tries[k] == DARC_CSV_WIDE || tries[k] == DARC_CSV_CLOSED;
        if (wide && n != g->cells)
            continue;
        bool blanks = tries[k] == ' ' || wide;
        bool setting = x->at[i].comment && n == 1 &&
                       (memchr(x->cell[0].s, ':', x->cell[0].n) != NULL ||
                        memchr(x->cell[0].s, '=', x->cell[0].n) != NULL);
        if (setting || (blanks && is_key_and_value(x, n)))
            continue;
        if (words == 0 || n < least || numbers > words)
            continue;
        bool empty_last = n > 1 && x->kind[n - 1] == DARC_CELL_GAP;
        if (parted && n < g->cells && empty_last && x->cell[n - 1].n == 0)
            continue; /* it ends as rows do, but has fewer cells */
        if (n > g->cells && !(n == g->cells + 1 && empty_last) &&
            !is_beside(x, n, g->cells))
            continue;
        *separator = tries[k];
        *columns = n > g->cells ? g->cells : n;
        return true;
    }
    return false;
}

/* Whether the cells of the line, of which there are several, are all the same:
 * "Waveform", "Rate: 10 Hz". */
static bool are_same(darc_finder *x, size_t i, char separator)
{
    int n = darc_finder_classify(x, i, separator);
    const darc_cell first = x->cell[0];
    for (int c = 1; c < n; c++)
        if (x->cell[c].n != first.n ||
            memcmp(x->cell[c].s, first.s, first.n) != 0)
            return false;
    return n > 1 && !darc_csv_is_unit(first.s, first.n) &&
           !darc_csv_is_framed(&first);
}

/* Whether the cells of the line are units, or words for what a column holds:
 * all, of several most, or that of time; the first may be empty where names
 * stand above, if units are not known. */
static bool are_units(darc_finder *x, size_t i, char separator, bool known)
{
    int units = 0, others = 0, n = darc_finder_classify(x, i, separator);
    const darc_cell *first = x->cell;
    bool apart = first->n == 0 || darc_csv_is_word(first, "s") ||
                 darc_csv_is_word(first, "unix time");
    for (int c = 0; c < n; c++) {
        darc_cell *cell = x->cell + c;
        bool unit = darc_csv_untag(cell) == 0 || darc_csv_is_framed(cell) ||
                    darc_csv_is_unit(cell->s, cell->n) ||
                    darc_unitword_is_type(cell->s, cell->n) ||
                    x->kind[c] == DARC_CELL_NUMBER;
        units += unit && cell->n > 0;
        others += !unit;
    }
    return (units > 0 && units >= 3 * others) || are_same(x, i, separator) ||
           (apart && i > 0 && !known &&
            !darc_finder_has_values(x,
                                    darc_finder_classify(x, i - 1, separator)));
}

/* Whether the separator of the rows does not part the line, but the one of
 * names above it: it begins a run. */
static bool begins_run(darc_finder *x, size_t i, char separator,
                       const darc_shape *g)
{
    return g->cells > 1 && i > 0 && !x->at[i - 1].comment &&
           darc_finder_classify(x, i - 1, separator) == g->cells &&
           !darc_finder_has_values(x, g->cells) &&
           darc_finder_classify(x, i, separator) == 1;
}

/* Look for lines that say what they hold in the first cell, where the rows have
 * none, or the time. */
bool darc_finder_labels(darc_csv_layout *to, darc_finder *x,
                        const darc_shape *g)
{
    size_t name = DARC_NO_LINE, unit = DARC_NO_LINE;
    bool apart = g->cells > 1 && g->at[0].count[DARC_CELL_WORD] == 0;
    for (size_t k = to->first; apart && k-- > 0 && name == DARC_NO_LINE;) {
        int n = darc_finder_classify(x, k, to->separator);
        darc_cell cell = x->cell[0];
        if (n < g->cells - (g->gaps_last == g->rows) || n > g->cells + 1 ||
            is_key_and_value(x, n))
            continue;
        bool twins =
            n > 1 && x->cell[n - 1].n == x->cell[n - 2].n &&
            memcmp(x->cell[n - 1].s, x->cell[n - 2].s, x->cell[n - 1].n) == 0;
        if (k + 1 == to->first && !darc_finder_has_values(x, n) && !twins &&
            cell.n > 0 && darc_csv_label(&cell) < 0)
            return false; /* names as usual */
        cell.n -= cell.n > 0 && strchr("=:", cell.s[cell.n - 1]) != NULL;
        bool any = false; /* the line says something */
        for (int c = 1; c < n; c++)
            any = any || x->kind[c] != DARC_CELL_GAP;
        int label = any ? darc_csv_label(&cell) : -1;
        if (label >= 0)
            *(label > 0 ? &name : &unit) = k;
    }
    if (name == DARC_NO_LINE)
        return false;
    to->name = name;
    to->unit = unit;
    to->labelled = name + 1 < to->first;
    to->columns = g->cells - (g->gaps_last == g->rows);
    return true;
}

/* Whether all cells of the line are words for what a column holds, no units. */
static bool are_types(darc_finder *x, size_t i, char separator)
{
    int n = darc_finder_classify(x, i, separator), types = 0;
    for (int c = 0; c < n; c++)
        types += x->cell[c].n == 0 ||
                 darc_unitword_is_type(x->cell[c].s, x->cell[c].n);
    return types == n;
}

/* Whether most cells of the line are "key=value". */
bool darc_finder_has_pairs(darc_finder *x, size_t k, char separator)
{
    int n = darc_finder_classify(x, k, separator), pairs = 0;
    for (int c = 0; c < n; c++) {
        const darc_cell *cell = x->cell + c;
        size_t key = darc_csv_key(cell);
        pairs += key > 0 && cell->s[key - 1] == '=' && *cell->s != '{';
    }
    return n > 1 && 2 * pairs > n;
}

/* Whether line k holds units, below names and above a line of comments, all of
 * so many columns. */
static bool names_above(char *separator, int columns, darc_finder *x, size_t k,
                        const darc_csv_layout *to, const darc_shape *g)
{
    return k > 0 &&
           strchr(",;\t", x->csv->lines.buffer[x->at[k].begin]) == NULL &&
           can_name(separator, &columns, x, k - 1, to, g);
}

/* Whether line k - 1 names just columns that have a unit in line k, and nothing
 * in the line of names below: those of time have two words (VCDS). */
static bool are_parted(darc_finder *x, size_t k, char separator)
{
    int names = 0;
    for (int c = 0; k > 0 && c < darc_finder_classify(x, k - 1, separator);
         c++) {
        if (x->cell[c].n == 0)
            continue;
        bool word = x->kind[c] == DARC_CELL_WORD;
        int n = darc_finder_classify(x, k, separator);
        bool unit = c < n && darc_csv_is_unit(x->cell[c].s, x->cell[c].n);
        n = darc_finder_classify(x, k + 1, separator);
        if (!word || !unit || c >= n || x->cell[c].n > 0)
            return false;
        names++;
    }
    return names > 0;
}

/* Whether blanks part units in brackets, fewer than there are columns: each
 * stands below its name. */
static bool are_few_units(darc_finder *x, size_t k, const darc_csv_layout *to,
                          const darc_shape *g)
{
    int n = darc_finder_classify(x, k, ' ');
    bool are = to->separator == ' ' && n > 1 && n < g->cells;
    for (int c = 0; c < n && are; c++)
        are = darc_csv_is_framed(x->cell + c);
    return are;
}

/* Whether a line beside names or units holds settings, or tells how the time is
 * written, "hh:mm:ss", and no more. */
static bool is_aside(darc_finder *x, size_t k, const darc_csv_layout *to,
                     bool named)
{
    bool below = named && to->are_units; /* units */
    int n = darc_finder_classify(x, k, to->names_separator);
    if (!named && darc_finder_is_title(x, n) && x->cell[0].n > 0 &&
        darc_unitword_is_type(x->cell[0].s, x->cell[0].n))
        return true;
    n = darc_finder_classify(x, k, to->separator);
    if (n > 1 && x->cell[0].n == 0 && darc_csv_untag(x->cell + n - 1) > 0)
        return true;
    return (below && is_setting(x, k, to->names_separator)) ||
           ((below || !named) && darc_finder_has_pairs(x, k, to->separator));
}

/* Whether line k has a value where rows have none: it is of a level above. */
static bool is_above(darc_finder *x, size_t k, const darc_csv_layout *to)
{
    int n = darc_finder_classify(x, k, to->separator);
    for (int c = 0; c < to->levels && c < n; c++)
        if (x->kind[c] == DARC_CELL_NUMBER || x->kind[c] == DARC_CELL_STAMP)
            return true;
    return false;
}

bool darc_finder_look_up(darc_csv_layout *to, darc_finder *x,
                         const darc_shape *g, bool comments)
{
    size_t name = DARC_NO_LINE, unit = DARC_NO_LINE;
    for (size_t k = to->first, aside = 0; k-- > 0;) {
        char separator = to->names_separator;
        int columns = to->columns;
        bool none = name == DARC_NO_LINE;
        if (x->at[k].comment != comments && comments)
            break;
        if (x->at[k].comment != comments)
            continue;
        bool run = none && !comments && begins_run(x, k, to->separator, g);
        bool few = none && !run && are_few_units(x, k, to, g);
        to->aside = run ? k : to->aside;
        unit = few ? k : unit;
        if (run || few || is_aside(x, k, to, !none) ||
            (none && is_above(x, k, to)))
            continue; /* names, settings, units */
        bool above = name == k + 1 && to->are_units && /* x-axis,1,2 */
                     darc_finder_classify(x, k, separator) == columns &&
                     x->kind[0] == DARC_CELL_WORD &&
                     !is_setting(x, k, separator);
        if (!above && !can_name(&separator, &columns, x, k, to, g)) {
            if (none && comments && darc_finder_classify(x, k, ' ') == 1 &&
                darc_csv_is_word(x->cell, "time")) { /* OpenFOAM */
                to->columns = g->cells;
                to->names_separator = ' ';
                name = k;
                break;
            }
            if (none && comments && aside++ < 3)
                continue;
            break;
        }
        bool units = are_units(x, k, separator, unit != DARC_NO_LINE);
        if (!none && !to->are_units) {
            if (units && unit == DARC_NO_LINE &&
                (names_above(&separator, columns, x, k, to, g) ||
                 (name == k + 1 && are_parted(x, k, separator)))) {
                unit = k;
                name = k - 1;
                to->names_separator = separator;
            }
            break;
        }
        if (!none && !are_same(x, name, to->separator) &&
            (unit == DARC_NO_LINE || !are_types(x, name, separator)))
            unit = name;
        name = k;
        to->are_units = units;
        to->names_separator = separator;
        to->columns = columns;
    }
    bool types =
        unit != DARC_NO_LINE && are_types(x, unit, to->names_separator);
    to->name = name;
    to->unit = types ? DARC_NO_LINE : unit;
    return name != DARC_NO_LINE;
}
