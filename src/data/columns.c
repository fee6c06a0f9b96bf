#include "data/columns.h"

#include "base/mem.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"
#include "data/calendar.h"
#include "data/clock.h"
#include "data/thresholds.h"
#include "data/timename.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void darc_columns_list(darc_text_t out, const darc_columns *columns)
{
    darc_text_puts(out, "columns: ");
    for (int c = 0; c < columns->count && c < 30; c++)
        darc_text_printf(out, c > 0 ? ", %.64s" : "%.64s", columns->name[c]);
    if (columns->count > 30)
        darc_text_printf(out, ", ... (%d)", columns->count);
    if (columns->nameless)
        darc_text_puts(out, ", called so since the file has no header: it "
                            "begins with numbers; put the names above them");
    if (columns->letters != NULL)
        darc_text_printf(out, "; %s", columns->letters);
}

static darc_status fail_missing(const char *name, const char *model_name,
                                const darc_columns *columns, darc_err *err)
{
    darc_text_t list = DARC_TEXT;
    darc_suggestion near;
    darc_suggestion_init(&near, name);
    for (int c = 0; c < columns->count; c++)
        darc_suggestion_offer(&near, columns->name[c]);
    darc_text_puts(list, darc_suggestion_text(&near));
    darc_text_puts(list, "; ");
    darc_columns_list(list, columns);
    if (model_name != NULL)
        darc_text_printf(list, "; --map %s=COLUMN tells which is meant",
                         model_name);
    darc_status status = darc_fail(err, DARC_DATA,
                                   "%s: error: no column "
                                   "'%s'%s",
                                   columns->place, name, list->s);
    darc_text_clear(list);
    return status;
}

/* Which of the columns of its name column c is: 1, 2, ... */
static int which_twin(const darc_columns *columns, int c)
{
    int n = 1;
    for (int i = 0; i < c; i++)
        n += strcmp(columns->name[i], columns->name[c]) == 0;
    return n;
}

bool darc_column_called(const darc_columns *columns, int i, const char *name)
{
    const char *own = columns->name[i], *unit = columns->unit[i];
    size_t n = strlen(own), m = strlen(unit), all = strlen(name);
    if (strcmp(own, name) == 0)
        return true;
    if (all > n + 1 && name[n] == '_' && strncmp(own, name, n) == 0 &&
        atoi(name + n + 1) == which_twin(columns, i))
        return true;
    if (m > 0 && all == n + m + 1 && name[n] == '/' &&
        strncmp(own, name, n) == 0 && strcmp(name + n + 1, unit) == 0)
        return true;
    return m > 0 && all > n + m + 1 && strncmp(own, name, n) == 0 &&
           strncmp(name + all - m - 1, unit, m) == 0 &&
           strcspn(name + n, "[(") + n == all - m - 2;
}

darc_status darc_column_find(int *c, const char *name, const char *model_name,
                             const darc_columns *columns, darc_err *err)
{
    *c = -1;
    for (int i = 0; i < columns->count; i++) {
        if (!darc_column_called(columns, i, name))
            continue;
        if (*c >= 0)
            return darc_fail(err, DARC_DATA,
                             "%s: error: columns %d and %d are both called "
                             "'%s': '%s_%d' is the latter",
                             columns->place, *c + 1, i + 1, name,
                             columns->name[i], which_twin(columns, i));
        *c = i;
    }
    return *c >= 0 ? DARC_OK : fail_missing(name, model_name, columns, err);
}

/* Return the last place of the name in a list of n, -1: it is not there. */
static int find_last(const char *const *list, int n, const char *name)
{
    while (--n >= 0 && strcmp(list[n], name) != 0)
        ;
    return n;
}

const char *darc_mapped(const char *name, const darc_load_options *o)
{
    int i = find_last(o->map_name, o->maps, name);
    return i >= 0 ? o->map_column[i] : name;
}

static void select_column(darc_selection *s, const char *name, int column)
{
    DARC_APPEND(
        s->signal, s->signals,
        (darc_taken){.column = column, .name = darc_strdup(name), .scale = 1});
}

