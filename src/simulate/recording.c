#include "simulate/recording.h"

#include "darc/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void append_header(darc_text_t line, const darc_table *table)
{
    darc_text_puts(line, "t [s]");
    for (int j = 0; j < table->signals; j++) {
        const darc_signal *s = table->signal + j;
        darc_text_printf(line, s->unit[0] != '\0' ? ",%s [%s]" : ",%s", s->name,
                         s->unit);
    }
    darc_text_putc(line, '\n');
}

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

static void append_row(darc_text_t line, const darc_table *table, size_t i)
{
    darc_text_double(line, time_of(table, i));
    for (int j = 0; j < table->signals; j++) {
        darc_text_putc(line, ',');
        darc_text_double(line, table->signal[j].value[i]);
    }
    darc_text_putc(line, '\n');
}

darc_status darc_recording_write(const darc_table *table, const char *file,
                                 darc_err *err)
{
    FILE *to = strcmp(file, "-") == 0 ? stdout : fopen(file, "w");
    if (to == NULL)
        return darc_fail(err, DARC_IO, "%s: %s", file, strerror(errno));
    darc_text_t line;
    darc_text_init(line);
    append_header(line, table);
    size_t written = fwrite(line->s, 1, line->len, to);
    int bad = written != line->len;
    for (size_t i = 0; i < table->samples && !bad; i++) {
        darc_text_reset(line);
        append_row(line, table, i);
        bad = fwrite(line->s, 1, line->len, to) != line->len;
    }
    darc_text_clear(line);
    bad |= to == stdout ? fflush(to) != 0 : fclose(to) != 0;
    if (bad)
        return darc_fail(err, DARC_IO, "%s: cannot write: %s", file,
                         strerror(errno));
    return DARC_OK;
}
