/* cmd_identify.c - darc identify: what measurements can tell apart. */
#include "commands/command.h"
#include "commands/results.h"
#include "commands/thresholds.h"
#include "eliminate/eliminate.h"
#include "identify/identify.h"
#include "identify/isolable.h"
#include "report/identify_report.h"

#include <stdio.h>

/* What the command found. */
typedef struct {
    const darc_options *o;
    const darc_budget *budget;
    darc_model *model;
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t table;
    bool has_io, has_id, has_table;
} findings;

/* Find the equations: by the engine asked for, or expanded within `work` if
 * that is possible, else their monomials. */
static darc_status find_equations(darc_ioeqs_t io, const findings *f,
                                  double work, darc_err *err)
{
    const darc_options *o = f->o;
    const darc_names_struct *names = darc_model_names(f->model);
    darc_engine engine = (darc_engine)darc_option_choice(o, DARC_OPT_ENGINE);
    darc_status status = DARC_OK;
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, f->model);
    if (darc_option_given(o, DARC_OPT_RANKING))
        DARC_TRY(darc_ranking_set_text(
            rk, darc_option_text(o, DARC_OPT_RANKING), names, err));
    status =
        darc_option_given(o, DARC_OPT_ENGINE)
            ? darc_ioeqs_init(io, f->model, rk, engine, f->budget, err)
            : darc_ioeqs_init_within(io, f->model, rk, work, f->budget, err);
done:
    darc_ranking_clear(rk);
    return status;
}

static darc_identify_report report_of(const findings *f)
{
    return (darc_identify_report){
        darc_model_name(f->model), darc_model_file(f->model),
        f->has_io ? f->io : NULL, f->id, f->has_table ? f->table : NULL};
}

/* Hand over what is known as the partial result. */
static void reach(const findings *f)
{
    darc_text_t out;
    darc_text_init(out);
    darc_identify_report report = report_of(f);
    if (darc_results_take_stdout(f->o))
        darc_identify_json(out, &report);
    else
        darc_identify_text(out, &report);
    darc_budget_partial(f->budget, out->s);
    darc_text_clear(out);
}

/* Hand over ranks, which cost milliseconds. */
static void reach_ranks(findings *f)
{
    if (darc_identification_init_local(f->id, f->model, f->budget, NULL) !=
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
    darc_status status = find_equations(io, f, DARC_MORE_WORK, err);
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
    DARC_NEED(darc_model_read(&f->model, f->o->operand[0], err));
    reach_ranks(f);
    DARC_NEED(find_equations(f->io, f, DARC_EXPANDED_WORK, err));
    f->has_io = true;
    DARC_NEED(
        darc_identification_init_field(f->id, f->io, f->model, f->budget, err));
    f->has_id = true;
    reach(f);
    if (!f->id->complete && !all_expanded(f->io))
        DARC_NEED(look_again(f, err));
    DARC_NEED(darc_identification_shorten(f->id, f->budget, err));
    reach(f);
    if (f->id->complete)
        DARC_NEED(darc_isolability_init(f->table, f->id, f->budget, err));
    f->has_table = f->id->complete;
    return DARC_OK;
}

static void findings_clear(findings *f)
{
    if (f->has_table)
        darc_isolability_clear(f->table);
    if (f->has_id)
        darc_identification_clear(f->id);
    if (f->has_io)
        darc_ioeqs_clear(f->io);
    darc_model_free(f->model);
}

darc_status darc_cmd_identify(int *code, const darc_options *o,
                              const darc_budget *budget, darc_err *err)
{
    (void)code;
    darc_status status;
    findings f = {.o = o, .budget = budget};
    darc_text_t out;
    darc_text_init(out);
    DARC_TRY(find(&f, err));
    darc_identify_report report = report_of(&f);
    if (!darc_results_take_stdout(o))
        darc_identify_text(out, &report);
    fputs(out->s, stdout);
    darc_text_reset(out);
    darc_identify_json(out, &report);
    status = darc_results_write(out, o, DARC_OPT_JSON, err);
done:
    darc_text_clear(out);
    findings_clear(&f);
    return status;
}
