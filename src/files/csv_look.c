/* csv_look.c - what lines and the first rows hold. */
#include "base/mem.h"
#include "base/text.h"
#include "files/csv.h"
#include "files/thresholds.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { AFFIX_ROWS = 8 };

/* Step from line to line that is in memory: set *s to the next that has as many
 * cells as a row, but for one that may be empty, and is not cut; to its end
 * where words begin another table below a blank line. */
static bool next_line(const char **s, size_t *at, const darc_csv *csv)
{
    const darc_lines *l = &csv->lines;
    for (bool blank = false; *at < l->whole;) {
        *s = l->buffer + *at;
        *at +=
            (size_t)((const char *)memchr(*s, '\n', l->whole - *at) + 1 - *s);
        darc_cell first, lead;
        bool cut = l->cut && *at == l->whole && *s > l->buffer + l->begin;
        darc_csv_find(&first, csv, *s, 0);
        darc_csv_find(&lead, csv, l->buffer + l->begin, 0);
        if (blank && isalpha((unsigned char)*first.s) &&
            !isalpha((unsigned char)*lead.s) && !darc_csv_is_gap(&first))
            return false;
        blank = darc_csv_is_bare(*s, darc_csv_line_end(*s, csv));
        if (!cut && !darc_csv_is_comment(csv, *s) &&
            darc_csv_find(&first, csv, *s, 0) + (csv->separator != ' ') >=
                csv->columns)
            return true;
    }
    return false;
}

/* Visit the cells of the first rows. */
static void visit(darc_csv *csv, int rows, void *to, size_t size,
                  void (*cell_of)(void *to, darc_cell *cell, darc_csv *csv))
{
    size_t at = csv->lines.begin;
    const char *s;
    while (rows-- > 0 && next_line(&s, &at, csv)) {
        const char *end = darc_csv_line_end(s, csv);
        darc_cell cell;
        for (int c = 0; c < csv->columns && s != NULL; c++) {
            if ((c == 0 && darc_csv_is_header(csv, s)) ||
                darc_csv_cell(&cell, &s, end, csv, NULL) != DARC_OK)
                break;
            if (c == csv->columns - 1)
                darc_csv_uncomment(&cell);
            darc_csv_strip(&cell, csv, c);
            cell_of((char *)to + (size_t)c * size, &cell, csv);
        }
    }
}

static void look_at_cell(void *look, darc_cell *cell, darc_csv *csv)
{
    darc_csv_look *to = look;
    darc_stamp stamp;
    darc_cell_kind kind = darc_csv_kind(&stamp, cell, csv);
    bool pair = kind == DARC_CELL_STAMP && stamp.pair && !stamp.day;
    to->gaps += kind == DARC_CELL_GAP;
    to->numbers += kind == DARC_CELL_NUMBER;
    to->words += kind == DARC_CELL_WORD;
    if (kind == DARC_CELL_NUMBER)
        darc_csv_see_group(csv, cell);
    if (kind != DARC_CELL_STAMP)
        return;
    to->stamps++;
    to->dates += stamp.day && !stamp.clock;
    if (stamp.dotted) {
        size_t n = cell->n < 8 ? cell->n : 8;
        to->turns += to->dotted++ > 0
                         ? (memcmp(cell->s + n - 2, to->last + n - 2, 2) != 0) -
                               (memcmp(cell->s, to->last, n - 6) != 0)
                         : 0;
        memcpy(to->last, cell->s, n);
    }
    to->places = stamp.fraction > to->places ? stamp.fraction : to->places;
    if (stamp.ends_in_0 && stamp.fraction > 1)
        to->zeros = to->zeros > 0 && to->zeros < stamp.fraction
                        ? to->zeros
                        : stamp.fraction;
    to->back |= to->stamps > 1 && stamp.ns < to->ns &&
                stamp.ns / 1000000000 == to->ns / 1000000000;
    int s = (int)(stamp.ns / 1000000000 % 60);
    to->falls += stamp.counted && s < to->ns / 1000000000 % 60;
    to->most = s > to->most ? s : to->most;
    to->ns = stamp.ns;
    to->clocks += !stamp.day && !stamp.elapsed;
    to->pairs += pair;
    to->minutes |=
        pair && (stamp.minutes || stamp.ns >= 25 * (int64_t)3600000000000);
}

