#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "files/csv.h"
#include "formats/recognise.h"
#include "formats/unitword.h"

#include <math.h>
#include <string.h>

static darc_status read_names(darc_csv *csv, const char *s, const char *end,
                              darc_err *err)
{
    for (int c = csv->rows_named; c < csv->columns && s != NULL; c++) {
        darc_cell cell;
        DARC_NEED(darc_csv_head_cell(&cell, &s, end, csv, err));
        if (memchr(cell.s, '\0', cell.n) != NULL)
            return darc_lines_fail(&csv->lines, 1, err,
                                   "NUL byte in the header");
        bool framed = cell.n > 2 && *cell.s == '[' &&
                      memchr(cell.s, ']', cell.n) == cell.s + cell.n - 1;
        cell = darc_cell_of(cell.s + framed, cell.n - 2u * framed);
        darc_csv_name(csv, c, &cell);
    }
    return DARC_OK;
}

static bool stands_twice(const darc_csv *csv, int c)
{
    const char *name = csv->name[c];
    for (int k = 0; k < csv->columns && name != NULL; k++)
        if (k != c && csv->name[k] != NULL && strcmp(csv->name[k], name) == 0)
            return name[0] != '\0';
    return false;
}

/* Whether the line s is no units, but the rest of names, of which some are
 * empty or stand twice: a marker, below it X, Y, Z. */
static bool goes_on(const darc_csv *csv, const char *s)
{
    bool more = false;
    darc_cell cell;
    for (int c = 0; c < csv->columns && darc_csv_find(&cell, csv, s, c) > c;
         c++) {
        const char *name = csv->name[c];
        bool word = !darc_csv_is_framed(&cell) && !darc_csv_is_gap(&cell);
        if ((word && darc_csv_is_unit(cell.s, cell.n)) ||
            darc_csv_untag(&cell) >= 0)
            return false;
        bool twice = (name != NULL && name[0] == '\0') || stands_twice(csv, c);
        more =
            more || (word && twice && !darc_unitword_is_type(cell.s, cell.n));
    }
    return more;
}

/* Let the name of column c be two words, of which a unit may be the end. */
static void extend_name(darc_csv *csv, int c, const char *first, const char *s,
                        size_t n)
{
    char *unit = csv->unit[c];
    char *name =
        darc_text_of("%s%s%.*s", first, first[0] != '\0' ? " " : "", (int)n, s);
    csv->unit[c] = NULL;
    darc_csv_name(csv, c, &(darc_cell){.s = name, .n = strlen(name)});
    if (csv->unit[c] == NULL && unit != NULL)
        csv->unit[c] = darc_strdup(unit);
    DARC_FREE(name, unit);
}

/* Characters from the begin of the line to s. */
static int place_of(const char *s, const char *line)
{
    int at = 0;
    for (; line < s; line++)
        at += (*line & 0xc0) != 0x80; /* of a character in UTF-8 the first */
    return at;
}

/* Set *cell to what line s says of the name of column c: the cell of as many
 * before it, or, where blanks part fewer, that above or below it. */
static void find_beside(darc_cell *cell, const darc_csv *csv, const char *s,
                        const char *names, int c)
{
    darc_cell name;
    int n = darc_csv_find(cell, csv, s, c);
    if (csv->separator != ' ' || n >= csv->columns)
        return;
    darc_csv_find(&name, csv, names, c);
    for (int k = 0; k < n; k++) {
        darc_csv_find(cell, csv, s, k);
        if (place_of(cell->s + cell->n, s) >= place_of(name.s, names) &&
            place_of(cell->s, s) <= place_of(name.s + name.n, names))
            return;
    }
    *cell = darc_cell_of(s, 0);
}

/* Whether all cells of the line, of as many as there are columns, are units, or
 * empty. */
static bool holds_units(const darc_csv *csv, const char *s)
{
    bool some = false;
    int n = 0;
    for (darc_cell cell; darc_csv_find(&cell, csv, s, n) > n; n++) {
        if (!darc_csv_is_unit(cell.s, cell.n) ||
            (cell.n > 0 && strchr("0123456789.+-", *cell.s) != NULL))
            return false;
        some = some || cell.n > 1;
    }
    return some && n >= csv->columns && n > 1;
}

