/* csv_layout.c - where the names stand, where the numbers begin.  Loggers write
 * titles, settings and units above them. */
#include "base/mem.h"
#include "files/csv.h"
#include "files/thresholds.h"

#include <string.h>

/* A line that is not blank, in cells by its own separator. */
typedef struct {
    size_t from, number; /* of the line */
    size_t begin, end;   /* of what is in it, without brackets of a matrix */
    char separator;
    int cells, numbers, words; /* the rest are gaps */
    bool leads;                /* the first cell is a number or a time */
    bool quoted, comment, bracketed;
} line;

typedef struct {
    darc_csv *csv;
    darc_err *err;
    size_t seen, number; /* bytes and lines that were looked at */
    size_t count;
    line *at;                  /* owned */
    size_t names, units, data; /* those that are chosen; units == data: there is
                                  none, names too */
} lines;

/* The separator of the line: the first of ; tab | , that stands outside
 * quotes and brackets, else blanks if there are some inside. */
static char find_separator(const char *s, const char *end)
{
    static const char mark[] = ";\t|, ";
    size_t first = strlen(mark);
    bool quoted = false;
    int depth = 0;
    while (end > s && darc_csv_is_blank(end[-1]))
        end--;
    while (s < end && *s == ' ')
        s++;
    for (; s < end; s++) {
        quoted ^= *s == '"';
        depth += (*s == '[') - (*s == ']');
        for (size_t k = 0; k < first && !quoted && depth <= 0; k++)
            first = *s == mark[k] ? k : first;
    }
    return mark[first] != '\0' ? mark[first] : ',';
}

/* Leave out a bracket before the first number of a matrix, what ends its rows,
 * and the sign of a comment. */
static void trim(line *x, const char *b)
{
    size_t i = x->begin, end = x->end;
    while (i < end && darc_csv_is_blank(b[i]))
        i++;
    x->comment = darc_csv_is_hash(b[i]);
    x->bracketed = b[i] == '[' && memchr(b + i, ']', end - i) == NULL;
    while (x->comment && i < end &&
           (darc_csv_is_hash(b[i]) || darc_csv_is_blank(b[i])))
        i++;
    if (x->comment || x->bracketed || i == end)
        x->begin = i + x->bracketed;
    while (end > x->begin &&
           (darc_csv_is_blank(b[end - 1]) || b[end - 1] == ']'))
        end--;
    if (end > x->begin && b[end - 1] == ';' &&
        memchr(b + x->begin, ';', end - 1 - x->begin) == NULL)
        x->end = end - 1;
}

/* Count the cells of the line and what they are. */
static void count(line *x, darc_csv *csv, char separator)
{
    const char *s = csv->lines.buffer + x->begin;
    const char *end = csv->lines.buffer + x->end;
    csv->separator = x->separator = separator;
    x->cells = x->numbers = x->words = 0;
    x->leads = x->quoted = false;
    while (s != NULL) {
        darc_cell cell;
        double value;
        darc_stamp stamp;
        if (darc_csv_head_cell(&cell, &s, end, csv, NULL) != DARC_OK) {
            x->words++; /* told when it is read */
            break;
        }
        size_t n = cell.n;
        darc_csv_uncomment(&cell);
        s = cell.n < n ? NULL : s;
        csv->point = '.';
        csv->point_sure = false;
        bool number = darc_csv_number(&value, &cell, csv) ||
                      darc_stamp_read(&stamp, cell.s, cell.n);
        x->leads |= number && x->cells == 0 && cell.n > 0;
        x->quoted |= cell.quoted;
        x->cells++;
        bool none = cell.n == 1 && *cell.s == '-'; /* a unit */
        x->numbers += number && cell.n > 0 && !none;
        x->words += !number;
    }
}

