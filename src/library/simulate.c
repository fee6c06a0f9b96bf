#include "darc/simulate.h"

#include "base/mem.h"
#include "library/recording.h"
#include "model/model.h"
#include "session/options.h"
#include "simulate/simulate.h"

/* A signal alone ('SIGNAL', no "u=SIGNAL") is that of the only input of the
 * model. */
static darc_status name_input(darc_pairs *p, const darc_model *model,
                              darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    int inputs = 0, last = -1;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_INPUT &&
            darc_derived_find(model, u) < 0) {
            inputs++;
            last = u;
        }
    for (int i = 0; i < p->count; i++) {
        if (p->value[i][0] != '\0')
            continue;
        if (inputs != 1)
            return darc_fail(err, DARC_MODEL,
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
            status = darc_fail(err, DARC_MODEL,
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
        darc_free(s->name);
        darc_free(s->unit);
        darc_free(s->value);
    }
    darc_pairs_clear(&list);
    return status;
}

darc_status darc_recording_simulate(darc_recording **recording,
                                    const darc_model *model,
                                    const darc_options *options,
                                    const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_options o;
    darc_pairs param, init, input, map;
    darc_simulate_options so;
    darc_table *table = NULL;
    darc_model *own = NULL;
    darc_options_copy(&o, options, DARC_CMD_SIMULATE);
    darc_simulate_options_init(&so);
    if (darc_option_given(&o, DARC_OPT_T_END))
        so.t_end = darc_option_real(&o, DARC_OPT_T_END);
    so.rate = darc_option_real(&o, DARC_OPT_SIM_RATE);
    so.noise = darc_option_real(&o, DARC_OPT_SIM_NOISE);
    so.seed = (uint64_t)darc_option_whole(&o, DARC_OPT_SEED);
    darc_option_pairs(&param, &o, DARC_OPT_PARAM);
    darc_option_pairs(&init, &o, DARC_OPT_INIT);
    darc_option_pairs(&map, &o, DARC_OPT_MAP);
    darc_option_pairs(&input, &o, DARC_OPT_INPUT);
    so.param = settings(&param);
    so.init = settings(&init);
    so.map = settings(&map);
    DARC_TRY(darc_model_driven(&own, model, NULL, err));
    DARC_TRY(name_input(&input, own, err));
    so.input = settings(&input);
    DARC_TRY(darc_simulate(&table, own, &so, budget, err));
    DARC_TRY(keep_signals(table, &o, err));
    *recording = darc_recording_take(table);
    table = NULL;
done:
    darc_table_free(table);
    darc_model_free(own);
    darc_pairs_clear(&param);
    darc_pairs_clear(&init);
    darc_pairs_clear(&map);
    darc_pairs_clear(&input);
    darc_options_clear(&o);
    return status;
}