void darc_csv_look_at(darc_csv_look *look, darc_csv *csv)
{
    char point = csv->point;
    bool sure = csv->point_sure;
    memset(look, 0, (size_t)csv->columns * sizeof *look);
    visit(csv, DARC_LOOK_ROWS, look, sizeof *look, look_at_cell);
    if (csv->ragged)
        look[csv->columns - 1] = (darc_csv_look){.gaps = 1};
    csv->point = point;
    csv->point_sure = sure;
}

/* What stands behind numbers; more of them have it than not. */
typedef struct {
    darc_cell text; /* less a prefix, where they differ by that: */
    bool mixed;
    bool timed; /* 5m, which may be minutes */
    bool plain; /* nothing stands behind others that are not 0 */
    bool none;  /* they differ */
    int votes;
} behind;

/* Let both be what they have at their end, if a prefix or nothing stands before
 * it; return whether it does. */
static bool part_prefix(darc_cell *text, const darc_cell *now)
{
    size_t n = 0, least = text->n < now->n ? text->n : now->n;
    while (n < least && text->s[text->n - n - 1] == now->s[now->n - n - 1])
        n++;
    bool one = text->n == n || darc_csv_prefix(text->s, text->n - n) > 0,
         two = now->n == n || darc_csv_prefix(now->s, now->n - n) > 0;
    *text = darc_cell_of(text->s + text->n - n, n);
    return one && two && (n == 0 || darc_csv_is_unit(text->s, n));
}

/* Keep what stands behind the number, if it is as before, a prefix aside. */
static void keep_suffix(void *kept, darc_cell *cell, darc_csv *csv)
{
    behind *suffix = kept;
    darc_stamp stamp;
    double x;
    if (darc_csv_is_gap(cell) || suffix->none)
        return;
    bool number = darc_csv_number(&x, cell, csv);
    suffix->votes += number ? -1 : 1;
    suffix->plain |= number && fabs(x) > 0;
    if (number)
        return;
    size_t n = darc_csv_behind_number(cell);
    darc_cell now = darc_cell_of(cell->s + n, cell->n - n);
    darc_csv_trim(&now, " ");
    bool first = suffix->text.s == NULL;
    bool timed =
        (first || suffix->timed) &&
        darc_stamp_read(&stamp, cell->s, cell->n, (darc_stamp_form){0});
    bool same = !first && suffix->text.n == now.n &&
                memcmp(suffix->text.s, now.s, now.n) == 0;
    suffix->text = first ? now : suffix->text;
    suffix->timed |= timed;
    suffix->none = n == 0 || (timed && darc_csv_prefix(now.s, now.n) == 0) ||
                   (!first && !same && !part_prefix(&suffix->text, &now));
    suffix->mixed |= !first && !same;
}

/* Whether prefixes alone stand behind numbers; `others`: in another column, or
 * not behind all, and what is here may be one, K and T aside. */
static bool is_bare(const behind *x, bool others)
{
    const char *s = x->text.s;
    bool some = s != NULL && !x->none && darc_csv_prefix(s, x->text.n) > 0;
    others = others || (x->plain && x->votes > 0);
    others = others && some && strchr("KT", *s) == NULL;
    return x->mixed ? s != NULL && !x->none && x->text.n == 0
                    : some && (others || !darc_csv_is_unit(s, x->text.n));
}

/* Let *key be what stands before the value, as keep_suffix does. */
static void keep_key(void *kept, darc_cell *cell, darc_csv *csv)
{
    darc_cell *key = kept;
    darc_cell now = darc_cell_of(cell->s, darc_csv_key(cell));
    bool same = key->s == NULL ||
                (key->n == now.n && memcmp(key->s, now.s, now.n) == 0);
    csv->keys_differ = csv->keys_differ || (!same && now.n > 0);
    *key = darc_cell_of(now.s, same ? now.n : 0);
}

