/* cmd_plan.c - darc plan: what a planned test would find. */
#include "commands/check.h"
#include "commands/deliver.h"
#include "darc/plan.h"

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