/* Where names stand twice, the line above parts them: a marker, X, Y, Z below
 * and right of it; or it has the first word of most. */
static void read_above(darc_csv *csv, const char *names)
{
    const char *first = csv->lines.buffer + csv->first_byte, *s = names;
    darc_cell cell, label = {.s = "", .n = 0};
    int labels = 0, all = 0;
    bool first_empty = false, hole = false, differ = false, key = false,
         *twice = darc_calloc((size_t)csv->columns, sizeof *twice);
    for (s -= s > first; s > first && s[-1] != '\n';)
        s--;
    if (holds_units(csv, s) ||
        darc_csv_find(&cell, csv, s, 0) > csv->columns + 1)
        s = names; /* these are no names, nor are settings */
    for (int c = 0; c < csv->columns && s < names; c++) {
        twice[c] = stands_twice(csv, c);
        find_beside(&cell, csv, s, names, c);
        labels += twice[c] && cell.n > 0;
        key = key || (cell.n > 1 && cell.s[cell.n - 1] == ':');
        hole = hole || (cell.n == 0 && label.n > 0);
        differ = differ || (label.n > 0 && cell.n != label.n) ||
                 (label.n > 0 && memcmp(cell.s, label.s, cell.n) != 0);
        label = cell;
        all += cell.n > 0 && csv->unit[c] == NULL;
        first_empty = c == 0 ? cell.n == 0 : first_empty;
    }
    bool each = first_empty && 2 * all > csv->columns,
         names_all = !key && (labels > 1 || (each && differ && !hole));
    for (int c = 0; c < csv->columns && names_all && s < names; c++) {
        find_beside(&cell, csv, s, names, c);
        label = cell.n > 0 || each ? cell : label;
        char *name = darc_strdup(csv->name[c]), *text;
        text = darc_text_name(label.s, label.n);
        if ((twice[c] || each) && label.n > 0)
            extend_name(csv, c, text, name, strlen(name));
        DARC_FREE(name, text);
    }
    darc_free(twice);
}

/* Name columns that have no name by lines below, which pandas gives its index.
 */
static void read_below(darc_csv *csv, const char *s, const char *limit)
{
    const char *end;
    darc_cell cell;
    for (; s < limit && (end = memchr(s, '\n', (size_t)(limit - s))) != NULL;
         s = end + 1)
        for (int c = 0; c < csv->columns && !darc_csv_is_comment(csv, s); c++)
            if (darc_csv_find(&cell, csv, s, c) >= csv->columns && cell.n > 0 &&
                csv->name[c] != NULL && csv->name[c][0] == '\0' &&
                !darc_csv_is_framed(&cell))
                darc_csv_name(csv, c, &cell);
}

/* Whether the cell stands in the line once more. */
static bool repeats(const darc_csv *csv, const char *line,
                    const darc_cell *cell)
{
    int times = 0, c = 0;
    for (darc_cell one; darc_csv_find(&one, csv, line, c) > c; c++)
        times += one.n == cell->n && memcmp(one.s, cell->s, cell->n) == 0;
    return times > 1;
}

/* The line of units, which may be in brackets, and stand below their names
 * where blanks part fewer; "-" and "#" are none. Where it is the rest of names
 * *names stays true; a name counts for empty ones right of it, too. */
