#include "library/recording.h"

#include "base/attempt.h"
#include "base/carrier.h"
#include "base/mem.h"
#include "darc/simulate.h"
#include "data/part.h"
#include "model/model.h"
#include "report/survey.h"
#include "session/settings.h"
#include "session/state.h"
#include "simulate/simulate.h"

#include <assert.h>
#include <string.h>

/* Return a recording that owns the table. */
static darc_recording *recording_take(darc_table *table)
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

static darc_status read_file(darc_recording **recording, const char *file,
                             const darc_options *options, darc_err *err)
{
    darc_asked c;
    darc_table *table;
    darc_status status = darc_asked_init(&c, NULL, options, DARC_CMD_DATA, err);
    if (status != DARC_OK)
        return status;
    if (c.set.load.each != NULL)
        status = darc_fail(err, DARC_USAGE,
                           "--each gives several recordings; "
                           "FILE[COLUMN=VALUE] is one of them");
    else
        status = darc_table_load(&table, file, &c.set.load, err);
    if (status == DARC_OK)
        *recording = recording_take(table);
    darc_asked_clear(&c);
    return status;
}

static darc_status list_parts(darc_parts **parts, const char *file,
                              const char *column, darc_err *err)
{
    darc_parts *p = darc_calloc(1, sizeof *p);
    darc_status status = darc_parts_add(p, file, column, err);
    if (status == DARC_OK)
        *parts = p;
    else
        darc_parts_free(p);
    return status;
}

darc_status darc_parts_new(darc_parts **parts, const char *file,
                           const char *column, darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, list_parts(parts, file, column, err), err);
    return status;
}

void darc_parts_free(darc_parts *parts)
{
    if (parts != NULL)
        darc_parts_clear(parts);
    darc_free(parts);
}

int darc_parts_count(const darc_parts *parts)
{
    return parts->count;
}

const char *darc_parts_name(const darc_parts *parts, int i)
{
    assert(i >= 0 && i < parts->count);
    return parts->name[i];
}

static darc_status copy(darc_recording **recording, const darc_samples *samples,
                        darc_err *err)
{
    darc_table *table;
    darc_status status = darc_table_from_samples(&table, samples, err);
    if (status == DARC_OK)
        *recording = recording_take(table);
    return status;
}

darc_status darc_recording_read(darc_recording **recording, const char *file,
                                const darc_options *options, darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, read_file(recording, file, options, err), err);
    return status;
}

darc_status darc_recording_new(darc_recording **recording,
                               const darc_samples *samples, darc_err *err)
{
    darc_status status;
    DARC_ATTEMPT(status, copy(recording, samples, err), err);
    return status;
}

void darc_recording_free(darc_recording *r)
{
    if (r == NULL)
        return;
    if (r->bytes == NULL)
        darc_table_free(r->table);
    darc_apart_free(r->bytes);
    DARC_FREE((void *)r->samples.signal, (void *)r->samples.unit,
              (void *)r->samples.value);
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
    darc_status status;
    DARC_ATTEMPT(status, darc_csvout_table(recording->table, file, err), err);
    return status;
}

static void put_survey(darc_text_t out, void *what, const char *format)
{
    const darc_recording *r = what;
    darc_survey s;
    darc_survey_init(&s, r->table);
    if (*format == 'j')
        darc_survey_json(out, &s, 1, "");
    else
        darc_survey_print(out, &s);
    darc_survey_clear(&s);
}

const char *darc_recording_text(darc_recording *r, const char *format)
{
    bool known = strcmp(format, "json") == 0 || strcmp(format, "text") == 0;
    return known ? darc_text_attempt(r->text, put_survey, r, format) : NULL;
}

darc_status darc_session_add(darc_session *s, const darc_recording *recording,
                             darc_err *err)
{
    return darc_session_add_samples(s, &recording->samples, err);
}

/* A signal alone ('SIGNAL', no "u=SIGNAL") is that of the only input of the
 * model. */
static darc_status name_input(darc_pairs *p, const darc_model *model,
                              darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    int inputs = 0, last = -1;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_INPUT &&
            darc_derived_expr(model, u) == NULL) {
            inputs++;
            last = u;
        }
    for (int i = 0; i < p->count; i++) {
        if (p->value[i][0] != '\0')
            continue;
        if (inputs != 1)
            return darc_fail(err, DARC_USAGE,
                             "--input: expected NAME=SIGNAL, not '%s': the "
                             "model has %d inputs",
                             p->name[i], inputs);
        darc_free(p->value[i]);
        p->value[i] = p->name[i];
        p->name[i] = darc_strdup(names->symbol[last].name);
    }
    return DARC_OK;
}

static darc_settings settings(const darc_pairs *p)
{
    return (darc_settings){p->count, (const char *const *)p->name,
                           (const char *const *)p->value};
}

