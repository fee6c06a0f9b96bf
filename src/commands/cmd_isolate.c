/* cmd_isolate.c - darc isolate: which parameter changed. */
#include "cli/terminal.h"
#include "commands/recordings.h"
#include "commands/settings.h"

#include "base/output.h"

#include <stdio.h>
#include <string.h>

static darc_status write_isolation(darc_session *s, const darc_options *o,
                                   darc_err *err)
{
    darc_isolation r = *darc_session_isolation(s);
    r.command_line = o->command_line;
    darc_status status = DARC_OK;
    darc_text_t text;
    darc_text_init(text);
    const char *json = darc_option_text(o, DARC_OPT_JSON);
    bool only_json = json != NULL && strcmp(json, "-") == 0;
    if (json != NULL) {
        darc_isolation_json(text, &r);
        status = darc_output_file(json, text->s, text->len, err);
        darc_text_reset(text);
    }
    if (status == DARC_OK && darc_option_given(o, DARC_OPT_HTML)) {
        darc_page page;
        darc_settings_page(&page, o);
        const char *html = darc_session_html(s, &page);
        status = darc_settings_write(html, strlen(html), o, err);
        darc_settings_clear(&page);
    }
    only_json |= darc_settings_is_stdout(o, DARC_OPT_HTML);
    if (!only_json && status == DARC_OK) {
        darc_isolation_print(text, &r, darc_option_given(o, DARC_OPT_QUIET));
        darc_terminal_print(text);
    }
    darc_text_clear(text);
    return status;
}

static darc_status isolate(darc_verdict *verdict, const darc_options *o,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_run run = {0};
    DARC_TRY(darc_run_open(&run, o->operand[0], o, budget, err));
    for (int i = 1; i <= 2; i++)
        DARC_TRY(darc_session_read(run.session, o->operand[i], err));
    DARC_TRY(darc_session_isolate(run.session, err));
    *verdict = darc_session_verdict(run.session);
    status = write_isolation(run.session, o, err);
done:
    darc_run_close(&run);
    return status;
}

int darc_cmd_isolate(const darc_options *o, const darc_budget *budget)
{
    darc_err err;
    darc_err_init(&err);
    darc_verdict verdict = DARC_UNDECIDED;
    if (isolate(&verdict, o, budget, &err) != DARC_OK)
        return darc_cli_fail(&err);
    return darc_cli_exit_code(verdict);
}
