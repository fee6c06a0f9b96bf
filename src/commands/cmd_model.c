/* cmd_model.c - darc model: a model in the languages of other tools. */
#include "cli/arguments.h"
#include "cli/terminal.h"

#include "model/translate.h"

int darc_cmd_model(const darc_options *o, const darc_budget *budget)
{
    (void)budget;
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    darc_text_t text = DARC_TEXT;
    darc_status status;
    DARC_TRY(darc_model_read(&model, o->operand[0], &err));
    DARC_TRY(darc_model_translate(
        text, model,
        (darc_translation)darc_option_choice(o, DARC_OPT_MODEL_FORMAT), &err));
    DARC_TRY(darc_terminal_print(text->s, &err));
done:
    darc_text_clear(text);
    darc_model_free(model);
    return status == DARC_OK ? DARC_EXIT_CONSISTENT : darc_cli_fail(&err);
}
