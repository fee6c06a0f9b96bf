#include "base/mem.h"
#include "cli/options.h"
#include "darc.h"
#include "eliminate/eliminate.h"
#include "identify/identify.h"
#include "identify/isolable.h"
#include "report/identify_report.h"

#include <stdio.h>
#include <string.h>

/* What the command found. */
typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t table;
    bool has_io, has_id, has_table;
} findings;

static darc_engine engine_option(const darc_options *o)
{
    static const char *const list[] = {"auto", "general", "project", "linear"};
    static const darc_engine engine[] = {DARC_ENGINE_AUTO, DARC_ENGINE_GENERAL,
                                         DARC_ENGINE_PROJECT,
                                         DARC_ENGINE_LINEAR};
    int i = 0;
    while (strcmp(darc_option_text(o, DARC_OPT_ENGINE), list[i]) != 0)
        i++;
    return engine[i];
}

/* Products of terms within which io-equations are expanded: hundredths of a
 * second; and where that would bring more, some seconds. */
#define EXPANDED_WORK 2e5
#define MORE_WORK 1e8

/* Find the equations: by the engine asked for, or expanded within `work` if
 * that is possible, else their monomials. */
static darc_status find_equations(darc_ioeqs_t io, const findings *f,
                                  const darc_options *o, double work,
                                  const darc_budget *budget, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(f->model);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, f->model);
    darc_status status = DARC_OK;
    if (darc_option_given(o, DARC_OPT_RANKING))
        status = darc_ranking_set_text(
            rk, darc_option_text(o, DARC_OPT_RANKING), names, err);
    if (status == DARC_OK)
        status =
            darc_option_given(o, DARC_OPT_ENGINE)
                ? darc_ioeqs_init(io, f->model, rk, engine_option(o), budget,
                                  err)
                : darc_ioeqs_init_within(io, f->model, rk, work, budget, err);
    darc_ranking_clear(rk);
    return status;
}

/* Hand over what is known as the partial result. */
static void reach(const findings *f, const darc_options *o,
                  const darc_budget *budget)
{
    darc_text_t out;
    darc_text_init(out);
    darc_identify_report report = {darc_model_name(f->model),
                                   darc_model_file(f->model),
                                   f->has_io ? f->io : NULL, f->id, NULL};
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    if (json != NULL && strcmp(json, "-") == 0)
        darc_identify_json(out, &report);
    else
        darc_identify_text(out, &report);
    darc_budget_partial(budget, out->s);
    darc_text_clear(out);
}

/* Hand over ranks, which cost milliseconds. */
static void reach_ranks(findings *f, const darc_options *o,
                        const darc_budget *budget)
{
    darc_err ignored;
    darc_err_init(&ignored);
    if (darc_identification_init_local(f->id, f->model, budget, &ignored) !=
        DARC_OK)
        return;
    reach(f, o, budget);
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
static darc_status look_again(findings *f, const darc_options *o,
                              const darc_budget *budget, darc_err *err)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_status status = find_equations(io, f, o, MORE_WORK, budget, err);
    if (status != DARC_OK)
        return status;
    if (!all_expanded(io)) {
        darc_ioeqs_clear(io);
        return DARC_OK;
    }
    darc_ioeqs_clear(f->io);
    f->io[0] = io[0];
    status = darc_identification_init_field(id, f->io, f->model, budget, err);
    if (status == DARC_OK) {
        darc_identification_clear(f->id);
        f->id[0] = id[0];
        reach(f, o, budget);
    }
    return status;
}

static darc_status find(findings *f, const darc_options *o,
                        const darc_budget *budget, darc_err *err)
{
    darc_status status;
    DARC_TRY(darc_model_read(&f->model, o->operand[0], err));
    reach_ranks(f, o, budget);
    DARC_TRY(find_equations(f->io, f, o, EXPANDED_WORK, budget, err));
    f->has_io = true;
    DARC_TRY(
        darc_identification_init_field(f->id, f->io, f->model, budget, err));
    f->has_id = true;
    reach(f, o, budget);
    if (!f->id->complete && !all_expanded(f->io))
        DARC_TRY(look_again(f, o, budget, err));
    DARC_TRY(darc_identification_shorten(f->id, budget, err));
    reach(f, o, budget);
    if (f->id->complete)
        DARC_TRY(darc_isolability_init(f->table, f->id, budget, err));
    f->has_table = f->id->complete;
done:
    return status;
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

static int write_json(const darc_text_t out, const char *file, darc_err *err)
{
    if (strcmp(file, "-") == 0) {
        fwrite(out->s, 1, out->len, stdout);
        return DARC_EXIT_CONSISTENT;
    }
    FILE *to = fopen(file, "w");
    bool ok = to != NULL && fwrite(out->s, 1, out->len, to) == out->len;
    ok = to != NULL && fclose(to) == 0 && ok;
    if (ok)
        return DARC_EXIT_CONSISTENT;
    darc_fail(err, DARC_IO, "%s: cannot be written", file);
    return darc_cli_fail(err);
}

int darc_cmd_identify(const darc_options *o, const darc_budget *budget)
{
    darc_err err;
    darc_err_init(&err);
    findings f;
    memset(&f, 0, sizeof f);
    if (find(&f, o, budget, &err) != DARC_OK) {
        findings_clear(&f);
        return darc_cli_fail(&err);
    }
    darc_identify_report report = {darc_model_name(f.model),
                                   darc_model_file(f.model), f.io, f.id,
                                   f.has_table ? f.table : NULL};
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    int code = DARC_EXIT_CONSISTENT;
    darc_text_t out;
    darc_text_init(out);
    if (json == NULL || strcmp(json, "-") != 0) {
        darc_identify_text(out, &report);
        fwrite(out->s, 1, out->len, stdout);
        darc_text_reset(out);
    }
    if (json != NULL) {
        darc_identify_json(out, &report);
        code = write_json(out, json, &err);
    }
    darc_text_clear(out);
    findings_clear(&f);
    return code;
}
