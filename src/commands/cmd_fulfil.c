/* cmd_fulfil.c - darc fulfil: parameters with which a model meets a target. */
#include "commands/check.h"
#include "commands/deliver.h"
#include "darc/fulfil.h"

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
