#define _GNU_SOURCE /* strcasestr */

#include "data/arrayfile.h"

#include "base/limits.h"
#include "base/mem.h"
#include "files/caged.h"
#include "files/thresholds.h"
#include "formats/recognise.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Return what of the path of the array lies behind `prefix`, NULL if it lies
 * elsewhere; "" for the array itself. */
static const char *behind(const darc_arrayfile *s, int i, const char *prefix)
{
    const char *path = s->arrays.array[i].path;
    size_t n = strlen(prefix);
    assert(path != NULL);
    if (n == 0)
        return path;
    if (strncmp(path, prefix, n) != 0)
        return NULL;
    if (path[n] == '\0')
        return path + n;
    return path[n] == s->arrays.separator ? path + n + 1 : NULL;
}

/* Go down as long as all that lies below is one group; fail where there are
 * several groups and no array beside them. */
static darc_status descend_group(darc_text_t prefix, const darc_arrayfile *s,
                                 darc_err *err)
{
    char separator = s->arrays.separator;
    for (;;) {
        darc_text_t groups = DARC_TEXT;
        int count = 0;
        bool arrays = false;
        const char *first = NULL;
        size_t length = 0;
        for (int i = 0; i < s->arrays.count; i++) {
            const char *rest = behind(s, i, prefix->s);
            const char *end = rest != NULL && rest[0] != '\0'
                                  ? strchr(rest + 1, separator)
                                  : NULL;
            arrays = arrays || (rest != NULL && end == NULL);
            if (end == NULL)
                continue;
            size_t n = (size_t)(end - rest);
            if (first != NULL && n == length && strncmp(first, rest, n) == 0)
                continue;
            first = rest;
            length = n;
            if (count++ < DARC_NAMES_SHOWN)
                darc_text_printf(groups, "%s%.*s", count > 1 ? ", " : "",
                                 (int)n, rest);
        }
        darc_status status = DARC_OK;
        if (!arrays && count > 1)
            status = darc_fail_file(
                err, s->file,
                "several recordings (%s); pick one, as in %s:%s%s%.*s",
                groups->s, s->file, prefix->s,
                prefix->len > 0 ? (char[]){separator, 0} : "", (int)length,
                first);
        darc_text_clear(groups);
        if (status != DARC_OK || arrays || count == 0)
            return status;
        if (prefix->len > 0)
            darc_text_putc(prefix, separator);
        darc_text_write(prefix, first, length);
    }
}

/* Return how many arrays of so many rows there are; of those that are wanted,
 * where `wish` is not NULL: the one of time counts more than all others. */
static int count_rows(const darc_arrayfile *s, const char *prefix, size_t rows,
                      const darc_arrayfile_wish *wish)
{
    int n = 0;
    for (int k = 0; k < s->arrays.count; k++) {
        const char *name = behind(s, k, prefix);
        if (name == NULL || s->arrays.array[k].rows != rows)
            continue;
        n += wish == NULL;
        if (wish != NULL && wish->time != NULL && strcmp(name, wish->time) == 0)
            n += wish->names + 1;
        for (int w = 0; wish != NULL && w < wish->names; w++)
            n += strcmp(name, wish->name[w]) == 0;
    }
    return n;
}

/* The length that most arrays share; of equal numbers the greater length. */
static size_t common_rows(const darc_arrayfile *s, const char *prefix,
                          const darc_arrayfile_wish *wish)
{
    size_t best = 0;
    int most = 0;
    for (int i = 0; i < s->arrays.count; i++) {
        size_t rows = s->arrays.array[i].rows;
        if (behind(s, i, prefix) == NULL || rows < 2 || rows == best)
            continue;
        int n = count_rows(s, prefix, rows, wish);
        if (n > most || (n == most && n > 0 && rows > best)) {
            most = n;
            best = rows;
        }
    }
    return best;
}

static bool is_time(const char *name)
{
    return strcasestr(name, "time") != NULL || strcasecmp(name, "t") == 0 ||
           strncasecmp(name, "t_", 2) == 0;
}

static void add_note(darc_arrayfile *s, char *note)
{
    DARC_APPEND(s->note, s->notes, note);
}

