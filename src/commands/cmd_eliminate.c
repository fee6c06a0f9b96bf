/* cmd_eliminate.c - darc eliminate: relations between signals. */
#include "base/output.h"
#include "cli/arguments.h"
#include "commands/check.h"
#include "darc/eliminate.h"

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
