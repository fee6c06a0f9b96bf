/* propose.c - which column parts rows of several recordings. */
#include "base/mem.h"
#include "data/reader_state.h"
#include "data/thresholds.h"
#include "data/timename.h"
#include "formats/unitword.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <math.h>
#include <string.h>

/* Rows: their times, and a number for the value of a column. */
typedef struct {
    size_t n;
    double t[DARC_CLOCK_ROWS + 1], key[DARC_CLOCK_ROWS + 1];
} rows;

/* Return how many values there are where time increases in the rows of each,
 * which are three at least on the average; 0: it does not. */
static size_t count_values(const rows *x)
{
    double value[DARC_CLOCK_ROWS / 3 + 1], last[DARC_CLOCK_ROWS / 3 + 1];
    size_t count = 0, k = 0, still = 0; /* an event has its time twice */
    for (size_t i = 0; i < x->n; i++) {
        if (isnan(x->key[i]) || isnan(x->t[i]))
            continue;
        if (count == 0 || value[k] != x->key[i])
            for (k = 0; k < count && value[k] != x->key[i]; k++)
                ;
        if (k == count && 3 * count >= x->n)
            return 0;
        if (k < count && x->t[i] < last[k])
            return 0;
        still += k < count && x->t[i] == last[k];
        value[k] = x->key[i];
        last[k] = x->t[i];
        count += k == count;
    }
    return (double)still <= DARC_STILL_SHARE * (double)x->n ? count : 0;
}

/* Set x->key to the values of column c in the first rows, the last of which may
 * be the row at hand. */
static bool read_keys(rows *x, darc_reader *r, darc_csv *first, int c,
                      bool at_hand)
{
    size_t n = x->n - at_hand, at = r->rows + r->skipped, have;
    const double *value;
    darc_cell cell;
    if (!r->arrays) {
        darc_csv_first(x->key, n, first, c, NULL);
        if (at_hand) {
            const darc_lines *l = &r->csv.lines;
            darc_csv_find(&cell, &r->csv, l->buffer + l->begin, c);
            x->key[n] = darc_csv_text_number(&cell);
        }
        return true;
    }
    if (darc_reader_first(x->key, &have, r, c, r->clock.form, NULL) !=
            DARC_OK ||
        have < n)
        return false;
    if (at_hand && darc_arrayfile_values(&value, &have, &r->source, c, at,
                                         NULL) != DARC_OK)
        return false;
    if (at_hand)
        x->key[n] = *value;
    return true;
}

/* Open the text once more, at its first row. */
static bool open_first(darc_csv *first, const darc_reader *r)
{
    const char *file = r->csv.lines.file;
    return r->csv.pick < 0 && !r->csv.live && strcmp(file, "-") != 0 &&
           darc_csv_open(first, file, false, NULL) == DARC_OK;
}

char *darc_reader_propose(void *user, int column, darc_stamp_form form,
                          const double *t)
{
    darc_reader *r = user;
    darc_csv first;
    size_t fewest = 0;
    char *name = NULL;
    darc_status status = DARC_OK;
    if (r->clock.day >= 0 || r->clock.parts > 0 || r->pick >= 0 ||
        (!r->arrays && !open_first(&first, r)))
        return NULL;
    rows *x = darc_malloc(sizeof *x);
    if (r->arrays)
        status = darc_reader_first(x->t, &x->n, r, column, form, NULL);
    else
        x->n = darc_csv_first(x->t, DARC_CLOCK_ROWS, &first, column, &form);
    if (t != NULL && status == DARC_OK) {
        x->n = r->rows < x->n ? r->rows : x->n;
        x->t[x->n++] = *t;
    }
    int columns = r->arrays ? r->source.columns : r->csv.columns;
    char **names = r->arrays ? r->source.name : r->csv.name;
    for (int c = 0; c < columns && status == DARC_OK; c++) {
        if (c == column || !read_keys(x, r, &first, c, t != NULL))
            continue;
        size_t values = count_values(x);
        if (values > 1 && (name == NULL || values < fewest)) {
            name = names[c];
            fewest = values;
        }
    }
    if (!r->arrays)
        darc_csv_close(&first);
    darc_free(x);
    return name != NULL ? darc_strdup(name) : NULL;
}