/* Note the arrays of each length that is not read. */
static void note_lengths(darc_arrayfile *s, const char *prefix)
{
    enum { LENGTHS = 3 };
    size_t told[LENGTHS];
    int n = 0;
    for (int i = 0; i < s->arrays.count && n < LENGTHS; i++) {
        size_t rows = s->arrays.array[i].rows;
        const char *time = "COLUMN";
        bool known =
            behind(s, i, prefix) == NULL || rows < 2 || rows == s->rows;
        for (int k = 0; k < n; k++)
            known = known || told[k] == rows;
        if (known)
            continue;
        darc_text_t list = DARC_TEXT;
        int names = 0;
        for (int k = i; k < s->arrays.count; k++) {
            const char *name = behind(s, k, prefix);
            if (name == NULL || s->arrays.array[k].rows != rows)
                continue;
            if (names++ < DARC_NAMES_SHOWN)
                darc_text_printf(list, "%s%.64s", names > 1 ? ", " : "", name);
            time = is_time(name) ? name : time;
        }
        told[n++] = rows;
        add_note(s,
                 darc_text_of("left out %s%s (%zu values, not %zu); --time "
                              "%s reads those",
                              list->s, names > DARC_NAMES_SHOWN ? ", ..." : "",
                              rows, s->rows, time));
        darc_text_clear(list);
    }
}

/* Append a column for each of array i. */
static darc_status add_array(darc_arrayfile *s, int i, const char *name,
                             darc_err *err)
{
    const darc_array *a = s->arrays.array + i;
    size_t n = (size_t)s->columns + a->columns;
    if (n > DARC_MAX_COLUMNS)
        return darc_fail_file(err, s->file, "more than %d columns",
                              DARC_MAX_COLUMNS);
    s->name = darc_realloc(s->name, n, sizeof *s->name);
    s->unit = darc_realloc(s->unit, n, sizeof *s->unit);
    s->array = darc_realloc(s->array, n, sizeof *s->array);
    s->place = darc_realloc(s->place, n, sizeof *s->place);
    for (size_t k = 0; k < a->columns; k++) {
        char text[256];
        snprintf(text, sizeof text, a->columns > 1 ? "%.200s_%zu" : "%.200s",
                 name, k + 1);
        s->name[s->columns] = darc_strdup(text);
        s->unit[s->columns] = darc_strdup(a->unit);
        s->array[s->columns] = i;
        s->place[s->columns++] = k;
    }
    return DARC_OK;
}

static darc_status fail_empty(const darc_arrayfile *s, darc_err *err)
{
    const darc_arrays *a = &s->arrays;
    darc_text_t list = DARC_TEXT;
    for (int i = 0; i < a->count && i < DARC_NAMES_SHOWN; i++)
        darc_text_printf(list, "%s%.64s (%zu x %zu)", i > 0 ? ", " : "",
                         a->array[i].path, a->array[i].rows,
                         a->array[i].columns);
    darc_status status = darc_fail_file(
        err, s->file, "%s%s%s%s%s%s%s%s",
        s->path[0] != '\0' ? "no signals under '" : "no signals in the file",
        s->path, s->path[0] != '\0' ? "'" : "",
        a->count > 0 ? "; it holds " : "", list->s,
        a->left_out->len > 0 ? "; " : "", a->left_out->s,
        a->count > 0 || a->left_out->len > 0
            ? ""
            : ": a recording is a set of numeric vectors of one length");
    darc_text_clear(list);
    return status;
}