/* Whether column c has the name of the time, numbers behind it aside (those of
 * t1 are no clock's), and increases. */
static bool is_clock(const darc_columns *columns, int c, int clock)
{
    static const char numbers[] = " _.#-()0123456789";
    size_t n = 0;
    if (clock < 0 || c == clock)
        return false;
    const char *a = columns->name[c], *b = columns->name[clock];
    if (darc_time_rank(b, "") < DARC_TIME_BY_WORD &&
        (strcmp(a, b) != 0 || darc_time_unit(columns->unit[c]) <= 0 ||
         darc_time_unit(columns->unit[clock]) <= 0))
        return false;
    while (a[n] != '\0' && a[n] == b[n])
        n++;
    if ((n < 3 && strcmp(a, b) != 0) || a[n + strspn(a + n, numbers)] != '\0' ||
        b[n + strspn(b + n, numbers)] != '\0')
        return false;
    darc_pace p;
    return darc_pace_read(&p, NULL, columns, c, NULL) == DARC_OK && p.n > 1 &&
           p.still + p.back == 0;
}

/* Why a column is passed over where all are read; NULL: it is read. */
static const char *passed_over(const darc_columns *columns, int c,
                               darc_column_kind kind)
{
    return kind == DARC_COLUMN_TEXT                    ? "text"
           : kind == DARC_COLUMN_EMPTY                 ? "empty"
           : kind != DARC_COLUMN_NUMBERS               ? "points in time"
           : strcmp(columns->unit[c], "Sequence") == 0 ? "counts rows"
                                                       : NULL;
}

/* Whether column c, which has no name, holds numbers that do not only count
 * rows, as an index does: *lost. */
static darc_status is_lost(bool *lost, const darc_columns *columns, int c,
                           darc_err *err)
{
    darc_pace p;
    DARC_NEED(darc_pace_read(&p, NULL, columns, c, err));
    *lost = p.look.kind == DARC_COLUMN_NUMBERS && p.n > 1 &&
            (p.step != 1 || p.last - p.first != (double)(p.n - 1));
    return DARC_OK;
}

/* The name of column c, made its own where others before have it. */
static char *own_name(const darc_columns *columns, int c)
{
    int n = which_twin(columns, c);
    return n > 1 ? darc_text_of("%s_%d", columns->name[c], n)
                 : darc_strdup(columns->name[c]);
}

/* Every column but time and text, under the name that --map gives it. */
static darc_status select_all(darc_selection *s, const darc_columns *columns,
                              const darc_load_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_text_t out = DARC_TEXT;
    const char *last = NULL;
    for (int i = 0; i < o->maps; i++) {
        int c;
        DARC_TRY(darc_column_find(&c, o->map_column[i], NULL, columns, err));
    }
    for (int c = 0; c < columns->count; c++) {
        const char *name = columns->name[c];
        darc_column_look look;
        bool lost = false;
        bool mapped = find_last(o->map_column, o->maps, name) >= 0;
        if (darc_clock_uses(s->clock, c) ||
            (!mapped && is_clock(columns, c, s->clock->column)) ||
            (o->label_column != NULL && strcmp(name, o->label_column) == 0))
            continue;
        if (name[0] == '\0') {
            DARC_TRY(is_lost(&lost, columns, c, err));
            if (lost)
                darc_text_printf(out, "%scolumn %d has no name: not read",
                                 out->len > 0 ? "; " : "", c + 1);
            last = lost ? NULL : last;
            continue;
        }
        DARC_TRY(columns->look(&look, columns->user, c, err));
        const char *why = passed_over(columns, c, look.kind);
        char *own = own_name(columns, c);
        int map = find_last(o->map_column, o->maps, own);
        if (why == NULL || map >= 0)
            select_column(s, map >= 0 ? o->map_name[map] : own, c);
        if (why != NULL && map < 0) {
            bool more = last != NULL && strcmp(last, why) == 0;
            darc_text_printf(out, more ? ", %s" : "%s%s, not read: %s",
                             more           ? own
                             : out->len > 0 ? "; "
                                            : "",
                             why, own);
            last = why;
        }
        darc_free(own);
    }
    s->text = out->len > 0 ? darc_text_take(out) : NULL;
done:
    darc_text_clear(out);
    return status;
}