/* Columns are named by keys: all that have any. */
static void name_by_keys(darc_csv *csv)
{
    size_t n = (size_t)csv->columns, keys = 0;
    darc_cell *key = darc_calloc(n, sizeof *key);
    visit(csv, AFFIX_ROWS, key, sizeof *key, keep_key);
    for (size_t c = 0; c < n; c++)
        keys += key[c].n > 0;
    csv->keyed = keys > 1;
    csv->prefix = darc_calloc(n, sizeof *csv->prefix);
    for (size_t c = 0; c < n && csv->keyed; c++)
        if (key[c].n > 0) {
            csv->prefix[c] = darc_strndup(key[c].s, key[c].n);
            darc_csv_name(csv, (int)c,
                          &(darc_cell){.s = key[c].s, .n = key[c].n - 1});
        }
    darc_free(key);
}

void darc_csv_find_affixes(darc_csv *csv)
{
    size_t n = (size_t)csv->columns;
    name_by_keys(csv);
    behind *suffix = darc_calloc(n, sizeof *suffix);
    visit(csv, DARC_LOOK_ROWS, suffix, sizeof *suffix, keep_suffix);
    csv->suffix = darc_calloc(n, sizeof *csv->suffix);
    bool bare = false;
    for (size_t c = 0; c < n; c++)
        bare = bare || is_bare(suffix + c, false);
    for (size_t c = 0; c < n; c++) {
        const behind *x = suffix + c;
        size_t m = x->text.n, all = strlen(csv->unit[c]);
        darc_cell told = {.s = csv->unit[c], .n = all}, own = x->text;
        if (all > 0 && m > 0 && part_prefix(&told, &own) &&
            (told.n < m || told.n < all))
            continue; /* kW above, W here */
        if (is_bare(x, bare))
            m = 0;
        else if (m == 0 || x->none || x->votes < 0 || (x->timed && !x->mixed))
            continue;
        csv->suffix[c] = darc_strndup(x->text.s, m);
        csv->lacks |= darc_csv_prefix(x->text.s, m) > 0;
        if (csv->unit[c][0] == '\0' && m > 0) {
            darc_free(csv->unit[c]);
            csv->unit[c] = darc_text_name(x->text.s, m);
        }
    }
    darc_free(suffix);
}

double darc_csv_text_number(const darc_cell *cell)
{
    double x = 1;
    for (size_t i = 0; i < cell->n; i++)
        x = fmod(x * 257 + (unsigned char)cell->s[i], 9999999999971.0);
    return darc_csv_is_gap(cell) ? NAN : x;
}

size_t darc_csv_first(double *x, size_t n, darc_csv *csv, int c,
                      const darc_stamp_form *form)
{
    darc_csv_clock clock = {.column = c};
    char point = csv->point;
    bool sure = csv->point_sure;
    size_t count = 0, at = csv->lines.begin;
    const char *s;
    clock.form = form != NULL ? *form : clock.form;
    while (count < n && next_line(&s, &at, csv)) {
        darc_cell cell;
        if (count > 2 && darc_csv_is_header(csv, s))
            break; /* another recording */
        darc_csv_find(&cell, csv, s, c);
        darc_csv_strip(&cell, csv, c);
        if (form == NULL)
            x[count] = darc_csv_text_number(&cell);
        else if (!darc_csv_number(x + count, &cell, csv) || clock.any)
            if (!darc_csv_stamp(x + count, &cell, &clock))
                x[count] = NAN;
        count++;
    }
    csv->point = point;
    csv->point_sure = sure;
    return count;
}

size_t darc_csv_place(const darc_csv *csv, int c)
{
    const char *line = csv->lines.buffer + csv->lines.begin;
    darc_cell cell;
    darc_csv_find(&cell, csv, line, c);
    return (size_t)(cell.s - line) + 1;
}
