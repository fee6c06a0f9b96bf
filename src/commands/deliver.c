#include "commands/deliver.h"

#include "base/output.h"

#include <string.h>

darc_status darc_deliver(const char **text, const darc_result *r,
                         const darc_options *o, darc_err *err)
{
    static const struct {
        darc_option_id id;
        unsigned commands; /* whose result has the format */
        const char *format;
    } file[] = {{DARC_OPT_CSV, DARC_CMD_DRIFT, "csv"},
                {DARC_OPT_HTML, ~0u, "html"},
                {DARC_OPT_JSON, ~0u, "json"}};
    bool silent = false;
    for (int i = 0; i < 3; i++) {
        const char *name = darc_option_text(o, file[i].id);
        if (name == NULL)
            continue;
        silent |= strcmp(name, "-") == 0;
        if ((file[i].commands & o->command) == 0)
            continue;
        const char *s = r->text(r->found, file[i].format);
        darc_status status = darc_output_file(name, s, strlen(s), err);
        if (status != DARC_OK)
            return status;
    }
    *text = silent ? NULL : r->text(r->found, "text");
    return DARC_OK;
}
