/* cmd_ask.c - commands that ask one question: of a model, or of recordings. */
#include "base/mem.h"
#include "base/output.h"
#include "cli/terminal.h"
#include "commands/check.h"
#include "darc/compare.h"
#include "darc/eliminate.h"
#include "darc/fulfil.h"
#include "darc/identify.h"
#include "darc/plan.h"
#include "darc/simulate.h"
#include "model/translate.h"
#include "report/survey.h"
#include "session/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int darc_cmd_eliminate(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    darc_elimination *e = NULL;
    darc_status status;
    DARC_TRY(darc_model_read(&model, o->operand[0], &err));
    darc_cli_show_rewritten(o, model);
    DARC_TRY(darc_eliminate(&e, model, o, budget, &err));
    const char *text =
        darc_elimination_text(e, darc_option_text(o, DARC_OPT_FORMAT));
    status = darc_output_file("-", text, strlen(text), &err);
done:
    darc_elimination_free(e);
    darc_model_free(model);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

int darc_cmd_identify(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    darc_identified *found = NULL;
    darc_status status;
    DARC_TRY(darc_model_read(&model, o->operand[0], &err));
    DARC_TRY(darc_identify(&found, model, o, budget, &err));
    DARC_TRY(darc_deliver(found, o, &err));
done:
    darc_identified_free(found);
    darc_model_free(model);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

int darc_cmd_plan(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    darc_planned *planned = NULL;
    darc_status status;
    DARC_TRY(darc_model_read(&model, o->operand[0], &err));
    darc_cli_show_rewritten(o, model);
    DARC_TRY(darc_plan(&planned, model, o, budget, &err));
    DARC_TRY(darc_deliver(planned, o, &err));
done:
    darc_planned_free(planned);
    darc_model_free(model);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

int darc_cmd_fulfil(const darc_options *o, const darc_budget *budget)
{
    static const int code[] = {DARC_EXIT_CONSISTENT, DARC_EXIT_INCONSISTENT,
                               DARC_EXIT_UNDECIDED};
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL, *target = NULL;
    darc_fulfilled *found = NULL;
    darc_status status;
    int exit_code = DARC_EXIT_LIMIT;
    DARC_TRY(darc_model_read(&model, o->operand[0], &err));
    DARC_TRY(darc_model_read(&target, o->operand[1], &err));
    darc_cli_show_rewritten(o, model);
    darc_cli_show_rewritten(o, target);
    DARC_TRY(darc_fulfil(&found, model, target, o, budget, &err));
    DARC_TRY(darc_deliver(found, o, &err));
    exit_code = code[found->verdict];
done:
    darc_fulfilled_free(found);
    darc_model_free(model);
    darc_model_free(target);
    return status == DARC_OK ? exit_code : darc_cli_fail(&err);
}

int darc_cmd_isolate(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_check c;
    darc_status status;
    darc_verdict verdict = DARC_UNDECIDED;
    DARC_TRY(darc_check_open(&c, o, 0, budget, &err));
    DARC_TRY(darc_session_isolate(c.session, &err));
    DARC_TRY(darc_deliver(c.session, o, &err));
    verdict = darc_session_verdict(c.session);
done:
    darc_check_close(&c);
    return status == DARC_OK ? darc_cli_exit_code(verdict)
                             : darc_cli_fail(&err);
}

int darc_cmd_values(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_check c;
    darc_status status;
    DARC_TRY(darc_check_open(&c, o, 0, budget, &err));
    DARC_TRY(darc_session_values(c.session, &err));
    DARC_TRY(darc_deliver(c.session, o, &err));
done:
    darc_check_close(&c);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

int darc_cmd_credibility(const darc_options *o, const darc_budget *budget)
{
    (void)budget; /* linear in the data */
    static const int code[] = {[DARC_TRUE] = DARC_EXIT_CONSISTENT,
                               [DARC_FALSE] = DARC_EXIT_INCONSISTENT,
                               [DARC_UNKNOWN] = DARC_EXIT_UNDECIDED};
    darc_err err = {DARC_OK, ""};
    darc_credibility *c = NULL;
    darc_status status;
    darc_truth verdict = DARC_UNKNOWN;
    DARC_TRY(darc_assess(&c, o->operand[0], o, &err));
    DARC_TRY(darc_deliver(c, o, &err));
    verdict = c->verdict;
done:
    darc_credibility_free(c);
    return status == DARC_OK ? code[verdict] : darc_cli_fail(&err);
}

int darc_cmd_simulate(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    darc_status status;
    darc_model *model = NULL;
    darc_recording *r = NULL;
    const char *file = darc_option_text(o, DARC_OPT_OUTPUT);
    DARC_TRY(darc_model_read_as(&model, o->operand[0], true, &err));
    darc_cli_show_rewritten(o, model);
    DARC_TRY(darc_recording_simulate(&r, model, o, budget, &err));
    DARC_TRY(darc_recording_save(r, file, &err));
    const darc_samples *s = darc_recording_samples(r);
    if (!darc_option_given(o, DARC_OPT_QUIET))
        fprintf(stderr, "%s: %zu samples of %d signals\n", file, s->samples,
                s->signals);
done:
    darc_recording_free(r);
    darc_model_free(model);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

int darc_cmd_model(const darc_options *o, const darc_budget *budget)
{
    (void)budget;
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    darc_text_t text = DARC_TEXT;
    darc_status status;
    DARC_TRY(darc_model_read(&model, o->operand[0], &err));
    DARC_TRY(darc_model_translate(
        text, model,
        (darc_translation)darc_option_choice(o, DARC_OPT_MODEL_FORMAT), &err));
    DARC_TRY(darc_terminal_print(text->s, &err));
done:
    darc_text_clear(text);
    darc_model_free(model);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

/* darc data: what recordings hold. */
int darc_cmd_data(const darc_options *o, const darc_budget *budget)
{
    (void)budget;
    darc_err err = {DARC_OK, ""};
    size_t n = (size_t)o->operands;
    darc_survey *survey = darc_calloc(n, sizeof *survey);
    darc_table **table = darc_calloc(n, sizeof(darc_table *));
    darc_text_t text = DARC_TEXT;
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    darc_asked c;
    darc_status status;
    DARC_TRY(darc_asked_init(&c, NULL, o, DARC_CMD_DATA, &err));
    for (size_t i = 0; i < n; i++) {
        DARC_TRY(darc_table_load(&table[i], o->operand[i], &c.set.load, &err));
        darc_survey_init(&survey[i], table[i]);
    }
    if (json != NULL) {
        darc_survey_json(text, survey, o->operands, o->command_line);
        DARC_TRY(darc_output_file(json, text->s, text->len, &err));
        darc_text_reset(text);
    }
    for (size_t i = 0; i < n; i++)
        darc_survey_print(text, &survey[i]);
    if (json == NULL || strcmp(json, "-") != 0)
        status = darc_terminal_print(text->s, &err);
done:
    darc_asked_clear(&c);
    darc_text_clear(text);
    for (size_t i = 0; i < n; i++) {
        darc_survey_clear(&survey[i]);
        darc_table_free(table[i]);
    }
    DARC_FREE(survey, table);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}

/* darc compare REFERENCE SIMULATION...; --table FILE. */
int darc_cmd_compare(const darc_options *o, const darc_budget *budget)
{
    (void)budget; /* linear in the data */
    darc_err err = {DARC_OK, ""};
    double consistency = NAN, accept = darc_option_real(o, DARC_OPT_ACCEPT);
    const char *table = darc_option_text(o, DARC_OPT_TABLE);
    darc_status status;
    darc_pairs more;
    darc_recording **r = NULL; /* references, then simulations; or the table */
    darc_agreement *a = NULL;
    int count = 0;
    darc_option_pairs(&more, o, DARC_OPT_REFERENCE);
    if (table != NULL ? o->operands != 0 : o->operands < 2)
        DARC_TRY(darc_fail(&err, DARC_USAGE,
                           "compare takes a reference and one simulation at "
                           "least, or --table FILE"));
    int references = 1 + more.count;
    int all = table != NULL ? 1 : o->operands + more.count;
    r = darc_calloc((size_t)all, sizeof *r);
    for (; count < all; count++) {
        const char *file = table != NULL ? table
                           : count == 0  ? o->operand[0]
                           : count < references
                               ? more.name[count - 1]
                               : o->operand[count - more.count];
        DARC_TRY(darc_recording_read(&r[count], file, o, &err));
    }
    if (table != NULL)
        DARC_TRY(darc_weigh(&a, r[0], o, &err));
    else
        DARC_TRY(darc_compare(&a, (const darc_recording *const *)r, references,
                              count, o, &err));
    DARC_TRY(darc_deliver(a, o, &err));
    consistency = a->consistency;
done:
    darc_agreement_free(a);
    for (int k = 0; k < count; k++)
        darc_recording_free(r[k]);
    darc_free(r);
    darc_pairs_clear(&more);
    return status != DARC_OK      ? darc_cli_fail(&err)
           : consistency < accept ? DARC_EXIT_INCONSISTENT
                                  : DARC_EXIT_CONSISTENT;
}
