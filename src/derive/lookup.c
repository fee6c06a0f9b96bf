#include "derive/lookup.h"

#include "base/mem.h"
#include "base/text.h"
#include "data/table.h"

#include <math.h>
#include <string.h>

/* Append the path of `file`, which stands in the model, to out. */
static void append_path(darc_text_t out, const char *file,
                        const darc_model *model)
{
    const char *slash = strrchr(darc_model_file(model), '/');
    if (slash != NULL && file[0] != '/')
        darc_text_write(out, darc_model_file(model),
                        (size_t)(slash + 1 - darc_model_file(model)));
    darc_text_puts(out, file);
}

static darc_status check_rows(const darc_table *rows, const char *path,
                              darc_err *err)
{
    if (rows->signals < 2 || rows->samples < 2)
        return darc_fail(err, DARC_DATA,
                         "%s: a table has two columns and at least two rows",
                         path);
    const double *x = rows->signal[0].value;
    for (size_t i = 0; i + 1 < rows->samples; i++)
        if (!(x[i] < x[i + 1]) || !isfinite(rows->signal[1].value[i]))
            return darc_fail(err, DARC_DATA,
                             "%s: row %zu: the first column of a table must "
                             "increase, and no cell may be missing",
                             path, i + 2);
    return DARC_OK;
}

/* Keep the rows of a table that was read. */
static void take_rows(darc_lookup *l, const darc_table *rows)
{
    l->points = rows->samples;
    l->x = darc_malloc(2 * l->points * sizeof *l->x);
    l->y = l->x + l->points;
    memcpy(l->x, rows->signal[0].value, l->points * sizeof *l->x);
    memcpy(l->y, rows->signal[1].value, l->points * sizeof *l->x);
}

/* The points that are written in the expression. */
static void take_points(darc_lookup *l, const darc_expr *e)
{
    l->points = (size_t)(e->count - 1) / 2;
    l->x = darc_malloc(2 * l->points * sizeof *l->x);
    l->y = l->x + l->points;
    for (size_t i = 0; i < l->points; i++) {
        darc_expr_is_constant(e->child[2 * (int)i + 1], l->x + i);
        darc_expr_is_constant(e->child[2 * (int)i + 2], l->y + i);
    }
}

darc_status darc_lookup_init(darc_lookup *l, const darc_expr *e,
                             const darc_model *model, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_table *rows = NULL;
    darc_text_t path;
    *l = (darc_lookup){0};
    darc_text_init(path);
    if (e->text == NULL) {
        take_points(l, e);
        goto done;
    }
    append_path(path, e->text, model);
    darc_load_options o;
    darc_load_options_init(&o);
    o.rate = 1; /* rows are not moments: no column is taken for the time */
    DARC_TRY(darc_table_load(&rows, path->s, &o, err));
    DARC_TRY(check_rows(rows, path->s, err));
    take_rows(l, rows);
    l->file = darc_text_take(path);
done:
    darc_table_free(rows);
    darc_text_clear(path);
    return status;
}

void darc_lookup_clear(darc_lookup *l)
{
    darc_free(l->x);
    darc_free(l->file);
    *l = (darc_lookup){0};
}

void darc_lookup_values(const darc_lookup *l, double *y, double *slope,
                        const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = l->points - 1;
        bool inside = x[i] >= l->x[0] && x[i] <= l->x[high];
        while (high - low > 1) {
            size_t mid = low + (high - low) / 2;
            if (x[i] < l->x[mid])
                high = mid;
            else
                low = mid;
        }
        double by = (l->y[high] - l->y[low]) / (l->x[high] - l->x[low]);
        y[i] = inside ? l->y[low] + by * (x[i] - l->x[low]) : NAN;
        if (slope != NULL)
            slope[i] = by;
    }
}
