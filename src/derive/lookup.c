#include "derive/column.h"

#include "data/reader.h"

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

darc_status darc_column_lookup(const darc_column *col, double *out,
                               const double *x, size_t begin, size_t end,
                               darc_err *err)
{
    const darc_column_context *c = col->c;
    const double *at = col->rows->signal[0].value;
    double first = at[0], last = at[col->rows->samples - 1];
    for (size_t i = 0; i < end - begin; i++) {
        if (x[i] < first || x[i] > last)
            return darc_fail(err, DARC_DATA,
                             "%s: derived signal '%s': %g at t = %g s lies "
                             "outside the table %s, %g .. %g",
                             c->table->file, c->name, x[i],
                             darc_table_time(c->table, begin + i),
                             col->rows->file, first, last);
        out[i] = isnan(x[i]) ? NAN : on_line(col->rows, x[i]);
    }
    return DARC_OK;
}

darc_status darc_column_load(darc_column *col, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_text_t path;
    darc_text_init(path);
    append_path(path, col->e->text, col->c->model);
    darc_load_options o;
    darc_load_options_init(&o);
    o.rate = 1; /* rows are not moments: no column is taken for the time */
    DARC_TRY(darc_table_load(&col->rows, path->s, &o, err));
    status = check_rows(col->rows, path->s, err);
done:
    darc_text_clear(path);
    return status;
}
