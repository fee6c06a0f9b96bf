#include "commands/deliver.h"

#include "base/output.h"
#include "cli/terminal.h"
#include "darc.h"

#include <string.h>

static const char *text_of(void *found, const char *format, unsigned command)
{
    switch (command) {
    case DARC_CMD_IDENTIFY:
        return darc_identified_text(found, format);
    case DARC_CMD_PLAN:
        return darc_planned_text(found, format);
    case DARC_CMD_FULFIL:
        return darc_fulfilled_text(found, format);
    case DARC_CMD_DRIFT:
        return darc_campaign_text(found, format);
    case DARC_CMD_COMPARE:
        return darc_agreement_text(found, format);
    case DARC_CMD_CREDIBILITY:
        return darc_credibility_text(found, format);
    default:
        return darc_session_text(found, format);
    }
}

darc_status darc_deliver(void *found, const darc_options *o, darc_err *err)
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
        const char *s = text_of(found, file[i].format, o->command);
        darc_status status = darc_output_file(name, s, strlen(s), err);
        if (status != DARC_OK)
            return status;
    }
    return silent
               ? DARC_OK
               : darc_terminal_print(text_of(found, "text", o->command), err);
}
