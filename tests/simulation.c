#include "simulation.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

darc_model *simulation_parse(const char *text)
{
    darc_err err;
    darc_err_init(&err);
    darc_model *model = NULL;
    darc_status status =
        darc_model_parse_printed(&model, text, strlen(text), "test",
                                 &(darc_reading){.simulated = true}, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return model;
}

darc_settings simulation_settings(simulation_words *w, const char *text)
{
    int n = 0;
    snprintf(w->text, sizeof w->text, "%s", text);
    for (char *s = strtok(w->text, " "); s != NULL; s = strtok(NULL, " ")) {
        char *equals = strchr(s, '=');
        *equals = '\0';
        w->name[n] = s;
        w->value[n++] = equals + 1;
    }
    return (darc_settings){n, w->name, w->value};
}

darc_status simulation_run(darc_table **table, const simulation *j,
                           darc_err *err)
{
    darc_model *model = simulation_parse(j->model);
    simulation_words p, i, u;
    darc_simulate_options o;
    darc_simulate_options_init(&o);
    o.param = simulation_settings(&p, j->param);
    o.init = simulation_settings(&i, j->init);
    o.input = simulation_settings(&u, j->input);
    o.t_end = j->t_end;
    o.rate = j->rate;
    o.noise = j->noise;
    o.seed = j->seed;
    if (j->rtol > 0)
        o.rtol = j->rtol;
    darc_status status = darc_simulate(table, model, &o, NULL, err);
    darc_model_free(model);
    return status;
}

darc_table *simulation_make(const simulation *j)
{
    darc_err err;
    darc_err_init(&err);
    darc_table *table;
    darc_status status = simulation_run(&table, j, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return table;
}

void simulation_refuse(const simulation *j, darc_status status,
                       const char *message)
{
    darc_err err;
    darc_err_init(&err);
    darc_table *table;
    ck_assert_int_eq(simulation_run(&table, j, &err), status);
    ck_assert_ptr_null(table);
    ck_assert_str_eq(err.message, message);
}
