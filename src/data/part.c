#include "data/part.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "data/arrayfile.h"
#include "data/columns.h"
#include "files/csv.h"
#include "formats/recognise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return whether the first n characters name a file that is there, or "FILE:"
 * something in it. */
static bool is_file(const char *name, size_t n)
{
    char *own = darc_strndup(name, n);
    bool is = access(own, F_OK) == 0;
    if (!is) {
        own[darc_recognise(own).length] = '\0';
        is = access(own, F_OK) == 0;
    }
    darc_free(own);
    return is;
}

/* Return the bracket that parts the name from what it takes, NULL: none. */
static const char *opening(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || name[n - 1] != ']' || access(name, F_OK) == 0)
        return NULL;
    for (const char *s = name; (s = strchr(s, '[')) != NULL; s++)
        if (is_file(name, (size_t)(s - name)))
            return s;
    return strrchr(name, '[');
}

/* Read "10:60]", "10:]", ":60]"; return false where it is none of them. */
static bool read_span(darc_part *p, const char *s)
{
    char *end;
    double a = strtod(s, &end);
    const char *colon = end;
    if (*colon != ':')
        return false;
    double b = strtod(colon + 1, &end);
    if (*end != ']' || end[1] != '\0')
        return false;
    p->from = colon > s ? a : NAN;
    p->to = end > colon + 1 ? b : NAN;
    return true;
}

void darc_part_init(darc_part *p, const char *name)
{
    *p = (darc_part){.from = NAN, .to = NAN};
    const char *open = opening(name);
    if (open != NULL) {
        const char *equals = strchr(open, '=');
        if (equals == NULL && !read_span(p, open + 1))
            open = NULL;
        if (open != NULL && equals != NULL) {
            p->column = darc_strndup(open + 1, (size_t)(equals - open) - 1);
            p->value = darc_strndup(equals + 1, strlen(equals) - 2);
        }
    }
    p->file = open == NULL ? darc_strdup(name)
                           : darc_strndup(name, (size_t)(open - name));
}

void darc_part_clear(darc_part *p)
{
    DARC_FREE(p->file, p->column, p->value);
    *p = (darc_part){0};
}

/* ---- each ---------------------------------------------------------------- */

/* What is sought: values of a column of a file. */
typedef struct {
    darc_parts *parts;
    const char *file, *column;
    int first, last; /* part; that of the row before */
} seeking;

/* Return whether part k is that of the n characters at value. */
static bool is_part(const seeking *x, int k, const char *value, size_t n)
{
    const char *name = x->parts->name[k] + strlen(x->file) + 1;
    name += strlen(x->column) + 1;
    return strncmp(name, value, n) == 0 && name[n] == ']' &&
           name[n + 1] == '\0';
}

/* Append the part of the value unless it is there. */
static darc_status add_value(seeking *x, const char *value, size_t n,
                             darc_err *err)
{
    darc_parts *p = x->parts;
    if (p->count > x->first && is_part(x, x->last, value, n))
        return DARC_OK;
    x->last = x->first;
    while (x->last < p->count && !is_part(x, x->last, value, n))
        x->last++;
    if (x->last < p->count)
        return DARC_OK;
    if (p->count - x->first == DARC_MAX_PARTS)
        return darc_fail_file(err, x->file,
                              "--each: '%s' has more than %d values; expected "
                              "a column that names recordings",
                              x->column, DARC_MAX_PARTS);
    DARC_APPEND(p->name, p->count,
                darc_text_of("%s[%s=%.*s]", x->file, x->column, (int)n, value));
    return DARC_OK;
}

static darc_status find_column(int *c, const seeking *x, int count,
                               char *const *name, char *const *unit,
                               darc_err *err)
{
    darc_columns columns = {
        .place = x->file, .count = count, .name = name, .unit = unit};
    return darc_column_find(c, x->column, NULL, &columns, err);
}

static darc_status each_of_text(seeking *x, darc_err *err)
{
    darc_status status;
    darc_csv csv;
    int c;
    DARC_NEED(darc_csv_open(&csv, x->file, false, err));
    DARC_TRY(find_column(&c, x, csv.columns, csv.name, csv.unit, err));
    for (bool row = true; row;) {
        darc_cell cell;
        DARC_TRY(darc_csv_row(&csv, NULL, &row, err));
        if (!row)
            break;
        darc_csv_find(&cell, &csv, csv.lines.buffer + csv.lines.begin, c);
        if (!darc_csv_is_gap(&cell))
            DARC_TRY(add_value(x, cell.s, cell.n, err));
        darc_csv_next(&csv);
    }
done:
    darc_csv_close(&csv);
    return status;
}

static darc_status each_of_arrays(seeking *x, darc_err *err)
{
    darc_status status;
    darc_arrayfile s;
    int c;
    darc_arrayfile_wish wish = {0, NULL, 1, &x->column};
    DARC_NEED(darc_arrayfile_open(&s, x->file, &wish, err));
    DARC_TRY(find_column(&c, x, s.columns, s.name, s.unit, err));
    for (size_t row = 0, have; row < s.rows; row += have) {
        const double *value;
        double last = NAN;
        DARC_TRY(darc_arrayfile_values(&value, &have, &s, c, row, err));
        for (size_t i = 0; i < have; i++) {
            char text[32];
            if (isnan(value[i]) || value[i] == last)
                continue;
            last = value[i];
            snprintf(text, sizeof text, "%.15g", last);
            DARC_TRY(add_value(x, text, strlen(text), err));
        }
    }
done:
    darc_arrayfile_close(&s);
    return status;
}

darc_status darc_parts_add(darc_parts *p, const char *file, const char *column,
                           darc_err *err)
{
    seeking x = {p, file, column, p->count, p->count};
    darc_recognised is = darc_recognise(file);
    if (column == NULL) {
        DARC_APPEND(p->name, p->count, darc_strdup(file));
        return DARC_OK;
    }
    if (strcmp(file, "-") == 0)
        return darc_fail(err, DARC_USAGE,
                         "--each reads a recording for each value, and "
                         "standard input is read once; name a file");
    DARC_NEED(is.kind != NULL && !is.text ? each_of_arrays(&x, err)
                                          : each_of_text(&x, err));
    return p->count > x.first
               ? DARC_OK
               : darc_fail_file(err, file, "--each: '%s' has no value", column);
}

void darc_parts_clear(darc_parts *p)
{
    for (int i = 0; i < p->count; i++)
        darc_free(p->name[i]);
    darc_free(p->name);
    *p = (darc_parts){0};
}