/* Drop the signals that --keep does not list. */
static darc_status keep_signals(darc_table *table, const darc_options *o,
                                darc_err *err)
{
    if (!darc_option_given(o, DARC_OPT_SIM_KEEP))
        return DARC_OK;
    darc_status status = DARC_OK;
    darc_pairs list;
    darc_option_pairs(&list, o, DARC_OPT_SIM_KEEP);
    for (int i = 0; i < list.count && status == DARC_OK; i++)
        if (darc_table_find(table, list.name[i]) < 0)
            status = darc_fail(err, DARC_USAGE,
                               "--keep: the model has no input or output '%s'",
                               list.name[i]);
    int kept = 0;
    for (int j = 0; j < table->signals && status == DARC_OK; j++) {
        darc_signal s = table->signal[j];
        bool keep = darc_pairs_has(&list, s.name);
        table->signal[j] = table->signal[kept];
        table->signal[kept] = s;
        kept += keep;
    }
    for (; status == DARC_OK && table->signals > kept; table->signals--) {
        darc_signal *s = table->signal + table->signals - 1;
        DARC_FREE(s->name, s->unit, s->value);
    }
    darc_pairs_clear(&list);
    return status;
}

typedef struct {
    const darc_model *model;
    const darc_options *options;
} question;

static darc_status simulate(darc_table **out, const question *q,
                            const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_options o;
    static const darc_option_id id[] = {DARC_OPT_PARAM, DARC_OPT_INIT,
                                        DARC_OPT_MAP, DARC_OPT_INPUT};
    darc_pairs p[4];
    darc_simulate_options so;
    darc_table *table = NULL;
    darc_model *own = NULL;
    darc_options_copy(&o, q->options, DARC_CMD_SIMULATE);
    darc_simulate_options_init(&so);
    if (darc_option_given(&o, DARC_OPT_T_END))
        so.t_end = darc_option_real(&o, DARC_OPT_T_END);
    so.rate = darc_option_real(&o, DARC_OPT_SIM_RATE);
    so.noise = darc_option_real(&o, DARC_OPT_SIM_NOISE);
    so.seed = (uint64_t)darc_option_whole(&o, DARC_OPT_SEED);
    for (int i = 0; i < 4; i++)
        darc_option_pairs(&p[i], &o, id[i]);
    so.param = settings(&p[0]);
    so.init = settings(&p[1]);
    so.map = settings(&p[2]);
    DARC_TRY(darc_model_driven(&own, q->model, NULL, err));
    DARC_TRY(name_input(&p[3], own, err));
    so.input = settings(&p[3]);
    DARC_TRY(darc_simulate(&table, own, &so, budget, err));
    DARC_TRY(keep_signals(table, &o, err));
    *out = table;
    table = NULL;
done:
    darc_table_free(table);
    darc_model_free(own);
    DARC_ALL(darc_pairs_clear, p, 4);
    darc_options_clear(&o);
    return status;
}

static void carry_table(darc_carrier *c, darc_table **table)
{
    darc_carry(c, table, sizeof **table);
    darc_table *t = *table;
    size_t n = t->samples * sizeof(double);
    assert(t->spool == NULL && t->absents == 0 && t->derivations == 0);
    darc_carry_text(c, (void *)&t->file);
    if (t->time != NULL)
        darc_carry(c, &t->time, n);
    DARC_CARRY_WITH(c, t->signal, t->signals, name, unit);
    for (int k = 0; k < t->signals; k++)
        darc_carry(c, &t->signal[k].value, n);
    DARC_CARRY(c, t->segment, t->segments);
    darc_carry_texts(c, (void *)&t->remark, t->remarks);
}

static darc_status answer_simulation(darc_answer *a, void *user,
                                     const darc_budget *budget, darc_err *err)
{
    darc_table *table;
    DARC_NEED(simulate(&table, user, budget, err));
    carry_table(&(darc_carrier){.to = a}, &table);
    return DARC_OK;
}

static darc_status take(darc_recording **recording, const question *q,
                        char *bytes, const darc_budget *budget, darc_err *err)
{
    darc_table *table;
    if (bytes != NULL)
        carry_table(&(darc_carrier){.at = bytes}, &table);
    else
        DARC_NEED(simulate(&table, q, budget, err));
    darc_recording *r = recording_take(table);
    r->bytes = bytes;
    *recording = r;
    return DARC_OK;
}

/* In a child where that suits: SUNDIALS, too, may lack memory. */
darc_status darc_recording_simulate(darc_recording **recording,
                                    const darc_model *model,
                                    const darc_options *options,
                                    const darc_budget *budget, darc_err *err)
{
    char *volatile bytes = NULL;
    darc_status status = DARC_OK;
    question q = {model, options};
    if (darc_apart_suits(budget)) {
        size_t n;
        char *said;
        DARC_NEED(darc_apart(&said, &n, answer_simulation, &q, budget, err));
        bytes = said;
    }
    DARC_ATTEMPT(status, take(recording, &q, bytes, budget, err), err);
    if (status != DARC_OK)
        darc_apart_free(bytes);
    return status;
}
