/* cmd_ask.c - commands that ask one question: of a model, or of recordings. */
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
