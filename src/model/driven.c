#include "model/driven.h"

#include "model/model_struct.h"
#include "syntax/parse.h"

#include <string.h>

darc_status darc_model_driven(darc_model **out, const darc_model *model,
                              const bool *drives, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    darc_text_t text = DARC_TEXT;
    darc_syntax syntax = {.name = NULL};
    const char *file = darc_model_file(model);
    *out = NULL;
    darc_model_print(text, model);
    darc_script script = {text->s, text->len, file, err, false};
    darc_status status = darc_parse(&syntax, &script);
    for (size_t i = 0; i < syntax.declarations; i++) {
        darc_declaration *d = syntax.declaration + i;
        int u = darc_names_find(names, d->name, strlen(d->name));
        if (u < 0 || drives == NULL || !drives[u])
            continue;
        d->section = DARC_SECTION_INPUTS;
        darc_expr_free(d->value);
        d->value = NULL;
    }
    darc_text_reset(text);
    if (status == DARC_OK) {
        darc_model_print_syntax(text, &syntax);
        status =
            darc_model_parse_for_simulation(out, text->s, text->len, file, err);
    }
    darc_syntax_clear(&syntax);
    darc_text_clear(text);
    return status;
}
