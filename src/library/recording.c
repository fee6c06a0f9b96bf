#include "library/recording.h"

#include "base/mem.h"
#include "data/table.h"
#include "report/survey.h"
#include "session/session.h"
#include "session/settings.h"

#include <string.h>

darc_recording *darc_recording_take(darc_table *table)
{
    darc_recording *r = darc_calloc(1, sizeof *r);
    size_t n = (size_t)table->signals;
    const char **name = darc_calloc(n, sizeof *name);
    const char **unit = darc_calloc(n, sizeof *unit);
    const double **value = darc_calloc(n, sizeof *value);
    for (size_t k = 0; k < n; k++) {
        name[k] = table->signal[k].name;
        unit[k] = table->signal[k].unit;
        value[k] = table->signal[k].value;
    }
    r->table = table;
    r->samples = (darc_samples){.name = table->file,
                                .samples = table->samples,
                                .time = table->time,
                                .t0 = table->t0,
                                .rate = table->dt > 0 ? 1 / table->dt : 0,
                                .signals = table->signals,
                                .signal = name,
                                .unit = unit,
                                .value = value};
    darc_text_init(r->text);
    return r;
}

darc_status darc_recording_read(darc_recording **recording, const char *file,
                                const darc_options *options, darc_err *err)
{
    darc_asked c;
    darc_table *table;
    darc_status status = darc_asked_init(&c, NULL, options, DARC_CMD_DATA, err);
    if (status != DARC_OK)
        return status;
    status = darc_table_load(&table, file, &c.set.load, err);
    if (status == DARC_OK)
        *recording = darc_recording_take(table);
    darc_asked_clear(&c);
    return status;
}

darc_status darc_recording_new(darc_recording **recording,
                               const darc_samples *samples, darc_err *err)
{
    darc_table *table;
    darc_status status = darc_table_from_samples(&table, samples, err);
    if (status == DARC_OK)
        *recording = darc_recording_take(table);
    return status;
}

void darc_recording_free(darc_recording *r)
{
    if (r == NULL)
        return;
    darc_table_free(r->table);
    darc_free((void *)r->samples.signal);
    darc_free((void *)r->samples.unit);
    darc_free((void *)r->samples.value);
    darc_text_clear(r->text);
    darc_free(r);
}

const darc_samples *darc_recording_samples(const darc_recording *recording)
{
    return &recording->samples;
}

darc_status darc_recording_save(const darc_recording *recording,
                                const char *file, darc_err *err)
{
    return darc_csvout_table(recording->table, file, err);
}

const char *darc_recording_text(darc_recording *r, const char *format)
{
    bool json = strcmp(format, "json") == 0;
    if (!json && strcmp(format, "text") != 0)
        return NULL;
    darc_survey s;
    darc_survey_init(&s, r->table);
    darc_text_reset(r->text);
    if (json)
        darc_survey_json(r->text, &s, 1, "");
    else
        darc_survey_print(r->text, &s);
    darc_survey_clear(&s);
    return r->text->s;
}

darc_status darc_session_add(darc_session *s, const darc_recording *recording,
                             darc_err *err)
{
    darc_table *copy;
    darc_status status =
        darc_table_from_samples(&copy, &recording->samples, err);
    return status == DARC_OK ? darc_session_add_take(s, copy, err) : status;
}