/* The column that may be meant by a name of the model: one that looks like it,
 * or is the same in another case. */
static const char *near_column(const char *name, const darc_columns *columns)
{
    darc_suggestion near;
    darc_suggestion_init(&near, name);
    for (int c = 0; c < columns->count; c++)
        if (strcasecmp(columns->name[c], name) == 0)
            return columns->name[c];
        else
            darc_suggestion_offer(&near, columns->name[c]);
    return near.best != NULL ? near.best : "COLUMN";
}

void darc_columns_put_map(darc_text_t out, const char *name, const char *column)
{
    const char *quote = strchr(column, ',') != NULL ? "\"" : "";
    darc_text_printf(out, "%s%s=%s%s%s", out->len > 0 ? "," : "", name, quote,
                     column, quote);
}

/* Take the columns that the model wants; name all that are missing. */
static darc_status select_wanted(darc_selection *s, const darc_columns *columns,
                                 const darc_load_options *o, darc_err *err)
{
    darc_err first = {DARC_OK, ""};
    darc_text_t names = DARC_TEXT, map = DARC_TEXT;
    int missing = 0;
    for (int i = 0, c; i < o->wanted; i++) {
        const char *want = o->want[i], *name = darc_mapped(want, o);
        darc_status status = darc_column_find(&c, name, want, columns, &first);
        if (status == DARC_OK) {
            select_column(s, want, c);
            if (name != want && missing + o->maps > 0)
                darc_columns_put_map(map, want, name);
            continue;
        }
        darc_text_printf(names, "%s'%s'", missing++ > 0 ? ", " : "", name);
        darc_columns_put_map(map, want, near_column(want, columns));
    }
    darc_status status = DARC_OK;
    if (missing == 1)
        status = darc_fail(err, first.status, "%s", first.message);
    if (missing > 1) {
        darc_text_t list = DARC_TEXT;
        const char *quote = strchr(map->s, '"') != NULL ? "'" : "\"";
        darc_columns_list(list, columns);
        status =
            darc_fail(err, DARC_DATA,
                      "%s: error: no columns %s; %s; --map %s%s%s tells "
                      "which are meant",
                      columns->place, names->s, list->s, quote, map->s, quote);
        darc_text_clear(list);
    }
    darc_text_clear(names);
    darc_text_clear(map);
    return status;
}

/* Fail unless `name` of the option is a signal that is read. */
static darc_status need_signal(const darc_selection *s, const char *name,
                               const char *option, const darc_columns *columns,
                               darc_err *err)
{
    darc_suggestion near;
    darc_suggestion_init(&near, name);
    for (int i = 0; i < s->signals; i++) {
        if (strcmp(s->signal[i].name, name) == 0)
            return DARC_OK;
        darc_suggestion_offer(&near, s->signal[i].name);
    }
    return darc_fail(err, DARC_DATA,
                     "%s: error: %s %s: no such signal is read%s",
                     columns->place, option, name, darc_suggestion_text(&near));
}

static darc_status set_scales(darc_selection *s, const darc_columns *columns,
                              const darc_load_options *o, darc_err *err)
{
    for (int k = 0; k < o->maps; k++)
        DARC_NEED(need_signal(s, o->map_name[k], "--map", columns, err));
    for (int k = 0; k < o->scales; k++) {
        const char *name = o->scale_name[k];
        bool time = s->clock->column >= 0 &&
                    strcmp(columns->name[s->clock->column], name) == 0;
        s->time_scale *= time ? o->scale[k] : 1;
        if (!time)
            DARC_NEED(need_signal(s, name, "--scale", columns, err));
        for (int i = 0; i < s->signals && !time; i++)
            if (strcmp(s->signal[i].name, name) == 0)
                s->signal[i].scale *= o->scale[k];
    }
    return DARC_OK;
}

/* Bring x from the unit of its column to the model's, unless --scale does: what
 * was scaled is in no unit that the file names. */
