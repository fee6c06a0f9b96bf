#include "commands/settings.h"

#include "base/mem.h"
#include "base/output.h"

#include <string.h>

/* Where results go and how much is said does not bear on them. */
static bool is_told(darc_option_id id)
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

void darc_settings_page(darc_page *p, const darc_options *o)
{
    darc_page_setting *list = darc_calloc(DARC_OPT_COUNT, sizeof *list);
    *p = (darc_page){.command_line = o->command_line, .setting = list};
    for (int i = 0; i < DARC_OPT_COUNT; i++) {
        const darc_option_row *row = darc_option_row_at(i);
        const char *value = darc_option_text(o, row->id);
        if ((row->commands & o->command) != 0 && value != NULL &&
            is_told(row->id))
            list[p->settings++] = (darc_page_setting){
                row->name, value, darc_option_given(o, row->id)};
    }
}

void darc_settings_clear(darc_page *p)
{
    darc_free((void *)p->setting);
    *p = (darc_page){0};
}

darc_status darc_settings_write(const char *html, size_t n,
                                const darc_options *o, darc_err *err)
{
    return darc_output_file(darc_option_text(o, DARC_OPT_HTML), html, n, err);
}

bool darc_settings_is_stdout(const darc_options *o, darc_option_id id)
{
    const char *file = darc_option_text(o, id);
    return file != NULL && strcmp(file, "-") == 0;
}