/* Provide line i; false where the file has none, or it is too far. */
static darc_status get(lines *x, size_t i, bool *has)
{
    darc_lines *l = &x->csv->lines;
    while (x->count <= i && x->count < DARC_LAYOUT_LINES) {
        if (x->seen == l->whole) {
            size_t whole = l->whole;
            DARC_NEED(darc_lines_more(l, x->err));
            if (l->whole == whole)
                break;
        }
        const char *s = l->buffer + x->seen;
        const char *end = darc_csv_line_end(s, x->csv);
        line new = {.from = x->seen, .begin = x->seen, .number = ++x->number};
        new.end = (size_t)(end - l->buffer);
        x->seen = new.end + 1 + (*end == '\r');
        trim(&new, l->buffer);
        if (new.begin >= new.end)
            continue;
        count(&new, x->csv,
              find_separator(l->buffer + new.begin, l->buffer + new.end));
        DARC_ROOM(x->at, x->count);
        x->at[x->count++] = new;
    }
    *has = i < x->count;
    return DARC_OK;
}

/* Set *i to the next line that is no comment. */
static darc_status step_line(lines *x, size_t *i, bool *has)
{
    do {
        ++*i;
        DARC_NEED(get(x, *i, has));
    } while (*has && x->at[*i].comment);
    return DARC_OK;
}

static bool is_row(const line *x)
{
    return !x->comment && x->words == 0 && x->numbers > 0;
}

static bool is_last_cell_empty(const line *x, const char *b)
{
    static const char comment[] = "Comment"; /* of LabVIEW: rows have none */
    size_t n = sizeof comment - 1;
    char last = b[x->end - 1];
    return last == x->separator ||
           (x->end - x->begin > n && memcmp(b + x->end - n, comment, n) == 0);
}

bool darc_csv_is_framed(const darc_cell *cell)
{
    return cell->n > 1 && strchr("[(", cell->s[0]) != NULL &&
           strchr("])", cell->s[cell->n - 1]) != NULL;
}

/* Return whether the line can hold the names of the columns of the row. */
static bool names_fit(lines *x, line *names, const line *row)
{
    const char tries[] = {names->separator, row->separator, DARC_CSV_WIDE};
    for (int i = 0; i < 3; i++) {
        count(names, x->csv, tries[i]);
        int more = names->cells - row->cells;
        if (names->words > 0 && names->numbers == 0 &&
            (more == 0 ||
             (more == 1 && is_last_cell_empty(names, x->csv->lines.buffer))))
            return true;
    }
    count(names, x->csv, tries[0]);
    return false;
}

/* One of the prefixes that sensors and loggers use, then a unit; or nothing. */
static bool is_unit_word(const char *s, size_t n)
{
    static const char *const known[] = {
        "m",   "s",   "sec", "g",    "h",   "K",   "A",  "V",   "W",
        "N",   "J",   "C",   "F",    "H",   "T",   "Hz", "Pa",  "bar",
        "rad", "deg", "rpm", "min",  "Ohm", "ohm", "l",  "mol", "U",
        "Nm",  "Ah",  "Wh",  "degC", "kmh", "1",   "%",  "\xb0"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        size_t m = strlen(known[k]);
        bool end = n >= m && memcmp(s + n - m, known[k], m) == 0;
        if (end && (n == m || (n == m + 1 && strchr("munkMGp\xb5", s[0]))))
            return true;
    }
    return n == 0 || (unsigned char)s[0] >= 0x80; /* a sign beyond ASCII */
}

bool darc_csv_is_unit(const char *s, size_t n)
{
    static const char between[] = "*/^.-0123456789 ()";
    size_t word = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && strchr(between, s[i]) == NULL)
            continue;
        if (!is_unit_word(s + word, i - word) && !(i == 1 && s[0] == '1'))
            return false;
        word = i + 1;
    }
    return true;
}

static bool are_units(lines *x, const line *units)
{
    const char *s = x->csv->lines.buffer + units->begin;
    const char *end = x->csv->lines.buffer + units->end;
    bool any = false;
    x->csv->separator = units->separator;
    while (s != NULL) {
        darc_cell cell;
        if (darc_csv_cell(&cell, &s, end, x->csv, NULL) != DARC_OK)
            return false;
        if (!darc_csv_is_framed(&cell) && !darc_csv_is_unit(cell.s, cell.n))
            return false;
        any |= cell.n > 0;
    }
    return any;
}

