/* cmd_simulate.c - darc simulate: make a recording from a model. */
#include "base/mem.h"
#include "commands/command.h"
#include "commands/results.h"
#include "data/csvout.h"
#include "model/derived.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <string.h>

/* Set p to the lines "u=SIGNAL" of --input, or "SIGNAL" of the only input.
 * A signal contains commas, so that these are no pairs of the ordinary
 * kind. */
static void read_inputs(darc_pairs *p, const char *text)
{
    *p = (darc_pairs){0};
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, "\n"), name = strcspn(text, "=");
        size_t begin = name < n ? name + 1 : 0;
        darc_pairs_append(p, text, name < n ? name : 0, text + begin,
                          n - begin);
        text += n + (text[n] == '\n');
    }
}

/* Give the input without a name the name of the only input of model. */
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
        if (p->name[i][0] != '\0')
            continue;
        if (inputs != 1)
            return darc_fail(err, DARC_MODEL,
                             "--input: expected NAME=SIGNAL, not '%s': the "
                             "model has %d inputs",
                             p->value[i], inputs);
        darc_free(p->name[i]);
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
        darc_settings kept_names = settings(&list);
        bool keep = darc_settings_find(&kept_names, s.name) >= 0;
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

static darc_status simulate(const darc_options *o, darc_simulate_options *so,
                            darc_pairs *input, const darc_budget *budget,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_model *model = NULL;
    darc_table *table = NULL;
    const char *file = darc_option_text(o, DARC_OPT_OUTPUT);
    DARC_TRY(darc_model_read_for_simulation(&model, o->operand[0], err));
    darc_results_rewritten(o, model);
    DARC_TRY(name_input(input, model, err));
    so->input = settings(input);
    DARC_TRY(darc_simulate(&table, model, so, budget, err));
    DARC_TRY(keep_signals(table, o, err));
    DARC_TRY(darc_csvout_table(table, file, err));
    if (!darc_option_given(o, DARC_OPT_QUIET))
        fprintf(stderr, "%s: %zu samples of %d signals\n", file, table->samples,
                table->signals);
done:
    darc_table_free(table);
    darc_model_free(model);
    return status;
}

darc_status darc_cmd_simulate(int *code, const darc_options *o,
                              const darc_budget *budget, darc_err *err)
{
    (void)code;
    darc_pairs param, init, input, map;
    darc_option_pairs(&param, o, DARC_OPT_PARAM);
    darc_option_pairs(&init, o, DARC_OPT_INIT);
    darc_option_pairs(&map, o, DARC_OPT_MAP);
    read_inputs(&input, darc_option_text(o, DARC_OPT_INPUT));
    darc_simulate_options so;
    darc_simulate_options_init(&so);
    so.param = settings(&param);
    so.init = settings(&init);
    so.map = settings(&map);
    so.t_end = darc_option_real(o, DARC_OPT_T_END);
    so.rate = darc_option_real(o, DARC_OPT_SIM_RATE);
    so.noise = darc_option_real(o, DARC_OPT_SIM_NOISE);
    so.seed = (uint64_t)darc_option_whole(o, DARC_OPT_SEED);
    darc_status status = simulate(o, &so, &input, budget, err);
    darc_pairs_clear(&param);
    darc_pairs_clear(&init);
    darc_pairs_clear(&map);
    darc_pairs_clear(&input);
    return status;
}