static darc_status read_units(bool *names, darc_csv *csv, const char *s,
                              darc_err *err)
{
    const char *end = darc_csv_line_end(s, csv), *line = s;
    darc_status status = DARC_OK;
    darc_text_t first = DARC_TEXT;
    darc_cell cell;
    int c = 0;
    bool few = csv->separator == ' ' &&
               darc_csv_find(&cell, csv, s, 0) < csv->columns &&
               darc_csv_is_framed(&cell);
    *names = *names && !few && goes_on(csv, s);
    for (; c < csv->columns && s != NULL; c++) {
        if (few)
            find_beside(&cell, csv, line, csv->lines.buffer + csv->lines.begin,
                        c);
        else
            DARC_TRY(darc_csv_cell(&cell, &s, end, csv, err));
        bool framed = darc_csv_is_framed(&cell);
        darc_cell in = darc_cell_of(cell.s + framed, cell.n - 2u * framed);
        darc_csv_untag(&in);
        if (*names && csv->name[c] != NULL && csv->name[c][0] != '\0') {
            darc_text_reset(first);
            darc_text_puts(first, csv->name[c]);
        }
        if (*names && csv->name[c] != NULL && in.n > 0) {
            bool part = csv->name[c][0] != '\0' || repeats(csv, line, &in);
            extend_name(csv, c, part && first->len > 0 ? first->s : "", in.s,
                        in.n);
            continue;
        }
        const char *name = csv->name[c] != NULL ? csv->name[c] : "c";
        if (csv->unit[c] == NULL && !darc_csv_is_word(&in, "stamp") &&
            !darc_csv_is_gap(&in) && name[0] != '\0' &&
            !darc_csv_is_word(&in, name) &&
            !(in.n == 1 && strchr("*#", *in.s) != NULL))
            csv->unit[c] = darc_text_name(in.s, in.n);
    }
    const char *last = csv->name[csv->columns - 1];
    c += last == NULL || *last == '\0'; /* rows end in a separator */
    if (c < csv->columns && 2 * c > csv->columns && !*names &&
        end[-1] != csv->separator)
        status = darc_lines_fail(&csv->lines, 1, err,
                                 "the line of units has %d cells where the "
                                 "header has %d",
                                 c, csv->columns);
done:
    darc_text_clear(first);
    return status;
}

/* Decimals: where commas part cells without quotes the mark is sure, with tabs
 * and blanks if no comma is seen; else the first number that has one tells. */
static void set_point(darc_csv *csv, const char *s)
{
    const char *end = csv->lines.buffer + csv->lines.whole;
    csv->point = csv->separator == ';' ? ',' : '.';
    if (csv->separator == ',')
        csv->point_sure =
            s == end ||
            memchr(s, '"', (size_t)(darc_csv_line_end(s, csv) - s)) == NULL;
    else
        csv->point_sure =
            csv->separator != ';' && memchr(s, ',', (size_t)(end - s)) == NULL;
}

/* Take a name or a unit from the settings beside rows. */
static void name_beside(darc_csv *csv, const char *s)
{
    darc_cell key, value;
    int first = csv->beside, last = csv->columns - 1;
    darc_csv_find(&key, csv, s, 0);
    if (darc_csv_find(&value, csv, s, 1) < 2)
        return;
    char **to = NULL;
    if (darc_csv_is_word(&key, "source"))
        to = &csv->name[last];
    else if (darc_csv_is_word(&key, "vertical units"))
        to = &csv->unit[last];
    else if (darc_csv_is_word(&key, "horizontal units"))
        to = &csv->unit[first];
    if (to == NULL || value.n == 0)
        return;
    darc_free(*to);
    *to = darc_text_name(value.s, value.n);
    if (to == &csv->unit[first]) {
        darc_free(csv->name[first]);
        csv->name[first] = darc_strdup("time");
    }
}

/* A line "velocity kmh" above names that have no unit (VBOX), or "UNIT: m"
 * below one that is the name of column *of (Solinst). */
static void unit_above(darc_csv *csv, darc_cell line, int *of)
{
    for (int c = 0; c < csv->columns; c++) {
        size_t m = csv->name[c] != NULL ? strlen(csv->name[c]) : 0;
        if (m == 0 || line.n < m || memcmp(line.s, csv->name[c], m) != 0)
            continue;
        *of = line.n == m ? c : *of;
        const char *unit = line.s + m + 1;
        size_t n = line.n > m + 1 && unit[-1] == ' ' ? line.n - m - 1 : 0;
        if (n > 0 && *unit != ' ' && csv->unit[c] == NULL &&
            darc_csv_is_unit(unit, n))
            csv->unit[c] = n == 3 && memcmp(unit, "kmh", 3) == 0
                               ? darc_strdup("km/h")
                               : darc_text_name(unit, n);
    }
    if (*of >= 0 && darc_csv_untag(&line) == 0 && csv->unit[*of] == NULL &&
        line.n > 0)
        csv->unit[*of] = darc_text_name(line.s, line.n);
}

