/* csv_cell.c - the cells of a line. */
#include "files/csv.h"

#include "base/limits.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *darc_csv_line_end(const char *s, const darc_csv *csv)
{
    const char *limit = csv->lines.buffer + csv->lines.whole;
    const char *end = memchr(s, '\n', (size_t)(limit - s));
    return end > s && end[-1] == '\r' ? end - 1 : end;
}

/* Whether runs of blanks part the cells. */
static bool by_blanks(char separator)
{
    return separator == ' ' || separator == DARC_CSV_WIDE ||
           separator == DARC_CSV_CLOSED;
}

static const char *skip_blanks(const char *s, const char *end, char separator)
{
    while (s < end && darc_csv_is_blank(*s) &&
           (by_blanks(separator) || *s != separator))
        s++;
    return s;
}

/* The end of the cell at s: the separator, or the end of the line; a part
 * in brackets (a unit) may hold blanks. */
static const char *cell_end(const char *s, const char *end, char separator)
{
    if (!by_blanks(separator)) {
        const char *found = memchr(s, separator, (size_t)(end - s));
        return found != NULL ? found : end;
    }
    const char *begin = s;
    for (int depth = 0; s < end; s++) {
        const char *quote = s[0] == '=' && s + 1 < end && s[1] == '"'
                                ? memchr(s + 2, '"', (size_t)(end - s - 2))
                                : NULL;
        s = quote != NULL ? quote : s; /* msg="loop done" */
        depth += (*s == '[') - (*s == ']');
        if (darc_csv_is_blank(*s) && depth <= 0 &&
            (separator == ' ' || *s == '\t' ||
             (s + 1 < end &&
              (darc_csv_is_blank(s[1]) ||
               (separator == DARC_CSV_CLOSED && s > begin && s[-1] == ')' &&
                (s[1] | 0x20) >= 'a' && (s[1] | 0x20) <= 'z')))))
            break;
    }
    return s;
}

/* The end of the clock that a blank parts from the day before stop. */
static const char *join_clock(const char *s, const char *stop, const char *end)
{
    const char *clock = skip_blanks(stop, end, ' ');
    size_t digits = strspn(s, "0123456789"), hours;
    hours = strspn(clock, "0123456789");
    return digits > 0 && stop - s > 5 && strchr("-/.", s[digits]) != NULL &&
                   clock < end && hours > 0 && clock[hours] == ':'
               ? cell_end(clock, end, ' ')
               : stop;
}

darc_status darc_csv_cell(darc_cell *cell, const char **s, const char *end,
                          const darc_csv *csv, darc_err *err)
{
    char separator = csv->separator;
    const char *line = csv->lines.buffer + csv->lines.begin;
    const char *begin = skip_blanks(*s, end, separator), *stop;
    begin += end - begin > 2 && begin[0] == '=' && begin[1] == '"'; /* Excel */
    cell->quoted = begin < end && *begin == '"';
    if (cell->quoted) {
        const char *close = memchr(begin + 1, '"', (size_t)(end - begin - 1));
        while (close != NULL && close + 1 < end && close[1] == '"')
            close = memchr(close + 2, '"', (size_t)(end - close - 2));
        if (close == NULL)
            return darc_lines_fail(&csv->lines, (size_t)(begin - line) + 1, err,
                                   "the quote is not closed on this line");
        *cell = (darc_cell){
            .s = begin + 1, .n = (size_t)(close - begin - 1), .quoted = true};
        stop = cell_end(close, end, separator);
        if (stop != skip_blanks(close + 1, stop, separator))
            return darc_lines_fail(&csv->lines, (size_t)(close - line) + 2, err,
                                   "text after the closing quote");
    } else {
        size_t sign =
            csv->signs && by_blanks(separator) ? darc_csv_sign(begin, end) : 0;
        stop = cell_end(begin + sign, end, separator);
        stop = csv->joins ? join_clock(begin, stop, end) : stop;
        cell->s = begin;
        cell->n = (size_t)(stop - begin);
        while (cell->n > 0 && darc_csv_is_blank(cell->s[cell->n - 1]))
            cell->n--;
        bool framed =
            cell->n > 2 && *begin == '\'' &&
            memchr(begin + 1, '\'', cell->n - 1) == begin + cell->n - 1;
        cell->s += framed; /* 'mV' */
        cell->n -= 2u * framed;
    }
    if (cell->n > DARC_MAX_FIELD)
        return darc_lines_fail(&csv->lines, (size_t)(begin - line) + 1, err,
                               "cell of %zu bytes (at most %d)", cell->n,
                               DARC_MAX_FIELD);
    bool blanks = by_blanks(separator);
    if (blanks)
        stop = skip_blanks(stop, end, separator);
    *s = stop == end ? NULL : stop + !blanks;
    return DARC_OK;
}

