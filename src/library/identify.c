#include "darc/identify.h"

#include "base/mem.h"
#include "identify/identify.h"
#include "identify/isolable.h"
#include "report/identify_report.h"
#include "session/options.h"

#include <string.h>

/* What was found. */
typedef struct {
    darc_identified shown; /* first: what the caller sees */
    darc_options options;  /* a copy */
    const darc_budget *budget;
    const darc_model *model;
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t table;
    bool has_io, has_id, has_table;
    darc_text_t text;
} findings;

/* Products of terms within which io-equations are expanded: hundredths of a
 * second; and where that would bring more, some seconds. */
#define EXPANDED_WORK 2e5
#define MORE_WORK 1e8

/* Find the equations: by the engine asked for, or expanded within `work` if
 * that is possible, else their monomials. */
static darc_status find_equations(darc_ioeqs_t io, const findings *f,
                                  double work, darc_err *err)
{
    const darc_options *o = &f->options;
    const darc_names_struct *names = darc_model_names(f->model);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, f->model);
    darc_status status = DARC_OK;
    if (darc_option_given(o, DARC_OPT_RANKING))
        status = darc_ranking_set_text(
            rk, darc_option_text(o, DARC_OPT_RANKING), names, err);
    if (status == DARC_OK)
        status = darc_option_given(o, DARC_OPT_ENGINE)
                     ? darc_ioeqs_init(
                           io, f->model, rk,
                           (darc_engine)darc_option_choice(o, DARC_OPT_ENGINE),
                           f->budget, err)
                     : darc_ioeqs_init_within(io, f->model, rk, work, f->budget,
                                              err);
    darc_ranking_clear(rk);
    return status;
}

static void put(darc_text_t out, const findings *f, bool json)
{
    darc_identify_report report = {
        darc_model_name(f->model), darc_model_file(f->model),
        f->has_io ? f->io : NULL, f->id, f->has_table ? f->table : NULL};
    if (json)
        darc_identify_json(out, &report);
    else
        darc_identify_text(out, &report);
}

/* Hand over what is known as the partial result. */
static void reach(const findings *f)
{
    const char *json = darc_option_text(&f->options, DARC_OPT_JSON);
    darc_text_t out;
    darc_text_init(out);
    put(out, f, json != NULL && strcmp(json, "-") == 0);
    darc_budget_partial(f->budget, out->s);
    darc_text_clear(out);
}

/* Hand over ranks, which cost milliseconds. */
static void reach_ranks(findings *f)
{
    darc_err ignored;
    darc_err_init(&ignored);
    if (darc_identification_init_local(f->id, f->model, f->budget, &ignored) !=
        DARC_OK)
        return;
    reach(f);
    darc_identification_clear(f->id);
}

static bool all_expanded(const darc_ioeqs_t io)
{
    for (int i = 0; i < io->count; i++)
        if (!io->eq[i].expanded)
            return false;
    return true;
}

/* Values did not show all functions: expand the equations where that takes
 * seconds, and find the functions again. */
static darc_status look_again(findings *f, darc_err *err)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_status status = find_equations(io, f, MORE_WORK, err);
    if (status != DARC_OK)
        return status;
    if (!all_expanded(io)) {
        darc_ioeqs_clear(io);
        return DARC_OK;
    }
    darc_ioeqs_clear(f->io);
    f->io[0] = io[0];
    status =
        darc_identification_init_field(id, f->io, f->model, f->budget, err);
    if (status == DARC_OK) {
        darc_identification_clear(f->id);
        f->id[0] = id[0];
        reach(f);
    }
    return status;
}