/* The line with the names above the first row i, and one of units between. */
static bool look_up(lines *x, size_t i)
{
    const line row = x->at[i];
    size_t k = i;
    x->units = i;
    while (k-- > 0 && (x->at[k].comment || x->at[k].words == 0))
        if (k + 1 == i && names_fit(x, &x->at[k], &row)) {
            x->names = k; /* a comment */
            return true;
        }
    if (k == SIZE_MAX || !names_fit(x, &x->at[k], &row))
        return false;
    x->names = k;
    if (k > 0 && !x->at[k - 1].comment && are_units(x, &x->at[k]) &&
        names_fit(x, &x->at[k - 1], &row)) {
        x->names = k - 1;
        x->units = k;
    }
    return true;
}

/* The first two rows of a table that has names, behind line `first`. */
static darc_status search(lines *x, size_t first)
{
    bool has = true;
    for (size_t i = first, next; has; i = next) {
        next = i;
        DARC_NEED(step_line(x, &next, &has));
        const line *row = x->at + i;
        if (!is_row(row) || row->cells < 2 ||
            (has && (x->at[next].cells != row->cells || !is_row(x->at + next))))
            continue;
        if (look_up(x, i))
            x->data = i;
        return DARC_OK;
    }
    return DARC_OK;
}

static darc_status choose_layout(lines *x, size_t first)
{
    bool has;
    size_t next = first, third;
    x->names = first;
    if (x->at[first].words == 0 && !x->at[first].quoted) {
        x->units = x->data = first;
        if (first > 0 && names_fit(x, x->at + first - 1, x->at + first))
            x->names = first - 1;
        return DARC_OK;
    }
    DARC_NEED(step_line(x, &next, &has));
    x->units = x->data = next;
    if (!has)
        return DARC_OK;
    count(x->at + next, x->csv, x->at[first].separator);
    if (x->at[next].cells == x->at[first].cells && x->at[next].leads)
        return DARC_OK;
    third = next;
    DARC_NEED(step_line(x, &third, &has));
    if (has && x->at[third].leads && x->at[next].numbers == 0 &&
        x->at[third].cells == x->at[first].cells &&
        x->at[next].cells <= x->at[first].cells && are_units(x, x->at + next)) {
        x->data = third;
        return DARC_OK;
    }
    count(x->at + next, x->csv,
          find_separator(x->csv->lines.buffer + x->at[next].begin,
                         x->csv->lines.buffer + x->at[next].end));
    return search(x, next);
}

/* Offsets and numbers of the lines. */
static void set_layout(darc_csv_layout *to, const lines *x)
{
    const line *n = x->at + x->names, *d = x->at + x->data;
    bool end = x->data >= x->count;
    to->names_line = n->number;
    to->names_separator = n->separator;
    to->separator = end ? n->separator : d->separator;
    to->data = end ? x->csv->lines.whole : d->from;
    to->data_line = end ? x->number + 1 : d->number;
    to->names = x->names < x->data ? n->begin : to->data;
    to->units = x->units < x->data ? x->at[x->units].begin : to->data;
    to->columns = !end && n->cells == d->cells + 1 &&
                          is_last_cell_empty(n, x->csv->lines.buffer)
                      ? d->cells
                      : 0;
    to->bracketed = !end && d->bracketed;
}

darc_status darc_csv_lay_out(darc_csv_layout *to, darc_csv *csv, darc_err *err)
{
    bool has = false;
    size_t first = SIZE_MAX;
    lines x = {.csv = csv, .err = err, .seen = csv->lines.begin};
    darc_status status = step_line(&x, &first, &has);
    if (status == DARC_OK && !has) {
        csv->lines.number = x.number + 1;
        status = darc_lines_fail(&csv->lines, 1, err, "the file has no data");
    }
    if (status == DARC_OK)
        status = choose_layout(&x, first);
    if (status == DARC_OK)
        set_layout(to, &x);
    darc_free(x.at);
    return status;
}