darc_status darc_csv_head_cell(darc_cell *cell, const char **s, const char *end,
                               const darc_csv *csv, darc_err *err)
{
    darc_cell unit;
    const char *from = *s;
    if (darc_csv_cell(cell, s, end, csv, NULL) != DARC_OK) { /* "DB".Speed */
        const char *stop = cell_end(from, end, csv->separator);
        int quotes = 0;
        for (const char *q = from; q < stop; q++)
            quotes += *q == '"';
        if (quotes % 2 > 0 || by_blanks(csv->separator))
            return darc_csv_cell(cell, s, end, csv, err);
        *cell = darc_cell_of(from, (size_t)(stop - from));
        *s = stop < end ? stop + 1 : NULL;
    }
    if (!by_blanks(csv->separator) || *s == NULL || **s != '[' ||
        (cell->n > 0 && cell->s[0] == '['))
        return DARC_OK;
    DARC_NEED(darc_csv_cell(&unit, s, end, csv, err));
    cell->n = (size_t)(unit.s + unit.n - cell->s);
    return DARC_OK;
}

void darc_csv_unbracket(char *s, const char *end)
{
    bool last = end - s > 1 && end[-1] == ',' && end[-2] == ']';
    for (; s < end; s++)
        if (*s == '[' || *s == ']' || *s == ';' || (last && s + 1 == end))
            *s = ' ';
}

int darc_csv_find(darc_cell *cell, const darc_csv *csv, const char *s, int c)
{
    const char *end = darc_csv_line_end(s, csv);
    int cells = 0;
    *cell = darc_cell_of(s, 0);
    for (darc_cell one; s != NULL; cells++) {
        if (darc_csv_cell(&one, &s, end, csv, NULL) != DARC_OK)
            break;
        if (cells == c)
            *cell = one;
    }
    return cells;
}

bool darc_csv_is_above(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv);
    darc_cell cell;
    for (int c = 0; c < csv->levels && s != NULL; c++)
        if (darc_csv_cell(&cell, &s, end, csv, NULL) == DARC_OK && cell.n > 0)
            return true;
    return false;
}

bool darc_csv_is_comment(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv);
    const char *line = s;
    s = skip_blanks(s, end, csv->separator);
    darc_cell cell;
    if (s == end) /* among values of one column a gap */
        return csv->columns > 1 || !csv->begun;
    if (*s == 0x1a || darc_csv_is_above(csv, line)) /* end of DOS */
        return true;
    if (darc_csv_is_hash(*s)) /* #N/A */
        return darc_csv_find(&cell, csv, line, 0) < csv->columns ||
               !darc_csv_is_gap(&cell);
    return csv->pick >= 0 &&
           darc_csv_find(&cell, csv, line, csv->pick) > csv->pick &&
           (cell.n != strlen(csv->picked) ||
            memcmp(cell.s, csv->picked, cell.n) != 0);
}