static darc_status choose_arrays(darc_arrayfile *s,
                                 const darc_arrayfile_wish *wish, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_text_t prefix = DARC_TEXT;
    darc_text_puts(prefix, s->path);
    DARC_TRY(descend_group(prefix, s, err));
    s->rows = common_rows(s, prefix->s, wish);
    if (s->rows == 0)
        s->rows = common_rows(s, prefix->s, NULL);
    for (int i = 0; i < s->arrays.count && s->rows > 0; i++) {
        const char *name = behind(s, i, prefix->s);
        if (name == NULL || s->arrays.array[i].rows != s->rows)
            continue;
        if (*name == '\0') {
            const char *last = strrchr(prefix->s, s->arrays.separator);
            name = last == NULL ? prefix->s : last + 1;
        }
        DARC_TRY(add_array(s, i, name, err));
    }
    if (s->columns == 0)
        DARC_TRY(fail_empty(s, err));
    note_lengths(s, prefix->s);
    if (s->arrays.left_out->len > 0)
        add_note(s, darc_text_of("passed over: %s", s->arrays.left_out->s));
done:
    darc_text_clear(prefix);
    return status;
}

/* Return how many of the wanted columns stand in a group: their paths begin
 * with n characters. */
static int count_wanted(const darc_arrayfile *s, const char *group, size_t n,
                        const darc_arrayfile_wish *wish)
{
    int count = 0;
    for (int w = 0; w < wish->names; w++)
        for (int k = 0; k < s->arrays.count; k++)
            if (strncmp(s->arrays.array[k].path, group, n) == 0 &&
                strcmp(s->arrays.array[k].path + n, wish->name[w]) == 0) {
                count++;
                break;
            }
    return count;
}

/* Where what is wanted lies in one of several groups, choose that; else set
 * s->slowest to the rate of the slowest group that is wanted. */
static darc_status choose_rate(darc_arrayfile *s,
                               const darc_arrayfile_wish *wish, darc_err *err)
{
    darc_arrays *a = &s->arrays;
    for (int i = 0; i < a->count; i++) {
        const darc_array *t = a->array + i;
        const char *end = strrchr(t->path, '.');
        double first, last;
        if (end == NULL || strcmp(end, ".t") != 0 || t->rows < 2)
            continue;
        size_t n = (size_t)(end - t->path);
        int wanted = count_wanted(s, t->path, n + 1, wish);
        if (wish->names > 0 && wanted == wish->names) {
            darc_free(s->path);
            s->path = darc_strndup(t->path, n);
            s->slowest = 0;
            return DARC_OK;
        }
        if (wanted == 0 && wish->names > 0)
            continue;
        DARC_NEED(a->read(a, t, 0, 1, &first, err));
        DARC_NEED(a->read(a, t, t->rows - 1, 1, &last, err));
        double rate = (double)(t->rows - 1) / (last - first);
        if (rate > 0 && isfinite(rate) &&
            (s->slowest == 0 || rate < s->slowest))
            s->slowest = rate;
    }
    return DARC_OK;
}

static darc_status list_arrays(darc_arrayfile *s, const char *kind,
                               const darc_arrayfile_wish *wish, darc_err *err)
{
    s->arrays.rate = wish->rate;
    DARC_NEED(darc_caged_list(&s->arrays, kind, err));
    if (strcmp(kind, "mdf") != 0 || wish->rate > 0 || s->path[0] != '\0')
        return DARC_OK;
    DARC_NEED(choose_rate(s, wish, err));
    if (s->slowest == 0)
        return DARC_OK;
    darc_arrays_clear(&s->arrays);
    darc_arrays_init(&s->arrays, s->file);
    s->arrays.rate = s->slowest;
    return darc_caged_list(&s->arrays, kind, err);
}

darc_status darc_arrayfile_open(darc_arrayfile *s, const char *file,
                                const darc_arrayfile_wish *wish, darc_err *err)
{
    darc_status status;
    darc_recognised is = darc_recognise(file);
    size_t n = is.length;
    *s = (darc_arrayfile){.file = darc_strndup(file, n)};
    s->path = darc_strdup(file[n] == ':' ? file + n + 1 : "");
    darc_arrays_init(&s->arrays, s->file);
    if (access(s->file, R_OK) != 0)
        DARC_TRY(darc_fail(err, DARC_IO, "%s: error: cannot open: %s", s->file,
                           strerror(errno)));
    DARC_TRY(list_arrays(s, is.kind, wish, err));
    DARC_TRY(choose_arrays(s, wish, err));
    s->window = darc_calloc((size_t)s->arrays.count, sizeof *s->window);
done:
    if (status != DARC_OK)
        darc_arrayfile_close(s);
    return status;
}

