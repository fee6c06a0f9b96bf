/* cmd_compare.c - darc compare REFERENCE SIMULATION...; --table FILE. */
#include "base/mem.h"
#include "commands/check.h"
#include "darc/compare.h"

#include <math.h>

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
