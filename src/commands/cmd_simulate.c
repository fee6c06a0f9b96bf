/* cmd_simulate.c - darc simulate: a recording from a model. */
#include "cli/arguments.h"
#include "commands/check.h"
#include "darc/simulate.h"
#include "model/model.h"

#include <stdio.h>

static darc_status simulate(const darc_options *o, const darc_budget *budget,
                            darc_err *err)
{
    darc_status status;
    darc_model *model = NULL;
    darc_recording *r = NULL;
    const char *file = darc_option_text(o, DARC_OPT_OUTPUT);
    DARC_TRY(darc_model_read_for_simulation(&model, o->operand[0], err));
    darc_cli_show_rewritten(o, model);
    DARC_TRY(darc_recording_simulate(&r, model, o, budget, err));
    DARC_TRY(darc_recording_save(r, file, err));
    const darc_samples *s = darc_recording_samples(r);
    if (!darc_option_given(o, DARC_OPT_QUIET))
        fprintf(stderr, "%s: %zu samples of %d signals\n", file, s->samples,
                s->signals);
done:
    darc_recording_free(r);
    darc_model_free(model);
    return status;
}

int darc_cmd_simulate(const darc_options *o, const darc_budget *budget)
{
    darc_err err = {DARC_OK, ""};
    return simulate(o, budget, &err) == DARC_OK ? DARC_EXIT_CONSISTENT
                                                : darc_cli_fail(&err);
}
