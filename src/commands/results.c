#include "commands/results.h"

#include "base/mem.h"
#include "base/output.h"

#include <stdio.h>
#include <string.h>

bool darc_results_take_stdout(const darc_options *o)
{
    static const darc_option_id ids[] = {DARC_OPT_JSON, DARC_OPT_HTML,
                                         DARC_OPT_CSV};
    for (int i = 0; i < 3; i++) {
        const char *file = darc_option_text(o, ids[i]);
        if (file != NULL && strcmp(file, "-") == 0)
            return true;
    }
    return false;
}

darc_status darc_results_write(darc_text_t text, const darc_options *o,
                               darc_option_id id, darc_err *err)
{
    const char *file = darc_option_text(o, id);
    darc_status status = file == NULL
                             ? DARC_OK
                             : darc_output_file(file, text->s, text->len, err);
    darc_text_reset(text);
    return status;
}

/* Where results go and how much is said does not bear on them. */
static bool bears_on_results(darc_option_id id)
{
    switch (id) {
    case DARC_OPT_JSON:
    case DARC_OPT_HTML:
    case DARC_OPT_CSV:
    case DARC_OPT_QUIET:
    case DARC_OPT_VERBOSE:
    case DARC_OPT_NO_PROGRESS:
        return false;
    default:
        return true;
    }
}

bool darc_results_page(darc_page *p, const darc_options *o)
{
    if (!darc_option_given(o, DARC_OPT_HTML))
        return false;
    darc_page_setting *list = darc_calloc(DARC_OPT_COUNT, sizeof *list);
    *p = (darc_page){.command_line = o->command_line, .setting = list};
    const darc_option_row *row = NULL;
    while ((row = darc_option_next(row, o->command)) != NULL) {
        const char *value = darc_option_text(o, row->id);
        if (value != NULL && bears_on_results(row->id))
            list[p->settings++] = (darc_page_setting){
                row->name, value, darc_option_given(o, row->id)};
    }
    return true;
}

darc_status darc_results_html(darc_text_t html, darc_page *p,
                              const darc_options *o, darc_err *err)
{
    darc_free((void *)p->setting);
    *p = (darc_page){0};
    return darc_results_write(html, o, DARC_OPT_HTML, err);
}

void darc_results_rewritten(const darc_options *o, const darc_model *model)
{
    if (!darc_option_given(o, DARC_OPT_VERBOSE) ||
        !darc_model_is_rewritten(model))
        return;
    darc_text_t text;
    darc_text_init(text);
    darc_model_print_rewritten(text, model);
    fprintf(stderr,
            "# the model without functions: unknowns stand for them\n%s",
            text->s);
    darc_text_clear(text);
}
