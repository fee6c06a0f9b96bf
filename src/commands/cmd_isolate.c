/* cmd_isolate.c - darc isolate: which parameter changed. */
#include "commands/check.h"
#include "commands/deliver.h"

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
