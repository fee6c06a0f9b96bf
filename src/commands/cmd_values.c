/* cmd_values.c - darc values: what recordings tell of the parameters. */
#include "commands/check.h"
#include "commands/deliver.h"

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