static darc_status convert(darc_taken *x, const darc_columns *columns,
                           const darc_load_options *o, darc_err *err)
{
    int k = find_last(o->unit_name, o->units, x->name);
    const char *from = columns->unit[x->column], *to = k >= 0 ? o->unit[k] : "";
    bool scaled = find_last(o->scale_name, o->scales, x->name) >= 0;
    x->unit = darc_strdup(to[0] != '\0' || scaled ? to : from);
    if (to[0] == '\0' || from[0] == '\0' || strcmp(from, to) == 0 || scaled)
        return DARC_OK;
    darc_err why = {DARC_OK, ""};
    darc_status status =
        darc_unit_convert(&x->scale, &x->shift, from, to, &why);
    if (status != DARC_OK)
        return darc_fail(err, status,
                         "%s: error: unit of column '%s' for '%s': %s; --scale "
                         "%s=F gives the factor",
                         columns->place, columns->name[x->column], x->name,
                         why.message, x->name);
    const char *meant = darc_unit_meant(from, to);
    if (x->scale == 1 && x->shift == 0 && meant == NULL)
        return DARC_OK;
    x->conversion =
        darc_text_of("%s%s%s to %s", from, meant != NULL ? ", taken as " : "",
                     meant != NULL ? meant : "", to);
    return DARC_OK;
}

/* Say by how much another clock than the one that counts is off. */
static darc_status note_clock(darc_selection *s, const darc_columns *columns,
                              int c, darc_err *err)
{
    size_t n = 0, m = 0;
    const darc_clock *k = s->clock;
    double most = 0, x[DARC_CLOCK_ROWS], y[DARC_CLOCK_ROWS];
    darc_status status =
        columns->first(x, &n, columns->user, k->column, k->form, err);
    DARC_THEN(columns->first(y, &m, columns->user, c, k->form, err));
    for (size_t i = 0; i < n && i < m && status == DARC_OK; i++)
        most = fabs(y[i] - x[i]) > most ? fabs(y[i] - x[i]) : most;
    char *own = own_name(columns, c), *before = s->text;
    darc_text_t out = DARC_TEXT;
    darc_text_printf(out, "%s%sanother clock: %s", before != NULL ? before : "",
                     before != NULL ? "; " : "", own);
    if (most > 0)
        darc_text_printf(out,
                         ", up to %.3g s off (--time %s: what is right of it "
                         "by its own times)",
                         k->stamps ? most : most * k->scale, own);
    s->text = darc_text_take(out);
    DARC_FREE(own, before);
    return status;
}

darc_status darc_selection_init(darc_selection *s, const darc_columns *columns,
                                const darc_clock *clock,
                                const darc_load_options *o, darc_err *err)
{
    darc_status status;
    *s = (darc_selection){.time_scale = 1, .time_column = -1};
    s->clock = clock;
    DARC_TRY(o->wanted > 0 ? select_wanted(s, columns, o, err)
                           : select_all(s, columns, o, err));
    if (s->signals == 0)
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "%s: error: no column besides time%s%s",
                           columns->place, s->text != NULL ? "; " : "",
                           s->text != NULL ? s->text : ""));
    DARC_TRY(set_scales(s, columns, o, err));
    for (int i = 0; i < s->signals; i++)
        DARC_TRY(convert(s->signal + i, columns, o, err));
    for (int c = 0; c < columns->count; c++)
        if (is_clock(columns, c, clock->column))
            DARC_TRY(note_clock(s, columns, c, err));
    /* the rate overrides a column that was guessed */
    if (o->rate == 0 || o->time_column != NULL)
        s->time_column = s->clock->column;
done:
    if (status != DARC_OK)
        darc_selection_clear(s);
    return status;
}

void darc_selection_clear(darc_selection *s)
{
    for (int i = 0; i < s->signals; i++)
        DARC_FREE(s->signal[i].name, s->signal[i].conversion,
                  s->signal[i].unit);
    DARC_FREE(s->signal, s->text);
    *s = (darc_selection){0};
}