bool darc_csv_is_header(const darc_csv *csv, const char *s)
{
    const char *end = darc_csv_line_end(s, csv);
    bool same = csv->named;
    size_t run = csv->run != NULL ? strlen(csv->run) : 0;
    if (run > 0 && (size_t)(end - s) > run && memcmp(s, csv->run, run) == 0)
        return true;
    for (int c = 0; c < csv->columns && same; c++) {
        darc_cell cell = {0};
        size_t n = strlen(csv->name[c]);
        same = s != NULL &&
               darc_csv_cell(&cell, &s, end, csv, NULL) == DARC_OK &&
               cell.n >= n && memcmp(cell.s, csv->name[c], n) == 0 &&
               (cell.n == n || strchr(" \t([{</,", cell.s[n]) != NULL);
    }
    return same;
}

/* The number that ends a line. */
typedef struct {
    double x;
    size_t digits; /* at its end; 0: it is none */
    char mark;     /* before them: 'e' of a power, '.' of decimals, 0: none */
} ending;

static ending ending_of(const char *s, const darc_csv *csv)
{
    ending e = {.mark = 0};
    const char *end = darc_csv_line_end(s, csv), *d = end;
    while (d > s && strchr("0123456789", d[-1]) != NULL)
        d--;
    e.digits = (size_t)(end - d);
    if (d - s > 1 && strchr("eEdD", d[-1 - (strchr("+-", d[-1]) != NULL)]))
        e.mark = 'e';
    else if (d > s && strchr(".,", d[-1]) && d[-1] != csv->separator)
        e.mark = '.';
    while (d > s && d[-1] != csv->separator &&
           strchr("0123456789.,+-eEdD", d[-1]))
        d--;
    darc_number_read(&e.x, d, csv->point);
    return e;
}

bool darc_csv_is_cut(const darc_csv *csv)
{
    enum { ROWS = 4 };
    const darc_lines *l = &csv->lines;
    const char *b = l->buffer, *s = b + l->begin;
    ending last, row[ROWS];
    size_t least = SIZE_MAX, most = 0, marked = 0;
    const char *end = darc_csv_line_end(s, csv);
    char mark = s > b + 1 ? s[-2 - (s[-2] == '\r')] : '\0';
    if (!l->cut || l->next < l->whole || !csv->begun)
        return false;
    const char *unit = csv->suffix[csv->columns - 1];
    size_t n = unit != NULL ? strlen(unit) : 0;
    char at_end = end > s ? end[-1] : ' ';
    bool digit =
        isdigit((unsigned char)at_end) || at_end == '.' || at_end == ',';
    if (n > 0 && digit &&
        ((size_t)(end - s) < n || memcmp(end - n, unit, n) != 0))
        return true;
    for (int k = 0; k < ROWS; k++) {
        if (s - b < 2)
            return false;
        for (s--; s > b && s[-1] != '\n';)
            s--;
        row[k] = ending_of(s, csv);
        marked += darc_csv_line_end(s, csv)[-1] == mark;
        least = row[k].digits < least ? row[k].digits : least;
        most = row[k].digits > most ? row[k].digits : most;
    }
    if (marked == ROWS && (digit || isalnum((unsigned char)at_end)) &&
        at_end != mark && !isalnum((unsigned char)mark) && mark != '.')
        return true;
    last = ending_of(b + l->begin, csv);
    double above = row[0].x, ratio = fabs(last.x / above);
    for (int k = 1; k < ROWS; k++)
        if ((row[k].mark == 0) != (row[0].mark == 0))
            return false;
    if (least == 0)
        return false;
    if (row[0].mark == 0)
        return last.mark == 0 && last.digits > 0 && last.digits < least &&
               last.x * above > 0 && ratio * 5.5 < 1; /* 10 x is nearer */
    if (last.mark == 0 || least < most)
        return last.mark == 0 || last.digits == 0;
    return last.digits < least || (row[0].mark == 'e' && last.mark != 'e' &&
                                   (ratio > 10 || ratio < 0.1));
}
