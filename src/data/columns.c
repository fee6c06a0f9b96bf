#include "data/columns.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "syntax/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *unit;
    double seconds;
} time_units[] = {
    {"", 1},      {"s", 1},     {"sec", 1},          {"seconds", 1},
    {"ms", 1e-3}, {"us", 1e-6}, {"\xc2\xb5s", 1e-6}, {"\xce\xbcs", 1e-6},
    {"ns", 1e-9}, {"min", 60},  {"h", 3600}};

/* Return the place of the unit in time_units, -1 if it is none of them. */
static int time_unit(const char *unit)
{
    int n = sizeof time_units / sizeof time_units[0];
    while (--n >= 0 && strcmp(unit, time_units[n].unit) != 0)
        ;
    return n;
}

/* How surely the name is that of a time column, 0: not at all; whatever the
 * case: DateTime, Uhrzeit.  X_Value is LabVIEW's. */
static int is_time(const char *s)
{
    static const char *const word[] = {"time", "zeit"};
    if (strcmp(s, "t") == 0)
        return 4;
    for (int k = 0; k < 2; k++)
        if (strncasecmp(s, word[k], 4) == 0)
            return s[4] == '\0' ? 3 : 2;
    if (s[0] == 't' && s[1] == '_' && s[2] != '\0' && time_unit(s + 2) > 0)
        return 2;
    for (const char *in = s; *in != '\0'; in++)
        if (strncasecmp(in, "time", 4) == 0 || strncasecmp(in, "zeit", 4) == 0)
            return 1;
    return strcmp(s, "X_Value") == 0;
}

/* Append "columns: t, a, z" (the first thirty), and where the names come from
 * if not from the file. */
