/* cmd_credibility.c - darc credibility FACTORS. */
#include "commands/deliver.h"
#include "darc/compare.h"

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
