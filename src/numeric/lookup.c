#include "numeric/column.h"

#include "darc/reader.h"

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

/* Return the line through the two rows around x, x between first and last. */
static double on_line(const darc_table *rows, double x)
{
    const double *at = rows->signal[0].value, *y = rows->signal[1].value;
    size_t low = 0, high = rows->samples - 1;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (x < at[mid])
            high = mid;
        else
            low = mid;
    }
    double f = (x - at[low]) / (at[high] - at[low]);
    return y[low] + f * (y[high] - y[low]);
}

static darc_status look_up(double *out, const double *x, const darc_table *rows,
                           const char *path, const darc_column_context *c,
                           darc_err *err)
{
    const double *at = rows->signal[0].value;
    double first = at[0], last = at[rows->samples - 1];
    for (size_t i = 0; i < c->table->samples; i++) {
        if (x[i] < first || x[i] > last)
            return darc_fail(err, DARC_DATA,
                             "%s: derived signal '%s': %g at t = %g s lies "
                             "outside the table %s, %g .. %g",
                             c->table->file, c->name, x[i],
                             darc_table_time(c->table, i), path, first, last);
        out[i] = isnan(x[i]) ? NAN : on_line(rows, x[i]);
    }
    return DARC_OK;
}

darc_status darc_column_lookup(double *out, const double *x, const char *file,
                               const darc_column_context *c, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_text_t path;
    darc_text_init(path);
    append_path(path, file, c->model);
    darc_table *rows = NULL;
    darc_load_options o;
    darc_load_options_init(&o);
    o.rate = 1; /* rows are not moments: no column is taken for the time */
    DARC_TRY(darc_table_load(&rows, path->s, &o, err));
    DARC_TRY(check_rows(rows, path->s, err));
    status = look_up(out, x, rows, path->s, c, err);
done:
    darc_table_free(rows);
    darc_text_clear(path);
    return status;
}