static void list_columns(darc_text_t out, const darc_columns *columns)
{
    darc_text_puts(out, "columns: ");
    for (int c = 0; c < columns->count && c < 30; c++)
        darc_text_printf(out, c > 0 ? ", %.64s" : "%.64s", columns->name[c]);
    if (columns->count > 30)
        darc_text_printf(out, ", ... (%d)", columns->count);
    if (columns->nameless)
        darc_text_puts(out, ", called so since the file has no header: it "
                            "begins with numbers; put the names above them");
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
    list_columns(list, columns);
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

/* Return whether column i is meant: by its name, or as the header has it, with
 * the unit. */
static bool is_called(const darc_columns *columns, int i, const char *name)
{
    const char *own = columns->name[i], *unit = columns->unit[i];
    size_t n = strlen(own), m = strlen(unit), all = strlen(name);
    if (strcmp(own, name) == 0)
        return true;
    if (m > 0 && all == n + m + 1 && name[n] == '/' &&
        strncmp(own, name, n) == 0 && strcmp(name + n + 1, unit) == 0)
        return true;
    return m > 0 && all > n + m + 1 && strncmp(own, name, n) == 0 &&
           strncmp(name + all - m - 1, unit, m) == 0 &&
           strcspn(name + n, "[(") + n == all - m - 2;
}

/* Set *c to the column of that name; model_name, or NULL, for the hint. */
static darc_status find_column(int *c, const char *name, const char *model_name,
                               const darc_columns *columns, darc_err *err)
{
    *c = -1;
    for (int i = 0; i < columns->count; i++) {
        if (!is_called(columns, i, name))
            continue;
        if (*c >= 0)
            return darc_fail(err, DARC_DATA,
                             "%s: error: columns %d and %d are both called "
                             "'%s'",
                             columns->place, *c + 1, i + 1, name);
        *c = i;
    }
    return *c >= 0 ? DARC_OK : fail_missing(name, model_name, columns, err);
}

static darc_status set_time_unit(darc_selection *s, const darc_columns *columns,
                                 darc_err *err)
{
    const char *unit = columns->unit[s->time_column];
    const char *name = columns->name[s->time_column];
    const char *end = strrchr(name, '_'); /* of t_ms */
    if (unit[0] == '\0' && end != NULL && is_time(name) > 0 &&
        time_unit(end + 1) > 0)
        unit = end + 1;
    if (time_unit(unit) >= 0) {
        s->time_scale = time_units[time_unit(unit)].seconds;
        return DARC_OK;
    }
    return darc_fail(err, DARC_DATA,
                     "%s: error: unit '%s' of the time column '%s' is not "
                     "known (s, ms, us, ns, min, h)",
                     columns->place, unit, name);
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

/* Set *may to whether the column is a time axis, which the name alone does not
 * tell: no time_constant, nothing that the model asks for. */
static darc_status may_be_time(bool *may, const darc_columns *columns, int c,
                               const darc_load_options *o, darc_err *err)
{
    darc_column_kind kind;
    *may = is_time(columns->name[c]) > 2;
    if (*may)
        return DARC_OK;
    for (int i = 0; i < o->wanted; i++)
        if (is_called(columns, c, darc_mapped(o->want[i], o)))
            return DARC_OK;
    DARC_NEED(columns->kind(&kind, columns->user, c, err));
    *may = kind == DARC_COLUMN_INCREASES;
    return DARC_OK;
}

static darc_status select_time(darc_selection *s, const darc_columns *columns,
                               const darc_load_options *o, darc_err *err)
{
    s->time_column = -1;
    s->time_scale = 1;
    if (o->time_column != NULL) {
        DARC_NEED(
            find_column(&s->time_column, o->time_column, NULL, columns, err));
        return set_time_unit(s, columns, err);
    }
    for (int c = 0, best = 0; c < columns->count; c++) {
        bool may = false;
        if (is_time(columns->name[c]) > best)
            DARC_NEED(may_be_time(&may, columns, c, o, err));
        if (may) {
            best = is_time(columns->name[c]);
            s->time_column = c;
        }
    }
    if (s->time_column >= 0)
        return o->rate > 0 ? DARC_OK : set_time_unit(s, columns, err);
    if (o->rate > 0)
        return DARC_OK;
    darc_text_t list = DARC_TEXT;
    list_columns(list, columns);
    darc_status status =
        darc_fail(err, DARC_DATA,
                  "%s: error: no time column ('t' or 'time'): name it "
                  "with --time, or give --rate; %s",
                  columns->place, list->s);
    darc_text_clear(list);
    return status;
}

static void select_column(darc_selection *s, const char *name, int column)
{
    DARC_ROOM(s->signal, s->signals);
    s->signal[s->signals++] =
        (darc_taken){.column = column, .name = darc_strdup(name), .scale = 1};
}

/* Every column but time and text, under the name that --map gives it. */
static darc_status select_all(darc_selection *s, const darc_columns *columns,
                              const darc_load_options *o, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_text_t text = DARC_TEXT;
    for (int i = 0; i < o->maps; i++) {
        int c;
        DARC_TRY(find_column(&c, o->map_column[i], NULL, columns, err));
    }
    for (int c = 0; c < columns->count; c++) {
        const char *name = columns->name[c];
        darc_column_kind kind = DARC_COLUMN_NUMBERS;
        int twice;
        if (c == s->time_column || name[0] == '\0' ||
            (o->label_column != NULL && strcmp(name, o->label_column) == 0))
            continue;
        if (!columns->numbers)
            DARC_TRY(columns->kind(&kind, columns->user, c, err));
        if (kind == DARC_COLUMN_TEXT) {
            darc_text_printf(text, "%s%s", text->len > 0 ? ", " : "", name);
            continue;
        }
        DARC_TRY(find_column(&twice, name, NULL, columns, err));
        int map = find_last(o->map_column, o->maps, name);
        select_column(s, map >= 0 ? o->map_name[map] : name, c);
    }
    s->text = text->len > 0 ? darc_text_take(text) : NULL;
done:
    darc_text_clear(text);
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
        bool time = s->time_column >= 0 &&
                    strcmp(columns->name[s->time_column], name) == 0;
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
    if (x->scale == 1 && x->shift == 0)
        return DARC_OK;
    x->conversion = darc_text_of("%s to %s", from, to);
    return DARC_OK;
}

darc_status darc_selection_init(darc_selection *s, const darc_columns *columns,
                                const darc_load_options *o, darc_err *err)
{
    darc_status status;
    *s = (darc_selection){0};
    DARC_TRY(select_time(s, columns, o, err));
    for (int i = 0, c; i < o->wanted; i++) {
        const char *name = darc_mapped(o->want[i], o);
        DARC_TRY(find_column(&c, name, o->want[i], columns, err));
        select_column(s, o->want[i], c);
    }
    if (o->wanted == 0)
        DARC_TRY(select_all(s, columns, o, err));
    if (s->signals == 0)
        DARC_TRY(darc_fail(err, DARC_DATA, "%s: error: no column besides time",
                           columns->place));
    DARC_TRY(set_scales(s, columns, o, err));
    for (int i = 0; i < s->signals; i++)
        DARC_TRY(convert(s->signal + i, columns, o, err));
    if (o->rate > 0 && o->time_column == NULL)
        s->time_column = -1; /* the rate overrides a column that was guessed */
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
