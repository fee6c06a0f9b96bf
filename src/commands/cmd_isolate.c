/* cmd_isolate.c - darc isolate: which parameter changed. */
#include "cli/terminal.h"
#include "commands/command.h"
#include "commands/recordings.h"
#include "commands/results.h"

static darc_status write_isolation(darc_session *s, const darc_options *o,
                                   darc_err *err)
{
    darc_status status;
    darc_isolation r = *darc_session_isolation(s);
    r.command_line = o->command_line;
    darc_page page;
    darc_text_t text;
    darc_text_init(text);
    darc_isolation_json(text, &r);
    DARC_TRY(darc_results_write(text, o, DARC_OPT_JSON, err));
    if (darc_results_page(&page, o)) {
        darc_text_puts(text, darc_session_html(s, &page));
        DARC_TRY(darc_results_html(text, &page, o, err));
    }
    if (darc_results_take_stdout(o))
        goto done;
    darc_isolation_print(text, &r, darc_option_given(o, DARC_OPT_QUIET));
    darc_terminal_print(text);
done:
    darc_text_clear(text);
    return status;
}

darc_status darc_cmd_isolate(int *code, const darc_options *o,
                             const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_run run = {0};
    DARC_TRY(darc_run_open(&run, o->operand[0], o, budget, err));
    for (int i = 1; i <= 2; i++)
        DARC_TRY(darc_session_read(run.session, o->operand[i], err));
    DARC_TRY(darc_session_isolate(run.session, err));
    *code = darc_cli_exit_code(darc_session_verdict(run.session));
    status = write_isolation(run.session, o, err);
done:
    darc_run_close(&run);
    return status;
}
