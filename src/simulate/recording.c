#include "simulate/recording.h"

#include "base/mem.h"
#include "data/csvout.h"

#include <math.h>

/* Sample times of a whole rate read best as i / rate. */
static double time_of(const darc_table *table, size_t i)
{
    if (table->time == NULL && table->t0 == 0 && table->dt > 0) {
        double rate = round(1 / table->dt);
        if (rate > 0 && 1 / rate == table->dt)
            return (double)i / rate;
    }
    return darc_table_time(table, i);
}

darc_status darc_recording_write(const darc_table *table, const char *file,
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
    for (size_t i = 0; i < table->samples && status == DARC_OK; i++) {
        row[0] = time_of(table, i);
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