/* A line "Unit", then a unit of each column; units alone. */
static void units_above(darc_csv *csv, const char *s)
{
    darc_cell cell;
    bool bare = holds_units(csv, s);
    if (!bare && (darc_csv_find(&cell, csv, s, 0) < csv->columns - 1 ||
                  darc_csv_label(&cell) != 0))
        return;
    for (int c = !bare; c < csv->columns && darc_csv_find(&cell, csv, s, c) > c;
         c++)
        if (csv->unit[c] == NULL && cell.n > 0)
            csv->unit[c] = darc_text_name(cell.s, cell.n);
}

/* What the lines above the rows say of them; those beside them too. */
static void read_around(darc_csv *csv, const darc_csv_layout *x)
{
    const char *b = csv->lines.buffer, *whole = b + csv->lines.whole;
    const char *limit = csv->beside > 0 ? whole : b + x->data;
    size_t number = csv->first_line;
    int of = -1;
    for (const char *s = b + csv->first_byte; s < limit; number++) {
        const char *end = darc_csv_line_end(s, csv);
        darc_csv_read_told(csv, s, s < b + x->data ? end : s, number);
        if (s < b + x->data)
            darc_csv_read_settings(csv, s, whole, number);
        else
            name_beside(csv, s);
        if (s < b + x->names) {
            units_above(csv, s);
            darc_cell line = darc_cell_of(s, (size_t)(end - s));
            darc_csv_trim(&line, " \t");
            unit_above(csv, line, &of);
        }
        s = (const char *)memchr(end, '\n', 2) + 1;
    }
}

/* ---- the header --------------------------------------------------------- */

static darc_status count_columns(darc_csv *csv, const darc_csv_layout *x,
                                 darc_err *err)
{
    const char *s = csv->lines.buffer + x->names;
    const char *end = darc_csv_line_end(s, csv);
    darc_cell cell = {.n = 0};
    for (; s != NULL && csv->columns <= DARC_MAX_COLUMNS; csv->columns++)
        DARC_NEED(darc_csv_head_cell(&cell, &s, end, csv, err));
    if (csv->columns > DARC_MAX_COLUMNS)
        return darc_lines_fail(&csv->lines, 1, err, "more than %d columns",
                               DARC_MAX_COLUMNS);
    csv->columns =
        x->columns > 0 ? x->columns : csv->columns - (cell.n == 0 && x->widest);
    csv->rows_named = csv->named && csv->columns + 1 == x->widest &&
                      x->names == csv->first_byte &&
                      csv->lines.buffer[x->data] == '"';
    csv->columns += csv->rows_named;
    return DARC_OK;
}

/* Names of columns that have none. */
static void number_columns(darc_csv *csv)
{
    for (int c = 0; c < csv->columns; c++) {
        bool apart = c < csv->beside || c < csv->rows_named;
        if (csv->name[c] == NULL)
            csv->name[c] = apart ? darc_strdup("") : darc_text_of("c%d", c + 1);
        if (csv->unit[c] == NULL)
            csv->unit[c] = darc_strdup("");
    }
}

/* Read names, and the lines around them that say more. */
static darc_status read_header_lines(darc_csv *csv, const darc_csv_layout *x,
                                     darc_err *err)
{
    const char *b = csv->lines.buffer, *s = b + x->names, *limit = b + x->data;
    const char *next = (const char *)memchr(s, '\n', (size_t)(limit - s)) + 1;
    DARC_NEED(read_names(csv, s, darc_csv_line_end(s, csv), err));
    if (!x->labelled)
        read_above(csv, s);
    if (x->units != x->data)
        read_below(csv, next, b + x->units);
    if (x->units != x->data &&
        memchr(b + x->units, csv->separator, x->data - x->units) == NULL)
        csv->separator = x->separator;
    s = x->units != x->data ? b + x->units : limit;
    for (bool more = !x->labelled; s < limit;) {
        DARC_NEED(read_units(&more, csv, s, err));
        const char *end = memchr(s, '\n', (size_t)(limit - s));
        next = s == b + x->units ? end + 1 : next;
        s = more ? end + 1 : limit;
    }
    for (int c = csv->columns; x->labelled && c-- > 0;) {
        if (csv->name[c] == NULL || strcmp(csv->name[c], csv->name[0]) != 0)
            continue;
        DARC_FREE(csv->unit[c]);
        csv->unit[c] = NULL;
        csv->name[c][0] = '\0';
    }
    read_below(csv, next, limit);
    return DARC_OK;
}

