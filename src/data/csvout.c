#include "data/table.h"

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

struct darc_csvout {
    darc_output *out;
    int columns;
    darc_text_t line;
};

/* Append "name [unit]", quoted where a separator stands in it. */
static void put_name(darc_text_t line, const char *name, const char *unit)
{
    bool has_unit = unit != NULL && unit[0] != '\0';
    bool quote = strpbrk(name, ",;\t#") != NULL ||
                 (has_unit && strpbrk(unit, ",;\t#") != NULL);
    darc_text_puts(line, quote ? "\"" : "");
    /* no spreadsheet's formula */
    bool formula = name[0] != '\0' && strchr("=+-@\t\r", name[0]) != NULL;
    darc_text_puts(line, formula ? "'" : "");
    darc_text_puts(line, name);
    if (has_unit)
        darc_text_printf(line, " [%s]", unit);
    darc_text_puts(line, quote ? "\"" : "");
}

static void end_line(darc_csvout *o)
{
    darc_text_putc(o->line, '\n');
    darc_output_write(o->out, o->line->s, o->line->len);
    darc_text_reset(o->line);
}

darc_status darc_csvout_open(darc_csvout **out, const char *file, int columns,
                             const char *const *name, const char *const *unit,
                             darc_err *err)
{
    assert(columns > 0);
    for (int i = 0; i < columns; i++) {
        const char *u = unit != NULL && unit[i] != NULL ? unit[i] : "";
        if (strpbrk(name[i], "\"\r\n") != NULL || strpbrk(u, "\"\r\n") != NULL)
            return darc_fail(err, DARC_DOMAIN,
                             "column %d: a quote or a newline in the name or "
                             "its unit",
                             i + 1);
    }
    darc_output *file_out;
    DARC_NEED(darc_output_open(&file_out, file, err));
    darc_csvout *o = darc_calloc(1, sizeof *o);
    o->out = file_out;
    o->columns = columns;
    darc_text_init(o->line);
    for (int i = 0; i < columns; i++) {
        darc_text_puts(o->line, i > 0 ? "," : "");
        put_name(o->line, name[i], unit != NULL ? unit[i] : NULL);
    }
    end_line(o);
    *out = o;
    return DARC_OK;
}

void darc_csvout_row(darc_csvout *o, const double *value)
{
    for (int i = 0; i < o->columns; i++) {
        if (i > 0)
            darc_text_putc(o->line, ',');
        if (!isnan(value[i]))
            darc_text_double(o->line, value[i]);
        else if (o->columns == 1) /* an empty line would be no row */
            darc_text_puts(o->line, "nan");
    }
    end_line(o);
}

darc_status darc_csvout_close(darc_csvout *o, darc_err *err)
{
    darc_status status = darc_output_close(o->out, err);
    darc_text_clear(o->line);
    darc_free(o);
    return status;
}

darc_status darc_csvout_table(const darc_table *table, const char *file,
                              darc_err *err)
{
    int n = table->signals + 1;
    const char **name = darc_calloc((size_t)n, sizeof *name);
    const char **unit = darc_calloc((size_t)n, sizeof *unit);
    double *row = darc_calloc((size_t)n, sizeof *row);
    name[0] = "t";
    unit[0] = "s";
    for (int j = 1; j < n; j++) {
        name[j] = table->signal[j - 1].name;
        unit[j] = table->signal[j - 1].unit;
    }
    darc_csvout *out = NULL;
    darc_status status = darc_csvout_open(&out, file, n, name, unit, err);
    assert(status != DARC_OK || out != NULL);
    /* Sample times of a whole rate read best as i / rate. */
    double rate = table->dt > 0 ? round(1 / table->dt) : 0;
    bool whole = table->time == NULL && table->t0 == 0 && rate > 0 &&
                 1 / rate == table->dt;
    for (size_t i = 0; i < table->samples && status == DARC_OK; i++) {
        row[0] = whole ? (double)i / rate : darc_table_time(table, i);
        for (int j = 1; j < n; j++)
            row[j] = table->signal[j - 1].value[i];
        darc_csvout_row(out, row);
    }
    if (status == DARC_OK)
        status = darc_csvout_close(out, err);
    darc_free((void *)name);
    darc_free((void *)unit);
    darc_free(row);
    return status;
}
