#include "syntax/chained.h"
#include "model/model_struct.h"

darc_status darc_model_chained(darc_model **out, const darc_model *model,
                               int length, darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_syntax syntax = {.name = NULL};
    *out = NULL;
    darc_model_print(text, model);
    darc_script script = {
        text->s, text->len, model->file, err, DARC_LANGUAGE_PRINTED, NULL};
    darc_status status = darc_parse(&syntax, &script);
    if (status == DARC_OK && darc_syntax_chain(&syntax, length)) {
        darc_text_reset(text);
        darc_model_print_syntax(text, &syntax);
        status = darc_model_parse_printed(out, text->s, text->len, model->file,
                                          false, err);
        if (status == DARC_OK)
            (*out)->chain = length;
    }
    darc_syntax_clear(&syntax);
    darc_text_clear(text);
    return status;
}

int darc_model_chain(const darc_model *model)
{
    return model->chain;
}
