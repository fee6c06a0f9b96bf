#include "commands/rewritten.h"

#include <stdio.h>

void darc_cli_show_rewritten(const darc_options *o, const darc_model *model)
{
    if (!darc_option_given(o, DARC_OPT_VERBOSE) ||
        !darc_model_is_rewritten(model))
        return;
    darc_text_t text = DARC_TEXT;
    darc_model_print_rewritten(text, model);
    fprintf(stderr,
            "# the model without functions: unknowns stand for them\n%s",
            text->s);
    darc_text_clear(text);
}
