#include "data/table.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Append "name [unit]", so that it reads back. */
static void put_name(darc_text_t line, const char *name, const char *unit)
{
    char *whole = unit[0] == '\0' ? darc_strdup(name)
                                  : darc_text_of("%s [%s]", name, unit);
    darc_text_cell(line, whole, ",;\t#", "");
    darc_free(whole);
}

/* Write the line and make it empty. */
static void end_line(darc_output *out, darc_text_t line)
{
    darc_text_putc(line, '\n');
    darc_output_write(out, line->s, line->len);
    darc_text_clear(line);
}

darc_status darc_csvout_open(darc_output **out, const char *file, int columns,
                             const char *const *name, const char *const *unit,
                             darc_err *err)
{
    darc_text_t line = DARC_TEXT;
    for (int i = 0; i < columns; i++)
        if (strpbrk(name[i], "\"\r\n") != NULL ||
            strpbrk(unit[i], "\"\r\n") != NULL)
            return darc_fail(err, DARC_DOMAIN,
                             "column %d: a quote or a newline in the name or "
                             "its unit",
                             i + 1);
    DARC_NEED(darc_output_open(out, file, err));
    for (int i = 0; i < columns; i++) {
        darc_text_puts(line, i > 0 ? "," : "");
        put_name(line, name[i], unit[i]);
    }
    end_line(*out, line);
    return DARC_OK;
}

void darc_csvout_row(darc_output *out, int columns, const double *value)
{
    darc_text_t line = DARC_TEXT;
    for (int i = 0; i < columns; i++) {
        if (i > 0)
            darc_text_putc(line, ',');
        if (!isnan(value[i]))
            darc_text_double(line, value[i]);
        else if (columns == 1) /* an empty line would be no row */
            darc_text_puts(line, "nan");
    }
    end_line(out, line);
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
    darc_output *out = NULL;
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
        darc_csvout_row(out, n, row);
    }
    if (status == DARC_OK)
        status = darc_output_close(out, err);
    DARC_FREE((void *)name, (void *)unit, row);
    return status;
}