bool darc_reader_is_turned(const darc_csv *csv)
{
    const darc_lines *l = &csv->lines;
    size_t at = l->begin;
    for (int row = 0; row < 20 && at < l->whole; row++) {
        const char *s = l->buffer + at;
        at += (size_t)((const char *)memchr(s, '\n', l->whole - at) + 1 - s);
        darc_cell cell;
        darc_csv_find(&cell, csv, s, 0);
        char *name =
            darc_text_name(cell.s, darc_unitword_split(cell.s, cell.n).name);
        bool is =
            csv->columns > 2 && darc_time_rank(name, "") >= DARC_TIME_HELD;
        darc_free(name);
        if (is)
            return true;
    }
    return false;
}

/* Return how many of the first rows have another text in column c than the
 * first; -1: there is no row, or no text. */
static int others_in(darc_reader *r, int c)
{
    double key[DARC_CLOCK_ROWS];
    size_t n = darc_csv_first(key, DARC_CLOCK_ROWS, &r->csv, c, NULL);
    int others = n > 0 && !isnan(key[0]) ? 0 : -1;
    for (size_t i = 0, first = 0; i < n; i++) {
        first = isnan(key[first]) ? i : first;
        others += !isnan(key[i]) && key[i] != key[first];
    }
    return others;
}

/* Note a column of few texts that mostly change from row to row: rows of
 * several sources may stand in turn. */
static void note_sources(darc_reader *r)
{
    rows *x = darc_malloc(sizeof *x);
    for (int c = 0; c < r->csv.columns && r->look != NULL; c++) {
        char *name = r->csv.name[c], *text = r->take.text;
        size_t turns = 0;
        if (r->look[c].words <= r->look[c].numbers || name[0] == '\0')
            continue;
        x->n = darc_csv_first(x->key, DARC_CLOCK_ROWS, &r->csv, c, NULL);
        for (size_t i = 0; i < x->n; i++) {
            x->t[i] = (double)i;
            turns += i > 0 && !isnan(x->key[i]) && x->key[i] != x->key[i - 1];
        }
        if (2 * turns < x->n || count_values(x) < 2)
            continue;
        r->take.text = darc_text_of("%s%s'%s' changes from row to row: if it "
                                    "tells whose they are, --each %s makes a "
                                    "recording of each",
                                    text != NULL ? text : "",
                                    text != NULL ? "; " : "", name, name);
        darc_free(text);
        break;
    }
    darc_free(x);
}

darc_status darc_reader_refuse_mixed(darc_reader *r, darc_err *err)
{
    static const darc_word value[] = {DARC_WORDS_VALUES},
                           tag[] = {DARC_WORDS_TAGS};
    darc_csv *csv = &r->csv;
    const char *mixed = NULL;
    for (int i = 0; i < r->take.signals && !r->arrays; i++) {
        const char *name = csv->name[r->take.signal[i].column];
        if (!isnan(DARC_WORD(value, name, strlen(name))))
            mixed = name;
    }
    for (int c = 0; c < csv->columns && mixed != NULL && csv->pick < 0; c++) {
        const char *name = csv->name[c];
        darc_cell cell;
        bool is_tag = !isnan(DARC_WORD(tag, name, strlen(name)));
        int others = is_tag ? others_in(r, c) : -1;
        if (others < 0)
            continue;
        darc_csv_find(&cell, csv, csv->lines.buffer + csv->lines.begin, c);
        if (others < 2) { /* what a server writes where it stops */
            csv->pick = c;
            csv->picked = darc_strndup(cell.s, cell.n);
            csv->alone = true;
        }
        if (others < 2)
            continue;
        return darc_fail_file(
            err, csv->lines.file,
            "'%s' holds values of several signals, which '%s' names: "
            "FILE[%s=%.*s] takes those of one, --each %s makes a recording of "
            "each",
            mixed, name, name, cell.n < 60 ? (int)cell.n : 60, cell.s, name);
    }
    if (!r->arrays && csv->pick < 0)
        note_sources(r);
    return DARC_OK;
}