void darc_arrayfile_close(darc_arrayfile *s)
{
    for (int i = 0; i < s->arrays.count && s->window != NULL; i++)
        darc_free(s->window[i].value);
    for (int c = 0; c < s->columns; c++)
        DARC_FREE(s->name[c], s->unit[c]);
    for (int i = 0; i < s->notes; i++)
        darc_free(s->note[i]);
    darc_arrays_clear(&s->arrays);
    DARC_FREE(s->window, s->note, s->name, s->unit, s->array, s->place, s->file,
              s->path);
    *s = (darc_arrayfile){0};
}

/* Read the window of array i that begins at row `begin`. */
static darc_status fill_window(darc_arrayfile *s, int i, size_t begin,
                               darc_err *err)
{
    const darc_array *a = s->arrays.array + i;
    darc_window *w = s->window + i;
    size_t most = DARC_WINDOW_VALUES / a->columns;
    most = most < DARC_WINDOW_ROWS ? DARC_WINDOW_ROWS : most;
    most = most < s->rows ? most : s->rows;
    if (w->value == NULL)
        w->value = darc_calloc(most * a->columns, sizeof(double));
    size_t n = s->rows - begin < most ? s->rows - begin : most;
    w->rows = 0;
    DARC_NEED(s->arrays.read(&s->arrays, a, begin, n, w->value, err));
    for (size_t k = 0; k < n * a->columns; k++) {
        if (!isinf(w->value[k]))
            continue;
        size_t row = begin + k % n;
        w->value[k] = NAN;
        if (row >= w->seen && (w->infinite++ == 0 || row + 1 < w->first))
            w->first = row + 1;
    }
    w->seen = begin + n > w->seen ? begin + n : w->seen;
    w->begin = begin;
    w->rows = n;
    return DARC_OK;
}

darc_status darc_arrayfile_values(const double **value, size_t *have,
                                  darc_arrayfile *s, int c, size_t begin,
                                  darc_err *err)
{
    const darc_window *w = s->window + s->array[c];
    assert(begin < s->rows);
    if (begin < w->begin || begin >= w->begin + w->rows)
        DARC_NEED(fill_window(s, s->array[c], begin, err));
    size_t at = begin - w->begin;
    *have = w->rows - at;
    *value = w->value + s->place[c] * w->rows + at;
    return DARC_OK;
}

/* ---- what a file holds ------------------------------------------------- */

static void print_array(darc_text_t out, darc_arrays *a, int i)
{
    const darc_array *x = a->array + i;
    double value;
    darc_text_printf(out, "  %-32s", x->path);
    if (x->rows == 1 && x->columns == 1 &&
        a->read(a, x, 0, 1, &value, NULL) == DARC_OK)
        darc_text_printf(out, " %.9g", value);
    else if (x->columns == 1)
        darc_text_printf(out, " %zu values", x->rows);
    else
        darc_text_printf(out, " %zu x %zu values", x->rows, x->columns);
    darc_text_printf(out, x->unit[0] != '\0' ? " [%s]\n" : "\n", x->unit);
}

darc_status darc_arrayfile_list(darc_text_t out, const char *file,
                                darc_err *err)
{
    darc_recognised is = darc_recognise(file);
    if (is.what != NULL)
        return darc_recognise_fail(&is, file, err);
    if (is.kind == NULL || strcmp(is.kind, "gz") == 0 ||
        (is.text && file[is.length] == ':'))
        return DARC_OK;
    darc_arrays a;
    darc_status status;
    char *name = darc_strndup(file, is.length);
    darc_arrays_init(&a, name);
    DARC_TRY(darc_caged_list(&a, is.kind, err));
    for (int i = 0; i < a.count; i++)
        if (is.text)
            darc_text_printf(out, "  %s:%s\n", name, a.array[i].path);
        else
            print_array(out, &a, i);
    if (a.left_out->len > 0)
        darc_text_printf(out, "  passed over: %s\n", a.left_out->s);
done:
    darc_arrays_clear(&a);
    darc_free(name);
    return status;
}
