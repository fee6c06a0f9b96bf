/* cmd_identify.c - darc identify: what measurements can tell, before any. */
#include "commands/deliver.h"
#include "darc/identify.h"

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