static darc_status find(findings *f, darc_err *err)
{
    darc_status status;
    reach_ranks(f);
    DARC_TRY(find_equations(f->io, f, EXPANDED_WORK, err));
    f->has_io = true;
    DARC_TRY(
        darc_identification_init_field(f->id, f->io, f->model, f->budget, err));
    f->has_id = true;
    reach(f);
    if (!f->id->complete && !all_expanded(f->io))
        DARC_TRY(look_again(f, err));
    DARC_TRY(darc_identification_shorten(f->id, f->budget, err));
    reach(f);
    if (f->id->complete)
        DARC_TRY(darc_isolability_init(f->table, f->id, f->budget, err));
    f->has_table = f->id->complete;
done:
    return status;
}

/* ---- what the caller sees ----------------------------------------------- */

/* The sets of others that explain a change of variable v. */
static void show_explanations(darc_identified_parameter *to, const findings *f,
                              slong v)
{
    const darc_change_sets *of = f->table->of + v;
    darc_name_list *list = darc_calloc((size_t)of->count, sizeof *list);
    for (slong i = 0; i < of->count; i++) {
        const char **name = darc_calloc((size_t)f->id->vars, sizeof *name);
        list[i].name = name;
        for (slong u = 0; u < f->id->vars; u++)
            if (of->set[i][u])
                name[list[i].count++] = f->id->name[u];
    }
    to->seen = f->table->seen[v];
    to->explanations = (int)of->count;
    to->explained_by = list;
}

static void show(findings *f)
{
    const darc_identification_struct *id = f->id;
    size_t functions = (size_t)id->count, vars = (size_t)id->vars;
    const char **function = darc_calloc(functions, sizeof *function);
    for (slong k = 0; k < id->count; k++) {
        darc_text_t t;
        darc_text_init(t);
        darc_identification_print(t, id, k);
        function[k] = darc_text_take(t);
        darc_text_clear(t);
    }
    darc_identified_parameter *list = darc_calloc(vars, sizeof *list);
    for (slong v = 0; v < id->vars; v++) {
        list[v] = (darc_identified_parameter){.name = id->name[v],
                                              .identifiable = id->parameter[v],
                                              .confirmed = id->confirmed[v]};
        if (f->has_table)
            show_explanations(&list[v], f, v);
    }
    f->shown = (darc_identified){.functions = (int)id->count,
                                 .function = function,
                                 .complete = id->complete,
                                 .rank = (int)id->dimension,
                                 .parameters = (int)id->vars,
                                 .parameter = list};
}

darc_status darc_identify(darc_identified **found, const darc_model *model,
                          const darc_options *options,
                          const darc_budget *budget, darc_err *err)
{
    findings *f = darc_calloc(1, sizeof *f);
    darc_options_copy(&f->options, options, DARC_CMD_IDENTIFY);
    f->budget = budget;
    f->model = model;
    darc_text_init(f->text);
    darc_status status = find(f, err);
    if (status != DARC_OK) {
        darc_identified_free(&f->shown);
        return status;
    }
    show(f);
    *found = &f->shown;
    return DARC_OK;
}

void darc_identified_free(darc_identified *found)
{
    findings *f = (findings *)found;
    if (f == NULL)
        return;
    for (int v = 0; v < found->parameters; v++) {
        const darc_identified_parameter *p = &found->parameter[v];
        for (int i = 0; i < p->explanations; i++)
            darc_free((void *)p->explained_by[i].name);
        darc_free((void *)p->explained_by);
    }
    for (int k = 0; k < found->functions; k++)
        darc_free((void *)found->function[k]);
    darc_free((void *)found->parameter);
    darc_free((void *)found->function);
    if (f->has_table)
        darc_isolability_clear(f->table);
    if (f->has_id)
        darc_identification_clear(f->id);
    if (f->has_io)
        darc_ioeqs_clear(f->io);
    darc_options_clear(&f->options);
    darc_text_clear(f->text);
    darc_free(f);
}

const char *darc_identified_text(darc_identified *found, const char *format)
{
    findings *f = (findings *)found;
    bool json = strcmp(format, "json") == 0;
    if (!json && strcmp(format, "text") != 0)
        return NULL;
    darc_text_reset(f->text);
    put(f->text, f, json);
    return f->text->s;
}