/* Refuse values that go on from row to row, of which there are as many as the
 * settings say: no column has a name. */
static darc_status refuse_wrapped(const darc_csv *csv, const darc_csv_layout *x,
                                  darc_err *err)
{
    const darc_lines *l = &csv->lines;
    double rows = 0;
    for (size_t at = x->data; at < l->whole; at++)
        rows += l->buffer[at] == '\n';
    if (csv->named || csv->columns < 2 || !l->ended || csv->count <= rows ||
        csv->count > rows * csv->columns)
        return DARC_OK;
    return darc_lines_fail(l, 1, err,
                           "the %g values stand in rows of %d: tail -n +%zu "
                           "FILE | tr -s ' \\t' '\\n' >run.csv makes a row of "
                           "each (then --rate)",
                           csv->count, csv->columns, x->data_line);
}

static darc_status read_header(darc_csv *csv, darc_err *err)
{
    darc_lines *l = &csv->lines;
    darc_csv_layout x;
    DARC_NEED(darc_lines_fill(l, err));
    DARC_NEED(darc_recognise_text(l->file, l->buffer, l->whole, err));
    if (l->whole >= 3 && memcmp(l->buffer, "\xef\xbb\xbf", 3) == 0)
        l->begin = 3; /* the mark of UTF-8 */
    csv->first_byte = l->begin;
    csv->first_line = l->number;
    DARC_NEED(darc_csv_lay_out(&x, csv, err));
    csv->named = x.names != x.data;
    csv->bracketed = x.bracketed;
    csv->joins = x.joins;
    csv->separator = csv->named ? x.names_separator : x.separator;
    l->number = csv->header_line = x.names_line;
    l->begin = x.names;
    DARC_NEED(count_columns(csv, &x, err));
    csv->widest = x.widest;
    csv->beside = x.beside < csv->columns ? x.beside : 0;
    size_t n = (size_t)csv->columns;
    csv->name = darc_calloc(n, sizeof *csv->name);
    csv->unit = darc_calloc(n, sizeof *csv->unit);
    if (csv->named)
        DARC_NEED(read_header_lines(csv, &x, err));
    csv->separator = x.separator;
    while (csv->named && csv->levels < x.levels && csv->levels < csv->columns &&
           csv->name[csv->levels] != NULL && csv->name[csv->levels][0] == '\0')
        csv->levels++;
    if (!csv->named)
        darc_csv_name_vertically(csv, l->buffer + x.data);
    read_around(csv, &x);
    if (x.rate > 0) {
        csv->step = 1 / x.rate;
        csv->step_line = x.data_line - 1;
        csv->step_name = darc_strdup("the rate in the second row");
    }
    const char *run = l->buffer + x.between;
    if (x.between != x.data)
        csv->run = darc_strndup(run, strcspn(run, " \t\r\n"));
    number_columns(csv);
    set_point(csv, l->buffer + x.data);
    l->begin = x.data;
    l->number = x.data_line;
    csv->ragged = x.ragged;
    darc_csv_find_affixes(csv);
    return refuse_wrapped(csv, &x, err);
}

darc_status darc_csv_open(darc_csv *csv, const char *file, bool live,
                          darc_err *err)
{
    darc_status status;
    *csv = (darc_csv){.live = live, .start = NAN, .pick = -1};
    csv->clock[0].column = csv->clock[1].column = -1;
    DARC_TRY(darc_lines_open(&csv->lines, file, err));
    DARC_TRY(read_header(csv, err));
done:
    if (status != DARC_OK)
        darc_csv_close(csv);
    return status;
}

static void free_all(char **text, int n)
{
    for (int c = 0; c < n && text != NULL; c++)
        darc_free(text[c]);
    darc_free((void *)text);
}

void darc_csv_close(darc_csv *csv)
{
    for (int c = 0; c < csv->columns && csv->odd != NULL; c++)
        darc_free(csv->odd[c].message);
    char **of_columns[] = {csv->name, csv->unit, csv->prefix, csv->suffix};
    for (int i = 0; i < 4; i++)
        free_all(of_columns[i], csv->columns);
    DARC_FREE(csv->step_name, csv->odd, csv->picked, csv->run);
    darc_lines_close(&csv->lines);
    *csv = (darc_csv){.lines = csv->lines};
}
