/* cmd_compare.c - darc compare REFERENCE SIMULATION...; --table FILE. */
#include "base/mem.h"
#include "commands/deliver.h"
#include "darc/compare.h"

#include <math.h>

/* The recordings: references, then simulations; or the table. */
typedef struct {
    int references, count;
    darc_recording **recording; /* owned */
} operands;

static darc_status read_operands(operands *to, const darc_options *o,
                                 darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs more;
    const char *table = darc_option_text(o, DARC_OPT_TABLE);
    darc_option_pairs(&more, o, DARC_OPT_REFERENCE);
    to->references = 1 + more.count;
    int all = table != NULL ? 1 : o->operands + more.count;
    to->recording = darc_calloc((size_t)all, sizeof *to->recording);
    for (int k = 0; k < all; k++) {
        const char *file = table != NULL        ? table
                           : k == 0             ? o->operand[0]
                           : k < to->references ? more.name[k - 1]
                                                : o->operand[k - more.count];
        DARC_TRY(darc_recording_read(&to->recording[k], file, o, err));
        to->count++;
    }
done:
    darc_pairs_clear(&more);
    return status;
}

static darc_status run(double *consistency, const darc_options *o,
                       darc_err *err)
{
    darc_status status;
    operands r = {0};
    darc_agreement *a = NULL;
    DARC_TRY(read_operands(&r, o, err));
    const darc_recording *const *list =
        (const darc_recording *const *)r.recording;
    if (darc_option_given(o, DARC_OPT_TABLE))
        DARC_TRY(darc_weigh(&a, list[0], o, err));
    else
        DARC_TRY(darc_compare(&a, list, r.references, r.count, o, err));
    DARC_TRY(darc_deliver(a, o, err));
    *consistency = a->consistency;
done:
    darc_agreement_free(a);
    for (int k = 0; k < r.count; k++)
        darc_recording_free(r.recording[k]);
    darc_free(r.recording);
    return status;
}

int darc_cmd_compare(const darc_options *o, const darc_budget *budget)
{
    (void)budget; /* linear in the data */
    darc_err err = {DARC_OK, ""};
    double consistency = NAN, accept = darc_option_real(o, DARC_OPT_ACCEPT);
    bool table = darc_option_given(o, DARC_OPT_TABLE);
    darc_status status;
    if (table ? o->operands != 0 : o->operands < 2)
        status = darc_fail(&err, DARC_USAGE,
                           "compare takes a reference and one simulation at "
                           "least, or --table FILE");
    else
        status = run(&consistency, o, &err);
    if (status != DARC_OK)
        return darc_cli_fail(&err);
    return consistency < accept ? DARC_EXIT_INCONSISTENT : DARC_EXIT_CONSISTENT;
}
